"""What stands in place of the blocks where folders have many findings: their causes, then their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cudnnlint.core import report_text
from cudnnlint.core.language import tr
from cudnnlint.core.report import LayerReport, Report
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import WORST_FIRST
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block
from cudnnlint.reporters.causes import FoundCause, causes
from cudnnlint.reporters.headline import cost
from cudnnlint.reporters.ink import SEVERITY, Ink

MOST_FILES = 12
MOST_PLACES = 6  # of one cause
MOST_REASONS = 3
LABEL = 8  # columns of "fix", "cost", ...
MORE = "Each finding with its source: --verbose, or name a file."


def overview(report: Report, found: Sequence[Block], ink: Ink, unsafe: bool) -> Iterator[str]:
    """Yield the lines: what is assumed, the causes with their places, the files with the most findings."""
    assumed: dict[str, list[str]] = {}
    paths = {block.path for block in found}
    for file in report.files:
        for sentence in words.assumptions(file, report) if file.path in paths else ():
            assumed.setdefault(sentence, []).append(visible(file.path))
    for sentence, files in assumed.items():
        yield from ink.wrapped(f"{words.some(files)}: {visible(sentence)}", "", "  ")
    if assumed:
        yield ""
    yield ink.paint(tr("Causes, the most severe first"), "bold")
    for cause in causes(found):
        yield ""
        yield from _cause(cause, ink, unsafe)
    yield ""
    yield ink.paint(tr("Files"), "bold")
    yield from _files(report, found, ink)
    yield ""
    yield tr(MORE)


def _cause(cause: FoundCause, ink: Ink, unsafe: bool) -> Iterator[str]:
    """Yield one cause: how many layers in how many files, the reasons, what to do, and where."""
    first = cause.faults[0].first
    kind = f"{first.severity.value}[{first.code}]"
    fixed = sum(words.fixed_by(fault.group, unsafe) for fault in cause.faults)
    mark = f" [*] {tr(f'{fixed} with --fix')}" if fixed else ""
    painted = ink.paint(kind, SEVERITY[first.severity.value], "bold")
    counted = tr(f"{cause.size} in {plural(len(cause.paths), 'file')}")
    yield f"{painted} {first.name}: {counted}{mark}"
    reasons = cause.reasons
    for reason, count in reasons.most_common(MOST_REASONS):
        yield from ink.wrapped(f"{reason}{f' ({count} times)' if count > 1 and len(reasons) > 1 else ''}", "  ", "  ")
    if len(reasons) > MOST_REASONS:
        yield f"  {tr(plural(len(reasons) - MOST_REASONS, 'more reason'))}"
    if cause.action is not None:
        label, text = cause.action
        yield from ink.wrapped(visible(text), f"  {tr(label):<{LABEL}}", " " * (LABEL + 2))
    steps = cost(list(cause.layers.values()))
    if steps:
        yield from ink.wrapped(steps, f"  {tr('cost'):<{LABEL}}", " " * (LABEL + 2))
    yield from ink.wrapped(words.some(cause.places, MOST_PLACES), f"  {tr('at'):<{LABEL}}", " " * (LABEL + 2))


def _files(report: Report, found: Sequence[Block], ink: Ink) -> Iterator[str]:
    """Yield the files with findings, those with the worst first, each with its layers by verdict."""
    layers: dict[str, dict[int, LayerReport]] = {}
    weights: Counter[str] = Counter()
    for block in found:
        layers.setdefault(block.path, {}).update((layer.id, layer) for layer in block.all_layers)
        weights[block.path] = max(weights[block.path], block.weight)
    unread = {file.path for file in report.files if file.error is not None}
    ordered = sorted(layers, key=lambda path: (-weights[path], -len(layers[path]), path))
    for path in ordered[:MOST_FILES]:
        yield from ink.wrapped(f"{visible(path)}: {_counted(layers[path].values(), path in unread)}", "  ", "      ")
    if len(ordered) > MOST_FILES:
        rest = tr(f"and {plural(len(ordered) - MOST_FILES, 'more file')}")
        yield f"  {rest}"


def _counted(layers: Iterable[LayerReport], unread: bool) -> str:
    counts = Counter(layer.worst for layer in layers)
    texts = [plural(counts[verdict], *report_text.COUNTED[verdict]) for verdict in WORST_FIRST if counts[verdict]]
    return ", ".join(texts) or ("could not be read" if unread else "no layer")

