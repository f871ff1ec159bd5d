"""`cudnnlint log`: explains the cuDNN lines of a training log. Prints nothing; reads the stream that it is given."""

from __future__ import annotations

import json
import textwrap
from typing import IO, Any

from cudnnlint.core.report import Report
from cudnnlint.core.text import visible
from cudnnlint.trainlog.attribution import Match, matches
from cudnnlint.trainlog.gather import Gathered, LogEntry, gather
from cudnnlint.trainlog.phrases import PROBLEMS, TELLS
from cudnnlint.trainlog.pieces import pieces

SILENCE = (
    "No line about cuDNN. That proves little: Keras 3 logs nothing about it on any backend, and Keras 2 only what it "
    "knows when a layer is built. `cudnnlint check` judges the code or the model, `cudnnlint probe` runs it."
)
WIDTH = 100
INDENT = " " * 4


def run(
    stream: IO[bytes], report: Report | None = None, output_format: str = "text", name: str = "the log"
) -> tuple[str, int]:
    """The explained log as text or json, and the exit status: 1 if a line tells of a problem, else 0.

    `report` is what `check` found in the sources or models that the user named beside the log.
    """
    gathered = gather(pieces(stream))
    status = int(any(entry.phrase.tells in PROBLEMS for entry in gathered.entries))
    if output_format == "json":
        return json.dumps(as_data(gathered, report), indent=2), status
    return as_text(gathered, report, name), status


def as_data(gathered: Gathered, report: Report | None) -> dict[str, Any]:
    """The explained log as plain data."""
    return {
        "schema_version": 1,
        "lines": gathered.lines,
        "entries": [_entry(entry, matches(entry, report)) for entry in gathered.entries],
        "note": None if gathered.entries else SILENCE,
    }


def _entry(entry: LogEntry, found: list[Match]) -> dict[str, Any]:
    return {
        "key": entry.phrase.key,
        "tells": entry.phrase.tells,
        "line": entry.line,
        "count": entry.count,
        "layer": entry.layer,
        "class_name": entry.class_name,
        "node": "/".join(entry.path) or None,
        "detail": entry.detail,
        "text": entry.text,
        "said_by": entry.phrase.said_by,
        "means": entry.phrase.means,
        "do": entry.phrase.do,
        "codes": list(entry.phrase.codes),
        "matches": [_match(match) for match in found],
    }


def _match(match: Match) -> dict[str, Any]:
    place = match.layer.place
    return {
        "path": match.file.path,
        "row": place.row if place else None,
        "cell": place.cell if place else None,
        "layer_path": match.layer.layer_path,
        "name": match.layer.name,
        "class_name": match.layer.class_name,
        "verdict": match.layer.worst.value,
        "sure": match.sure,
        "failed": [
            {"name": failed.name, "code": failed.code, "found": failed.found, "needed": failed.needed}
            for failed in match.failed()
        ],
    }


def as_text(gathered: Gathered, report: Report | None, name: str) -> str:
    """The explained log for people."""
    if not gathered.entries:
        return _wrap(f"{name}: {SILENCE}", "")
    blocks = ["\n".join(_block(entry, matches(entry, report), report)) for entry in gathered.entries]
    kinds = len({entry.phrase.key for entry in gathered.entries})
    head = f"{name}: {kinds} kind{'s' * (kinds > 1)} of news about cuDNN in {gathered.lines} lines"
    return "\n\n".join([head, *blocks])


def _block(entry: LogEntry, found: list[Match], report: Report | None) -> list[str]:
    times = f" ({entry.count} times)" if entry.count > 1 else ""
    named = f"layer {visible(entry.layer)}" if entry.layer else entry.class_name
    about = f", {named}" if named else ""
    lines = [f"line {entry.line}{times}{about}: {TELLS[entry.phrase.tells]}"]
    lines += [f"{INDENT}| {part}" for part in textwrap.wrap(visible(entry.text), WIDTH - len(INDENT) - 2)]
    lines.append(_wrap(f"said by     {entry.phrase.said_by}."))
    lines.append(_wrap(f"means       {entry.phrase.means}"))
    lines.append(_wrap(f"what to do  {entry.phrase.do}"))
    if entry.phrase.codes:
        lines.append(_wrap(f"rules       {', '.join(entry.phrase.codes)}"))
    told = dict.fromkeys(f"{match.where} {_told(match)}" for match in found)  # two directions may say the same
    lines += [_wrap(_lead(found[0], len(told)) + visible(text)) for text in told]
    if report is not None and entry.layer and not found:
        lines.append(_wrap(f"here        no layer in the given files can be {visible(entry.layer)}"))
    return lines


def _lead(match: Match, count: int) -> str:
    return "here        " if match.sure else "likely      " if count == 1 else "one of      "


def _told(match: Match) -> str:
    """What the report says of a layer, in half a line."""
    failed = [f"{item.name} ({item.code}): found {item.found}, needed {item.needed}" for item in match.failed()]
    return f"{match.layer.class_name}, {match.layer.worst.value}" + ("; " + "; ".join(failed) if failed else "")


def _wrap(text: str, indent: str = INDENT) -> str:
    hanging = indent + " " * 12 if indent else ""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False)
