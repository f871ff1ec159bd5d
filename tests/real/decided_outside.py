"""What decides an unknown layer outside the code, by the reason that the linter itself gives.

A layer counts as decided outside only where every reason of it names somebody outside: one that does not leaves it a
plain unknown. What stands in backquotes is source code and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

#: Who decides, and how the linter's reasons say so.
DECIDERS = {
    "command line": re.compile(r"comes from the command line"),
    "environment": re.compile(r"comes from the environment"),
    "keyboard": re.compile(r"comes from the keyboard"),
    "data": re.compile(
        r"comes from data that the program reads|depends on which files there are|padding depends on the data"
    ),
    "caller": re.compile(r"comes from parameter \S* ?of [\w.<>]+\(\), whose (?:value is|items are) not known"),
}
_CODE = re.compile(r"`[^`]*`")
_BUILT = "how this layer is built is not known"


def outside(report: dict[str, Any]) -> dict[str, int]:
    """Return how many unknown layers of a report each of the deciders decides."""
    reasons = _messages(report)
    found = dict.fromkeys(DECIDERS, 0)
    for file in report["files"]:
        for layer in file["layers"]:
            unknown = [verdict for verdict in layer["verdicts"] if verdict["verdict"] == "unknown"]
            who = [decider(_reasons(verdict, reasons.get(layer["id"], []))) for verdict in unknown]
            if who and all(who):
                found[str(who[0])] += 1
    return found


def decider(reasons: Iterable[str]) -> str | None:
    """Return who decides a layer, by its reasons; None where one of them names nobody outside."""
    who = [next((name for name, says in DECIDERS.items() if says.search(_CODE.sub("", one))), None) for one in reasons]
    return who[0] if who and all(who) else None


def _messages(report: dict[str, Any]) -> dict[int, list[str]]:
    """Return the reasons of the diagnostics that tell of unknown layers, by layer."""
    found: dict[int, list[str]] = {}
    for diagnostic in report["diagnostics"]:
        if diagnostic["code"] == "CDN501":
            for layer in diagnostic["layers"]:
                found.setdefault(layer, []).append(diagnostic["reason"])
    return found


def _reasons(verdict: dict[str, Any], messages: list[str]) -> Iterator[str]:
    """Yield each reason why a verdict is unknown: of a requirement that is, and of how the layer is built."""
    unmet = [one["found"] for one in verdict["requirements"] if one["met"] == "unknown"]
    for found in unmet:
        parts = found.split("unknown (")
        yield from parts[1:] or parts
    for message in messages:
        if not unmet or _BUILT in message:
            yield from message.split("; ")
