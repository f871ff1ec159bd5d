"""`cudnnlint log`: explain what a training log says of recurrent layers and cuDNN. Prints nothing; reads a stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any

from cudnnlint.core.report import Report
from cudnnlint.trainlog.asked import About, asked
from cudnnlint.trainlog.attribution import Match, chosen_case
from cudnnlint.trainlog.explained import SILENCE, as_text, causes
from cudnnlint.trainlog.gather import Gathered, LogEntry, gather
from cudnnlint.trainlog.pasted import MOST_LINES, Pasted, pasted
from cudnnlint.trainlog.phrases import PROBLEMS
from cudnnlint.trainlog.pieces import Piece, pieces
from cudnnlint.trainlog.told_code import JudgedCode
from cudnnlint.trainlog.told_code import as_data as code_as_data

Judge = Callable[[Pasted], "JudgedCode | None"]


def run(
    stream: IO[bytes],
    report: Report | None = None,
    output_format: str = "text",
    name: str = "the log",
    judge: Judge | None = None,
    targets: Sequence[str] = (),
) -> tuple[str, int]:
    """Return the explained log as text or json, and the exit status: 1 if a line shows a problem, else 0.

    `report` is what `check` found in the sources or models that the user named with the log. Without one, `judge`
    checks the code that stands in the log itself: people paste both together. `targets` are those that the user names.
    """
    lines: list[str] = []
    gathered = gather(_kept(pieces(stream), lines))
    found = pasted(lines, targets) if judge is not None and report is None and gathered.lines <= MOST_LINES else None
    code = judge(found) if judge is not None and found is not None else None
    status = int(any(entry.reading.tells in PROBLEMS for entry in gathered.entries))
    about = asked(lines) if not gathered.entries and code is None else None
    if output_format == "json":
        return json.dumps(as_data(gathered, report, code, about), indent=2), status
    return as_text(gathered, report, name, code, about), status


def _kept(read: Iterable[Piece], lines: list[str]) -> Iterator[Piece]:
    """Yield the pieces, and keep the lines of a short text."""
    for piece in read:
        if len(lines) <= MOST_LINES and piece.number == len(lines) + 1:
            lines.append(piece.text)
        yield piece


def as_data(
    gathered: Gathered, report: Report | None, code: JudgedCode | None, about: About | None = None
) -> dict[str, Any]:
    """Return the explained log as plain data, one entry for each phrase and layer, in the order of the log."""
    entries = [row for cause in causes(gathered, code.report if code else report) for row in cause.entries]
    entries.sort(key=lambda row: row[0].line)
    return {
        "schema_version": 1,
        "lines": gathered.lines,
        "entries": [_entry(*row) for row in entries],
        "code": code_as_data(code) if code else None,
        "about": {"name": about.name, "says": about.says, "do": about.do} if about else None,
        "note": None if gathered.entries or code else SILENCE,
    }


def _entry(entry: LogEntry, found: list[Match]) -> dict[str, Any]:
    case = chosen_case(entry, found)
    reading = case.reading if case else entry.phrase.reading
    return {
        "key": entry.phrase.key,
        "case": case.name if case else None,
        "tells": reading.tells,
        "line": entry.line,
        "count": entry.count,
        "layer": entry.layer,
        "class_name": entry.class_name,
        "node": "/".join(entry.path) or None,
        "detail": entry.detail,
        "text": entry.text,
        "where": str(entry.told.stop) or None,
        "facts": list(entry.facts),
        "said_by": reading.said_by,
        "means": reading.means,
        "do": reading.do,
        "codes": list(reading.codes),
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
        "fits": match.fits,
        "failed": [
            {"name": failed.name, "code": failed.code, "found": failed.found, "needed": failed.needed}
            for failed in match.failed()
        ],
    }
