"""`text`: the default format. A block for each finding, then a summary, and the targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.reporters import Look, words
from cudnnlint.reporters.excerpt import columns, cut
from cudnnlint.reporters.ink import SEVERITY, VERDICT, Ink

LABEL = 8  # columns of "found", "needed", ...
MOST_LAYERS = 4
MOST_CALLS = 5


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the report for a reader at a terminal or in a log."""
    page = _Page(report, Ink(look.colour, look.width), look.unsafe)
    for block in page.blocks():
        stream.write("\n".join(block) + "\n\n")
    if look.quiet:
        return
    lines = [*page.notes(), *(page.clean() if look.verbose else ()), *page.summary()]
    stream.write("\n".join(lines) + "\n")


class _Page:
    """One report on its way to the screen."""

    def __init__(self, report: Report, ink: Ink, unsafe: bool = False) -> None:
        self.report, self.ink, self.unsafe = report, ink, unsafe
        self.files = {file.path: file for file in report.files}
        self.layers = {layer.id: layer for file in report.files for layer in file.layers}

    def blocks(self) -> Iterator[list[str]]:
        """Yield a block for each finding; findings that differ in their target only share one.

        A file's first block starts with what was assumed, where the findings rest on it.
        """
        seen: set[str] = set()
        for group in words.groups(self.report):
            file = self.files.get(group[0].path)
            if file is not None and file.path not in seen:
                seen.add(file.path)
                assumed = [line for one in words.assumptions(file, self.report) for line in self._assumed(file, one)]
                if assumed:
                    yield assumed
            yield self._block(group)

    def _assumed(self, file: FileReport, sentence: str) -> list[str]:
        return self.ink.wrapped(f"{visible(file.path)}: {visible(sentence)}", "", "  ")

    def _block(self, group: Sequence[Diagnostic]) -> list[str]:
        first = words.worst(group)
        file = self.files.get(first.path)
        head = self.ink.paint(words.where(first), "bold")
        kind = self.ink.paint(f"{first.severity.value}[{first.code}]", SEVERITY[first.severity.value], "bold")
        lines = [f"{head}: {kind} {first.name}"]
        lines += self._excerpt(first, file) if file is not None and first.location else self._saved(group)
        for message in words.messages(group):
            lines += self.ink.wrapped(message, "  ", "  ")
        for label, text in (*self._labelled(first), *self._elsewhere(group), *self._calls(group)):
            lines += self._labels(label, text)
        return lines

    def _excerpt(self, diagnostic: Diagnostic, file: FileReport) -> list[str]:
        assert diagnostic.location is not None
        digits = len(str(diagnostic.location.end_row))
        shown = cut(diagnostic, file, max(20, self.ink.width - digits - 4))
        bar = self.ink.paint("|", "blue")
        lines = [f"{' ' * digits} {bar}"]
        for line in shown:
            lines.append(f"{self.ink.paint(f'{line.row:>{digits}}', 'blue')} {bar} {line.text}".rstrip())
            if line.under:
                caret = self.ink.paint("^" * columns(line.under), SEVERITY[diagnostic.severity.value], "bold")
                lines.append(f"{' ' * digits} {bar} {' ' * columns(line.before)}{caret}")
        return [*lines, f"{' ' * digits} {bar}"]

    def _saved(self, group: Sequence[Diagnostic]) -> list[str]:
        """Return what replaces an excerpt for a saved model: the layers, by their path from the root."""
        bar = self.ink.paint("|", "blue")
        found = [self.layers[i] for i in words.layers_of(group) if i in self.layers]
        names = [f"{visible(layer.layer_path or layer.name or '?')}  {layer.class_name}" for layer in found]
        more = [f"and {len(names) - MOST_LAYERS} more"] if len(names) > MOST_LAYERS else []
        return [f"  {bar}", *(f"  {bar} {name}" for name in (*names[:MOST_LAYERS], *more)), f"  {bar}"] if names else []

    def _labelled(self, diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
        if diagnostic.found:
            yield "found", diagnostic.found
            yield "needed", diagnostic.needed or ""
        if diagnostic.consequence:
            yield "when", diagnostic.consequence
        if diagnostic.fix is not None:
            yield "fix", diagnostic.fix.message
        elif diagnostic.advice:
            yield "help", diagnostic.advice
        for place, sentence in diagnostic.related:
            yield "see", f"{place}: {sentence}"

    def _elsewhere(self, group: Sequence[Diagnostic]) -> Iterator[tuple[str, str]]:
        """Yield the layers whose constructor call is elsewhere than the finding (in a constant above, say)."""
        layers = [self.layers[i] for i in words.layers_of(group) if i in self.layers]
        here = group[0].location
        named = dict.fromkeys(
            f"{layer.class_name} at {layer.place}"
            for layer in layers
            if layer.place is not None and here is not None and not _holds(layer.place, here)
        )
        if named:
            yield "layer", words.some(list(named), MOST_LAYERS)

    def _calls(self, group: Sequence[Diagnostic]) -> Iterator[tuple[str, str]]:
        """Yield the calls that led to the layer, innermost first; of several layers, each chain's first call."""
        layers = [self.layers[i] for i in words.layers_of(group) if i in self.layers]
        chains = [layer.via for layer in layers if layer.via]
        places = list(chains[0]) if len(chains) == 1 else list(dict.fromkeys(chain[0] for chain in chains))
        for place in places[:MOST_CALLS]:
            yield "called", f"from {place}"
        if len(places) > MOST_CALLS:
            yield "called", f"from {len(places) - MOST_CALLS} more places"

    def _labels(self, label: str, text: str) -> list[str]:
        lines = self.ink.wrapped(visible(text), f"  {label:<{LABEL}}", " " * (LABEL + 2))
        painted = self.ink.paint(label, "bold")
        return [lines[0].replace(label, painted, 1), *lines[1:]]

    def notes(self) -> Iterator[str]:
        """Yield the notes of the front ends on a file, apart from its layers."""
        found = False
        for file in self.report.files:
            for note in file.notes:
                found = True
                yield from self.ink.wrapped(f"{visible(file.path)}: note: {visible(note)}", "", "  ")
        if found:
            yield ""

    def clean(self) -> Iterator[str]:
        """Every layer with its verdict, one on a line."""
        for file in self.report.files:
            for layer in file.layers:
                yield self._one_layer(file, layer)
        if self.layers:
            yield ""

    def _one_layer(self, file: FileReport, layer: LayerReport) -> str:
        verdict = layer.worst.value
        shown = self.ink.paint(words.SHORT[verdict], VERDICT[verdict])
        name = visible(layer.layer_path or layer.name or "")
        what = " ".join(filter(None, (layer.class_name, name)))
        return f"{words.layer_place(file, layer)}: {what}: {shown}"

    def summary(self) -> Iterator[str]:
        """Yield the closing lines."""
        counts = {text: VERDICT[verdict.value] for verdict, text in words.layer_counts(self.report)}
        for line in self.ink.wrapped(words.closing(self.report), "", "  "):
            for text, colour in counts.items():
                line = line.replace(text, self.ink.paint(text, colour, "bold"))
            yield line
        found = words.findings(self.report)
        if found:
            yield from self.ink.wrapped(f"{found}; {plural(self.report.seen, 'file')} checked", "", "  ")
        for line in words.fixable(self.report, self.unsafe):
            yield from self.ink.wrapped(line, "", "  ")
        for target in words.targets(self.report):
            yield from self.ink.wrapped(target, "", "  ")


def _holds(call: SourcePlace, place: SourcePlace) -> bool:
    """Return whether a place lies inside a constructor call."""
    start, end = (call.row, call.column), (call.end_row, call.end_column)
    inside = start <= (place.row, place.column) and (place.end_row, place.end_column) <= end
    return inside and (call.path, call.cell) == (place.path, place.cell)


assert set(VERDICT) == {verdict.value for verdict in Verdict}
