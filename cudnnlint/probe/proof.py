"""What a conformance run found, as a table by layer and cause, with what needs a word below it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from cudnnlint.core.language import tr
from cudnnlint.core.text import visible
from cudnnlint.probe.compare import Agreement
from cudnnlint.probe.outcome import wrap

AGREEMENTS = tuple(one.value for one in Agreement)
ANY = "all"
HEAD = ("layer", "cause", *AGREEMENTS)
Row = tuple[str, ...]


def as_text(record: dict[str, Any]) -> str:
    """Return the table, the contradictions, and why a claim is not proved."""
    if record["note"] is not None:
        return wrap(record["note"], "") + "\n"
    blocks = ["\n".join(_table(record)), *_contradicted(record), *_reasons(record)]
    blocks.append(", ".join(f"{count} {tr(name)}" for name, count in record["summary"].items()) + ".")
    return "\n\n".join(blocks) + "\n"


def _table(record: dict[str, Any]) -> Iterator[str]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    times: dict[tuple[str, str], str] = {}
    for result in record["results"]:
        for claim in result["claims"]:
            key = (claim["operation"] or ANY, claim["cause"])
            counts[key][result["agreement"]] += 1
            times[key] = _milliseconds(result["seconds"])
    rows = [
        (layer, tr(cause), *(str(found[name] or "") for name in AGREEMENTS), times[layer, cause])
        for (layer, cause), found in counts.items()
    ]
    timed = any(times.values())
    heads = [tr(name) for name in HEAD] + ([tr("ms, and in a loop")] if timed else [])
    yield from _aligned([tuple(heads), *(row if timed else row[:-1] for row in rows)])


def _milliseconds(seconds: dict[str, float | None]) -> str:
    """Return what a training step takes as it is and in a loop."""
    found = [seconds.get("route"), seconds.get("generic")]
    return " / ".join(f"{value * 1e3:.2f}" for value in found if value is not None)


def _aligned(rows: list[Row]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _contradicted(record: dict[str, Any]) -> Iterator[str]:
    for result in record["results"]:
        if result["agreement"] == Agreement.CONTRADICTED.value:
            lines = [wrap(f"{result['path']}: {tr('contradicted')}", ""), wrap(result["reason"], "    ")]
            if result["table_row"]:
                lines.append(wrap(f"The verdict rests on this row: {result['table_row']}.", "    "))
            yield "\n".join(lines)


def _reasons(record: dict[str, Any]) -> Iterator[str]:
    """Yield each reason for which something is not proved, with what it is about."""
    about: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for result in record["results"]:
        if result["agreement"] in (Agreement.UNDECIDED.value, Agreement.SKIPPED.value):
            more = result.get("elsewhere", "")
            about[result["agreement"], result["reason"], more] += [_brief(claim) for claim in result["claims"]]
    for claim in record["open"]:
        about["not covered", claim["reason"], ""].append(_brief(claim))
    for (kind, *reasons), named in about.items():
        words = " ".join(map(tr, filter(None, reasons)))
        yield "\n".join([wrap(f"{tr(kind)}: {words}", ""), wrap(visible("; ".join(named)), "    ")])


def _brief(claim: dict[str, Any]) -> str:
    return f"{claim['operation'] or ANY} ({claim['cause']})"
