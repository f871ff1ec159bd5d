"""A report in few words: one sentence, some lines for `print`, a table for a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import Verdict

if TYPE_CHECKING:
    from cudnnlint.core.diagnostic import Diagnostic
    from cudnnlint.core.report import LayerReport, Report

#: How a verdict is counted: (one, several).
COUNTED = {
    Verdict.CUDNN: ("runs in cuDNN", "run in cuDNN"),
    Verdict.FALLBACK: ("falls back", "fall back"),
    Verdict.RAISES: ("raises an error", "raise an error"),
    Verdict.DEPENDS: ("depends on the data", "depend on the data"),
    Verdict.UNKNOWN: ("unknown", "unknown"),
}
MOST_LINES, MOST_ROWS = 10, 30
HEADS = ("layer", "class", "verdict", "why", "what to do")


def layer_counts(report: Report) -> list[tuple[Verdict, str]]:
    """Each verdict that some layer has, with its count in words."""
    counts = report.counts()
    return [
        (verdict, plural(counts[verdict.value], *words)) for verdict, words in COUNTED.items() if counts[verdict.value]
    ]


def closing(report: Report) -> str:
    """Return `14 recurrent layers: 9 run in cuDNN, 3 fall back, 2 unknown`, or that there is none."""
    total = sum(len(file.layers) for file in report.files)
    if not total and not report.seen:
        return "No recurrent layer found: there is no file to check."
    if not total:
        failed = sum(file.error is not None for file in report.files)
        unread = f"; {failed} could not be read" if failed else ""
        return f"No recurrent layer found in {plural(report.seen, 'file')}{unread}."
    return f"{plural(total, 'recurrent layer')}: {', '.join(text for _, text in layer_counts(report))}"


def described(layer: LayerReport, report: Report) -> str:
    """Describe one layer in one line: its path, its verdict, and why."""
    return f"{_name(layer)}: {_reasoned(layer, report)}"


def _reasoned(layer: LayerReport, report: Report) -> str:
    """Return the verdict of a layer, and why."""
    reasons = "; ".join(f"{diagnostic.code} {diagnostic.message}" for diagnostic in _why(layer, report))
    return layer.worst.value + (f" ({reasons})" if reasons else "")


def failing(report: Report, accepted: Collection[Verdict]) -> list[str]:
    """Describe the layers with another verdict than these, a line for all that have one verdict for one reason."""
    told: dict[str, Counter[str]] = {}
    for layer in (layer for file in report.files for layer in file.layers if layer.worst not in accepted):
        told.setdefault(_reasoned(layer, report), Counter())[_name(layer)] += 1
    return [f"{_together(names)}: {why}" for why, names in told.items()]


def _together(names: Counter[str]) -> str:
    """Return names on one line; one that several layers have, which a loop makes, with their number."""
    listed = [f"{name} ({plural(count, 'layer')})" if count > 1 else name for name, count in names.items()]
    more = f" and {plural(len(listed) - MOST_LINES, 'more place')}" if len(listed) > MOST_LINES else ""
    return ", ".join(listed[:MOST_LINES]) + more


def lines(report: Report) -> Iterator[str]:
    """Yield what `print(report)` shows: the counts, then the layers that do not run in cuDNN."""
    yield closing(report)
    others = [layer for file in report.files for layer in file.layers if layer.worst is not Verdict.CUDNN]
    for layer in others[:MOST_LINES]:
        codes = ", ".join(dict.fromkeys(f"{one.code} {one.name}" for one in _why(layer, report)))
        yield visible(f"  {_name(layer)} {COUNTED[layer.worst][0]}" + (f": {codes}" if codes else ""))
    if len(others) > MOST_LINES:
        yield f"  and {plural(len(others) - MOST_LINES, 'more layer')}"
    broken = [file for file in report.files if file.error is not None]
    yield from (visible(f"  {file.path} could not be read: {(file.error or ('', ''))[1]}") for file in broken)


def table(report: Report) -> str:
    """Return the report as a table in HTML, a row for each layer; what belongs to no layer comes behind."""
    layers = [layer for file in report.files for layer in file.layers]
    rows = [_row(layer, report) for layer in layers[:MOST_ROWS]]
    more = f"<p>and {plural(len(layers) - MOST_ROWS, 'more layer')}</p>" if len(layers) > MOST_ROWS else ""
    loose = "".join(f"<p>{_text(one.message)}</p>" for one in report.diagnostics if not one.layers)
    head = "".join(f"<th>{head}</th>" for head in HEADS)
    found = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
    return f"<p><b>{_text(closing(report))}</b></p>{found}{more}{loose}"


def _row(layer: LayerReport, report: Report) -> str:
    why = _why(layer, report)
    reasons = dict.fromkeys(f"{one.code} {one.reason or one.message}" for one in why)
    actions = dict.fromkeys(one.fix.message if one.fix else one.advice or "" for one in why)
    cells = (_name(layer), layer.class_name, COUNTED[layer.worst][0], " ".join(reasons), " ".join(actions))
    return f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in cells)}</tr>"


def _why(layer: LayerReport, report: Report) -> list[Diagnostic]:
    return [diagnostic for diagnostic in report.diagnostics if layer.id in diagnostic.layers]


def _name(layer: LayerReport) -> str:
    """Return the path of a saved layer, or the place of one in source."""
    return layer.layer_path or (f"{layer.place} {layer.class_name}" if layer.place else layer.class_name)


def _text(text: str) -> str:
    from html import escape  # its table of entities is large, and only notebooks need it

    return escape(visible(text))
