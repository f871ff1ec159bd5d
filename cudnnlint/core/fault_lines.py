"""Facts that hold several lines of text, any of which may stop a release: "stops_before", "names_beside" and others."""

from __future__ import annotations

from collections.abc import Callable

from cudnnlint.core.fact import Fact, values
from cudnnlint.core.rule import Finding, judge_fact
from cudnnlint.core.truth import Truth

#: What is between a line and the wrapper around what it is about.
_HOLDER = "\t"


def worst_line(told: Fact, judged: Callable[[str], Truth]) -> tuple[str, Truth, Finding] | None:
    """Return the first line that stops the target, else the first that may, with its truth and what was found.

    `judged` says of one line whether it stops the target; None where no line does or may.
    """
    lines = dict.fromkeys(line for text in values(told) if text for line in text.split("\n"))
    stops = {line: truth for line in lines if (truth := judged(line)) is not Truth.NO}
    if not stops:
        return None
    worst = max(stops, key=lambda line: stops[line] is Truth.YES)
    finding = judge_fact(told, lambda text: stops[worst] if text and worst in text.split("\n") else Truth.NO)
    return worst, stops[worst], finding


def held_by(line: str, holder: str | None) -> str:
    """Return a line about something, with the class of the wrapper that holds it, if one does."""
    return line if holder is None else f"{line}{_HOLDER}{holder}"


def with_holder(line: str) -> tuple[str, str | None]:
    """Return what a line is about, and the class of the wrapper that holds it."""
    about, _, holder = line.partition(_HOLDER)
    return about, holder or None
