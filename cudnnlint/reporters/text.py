"""`text`: the default format. A block for each layer with its faults, then a summary, and the targets.

Where folders have many findings, their causes and files stand in place of the blocks (`overview`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from cudnnlint.core import report_text
from cudnnlint.core.language import tr
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.reporters import Look, words
from cudnnlint.reporters.blocks import Block, blocks, joined
from cudnnlint.reporters.further import further
from cudnnlint.reporters.ink import VERDICT, Ink
from cudnnlint.reporters.layer_block import LayerBlock
from cudnnlint.reporters.overview import overview

MOST_BLOCKS = 6  # of files in folders; a reader who gets more than this looks for a summary first


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the report for a reader at a terminal or in a log."""
    page = _Page(report, Ink(look.colour, look.width), look)
    found = blocks(report) if look.verbose else joined(blocks(report))
    walked = [] if look.named is None or look.verbose else [one for one in found if one.path not in look.named]
    walked = walked if len(walked) > MOST_BLOCKS else []
    for lines in page.blocks([block for block in found if block not in walked]):
        stream.write("\n".join(lines) + "\n\n")
    if walked:
        stream.write("\n".join(overview(report, walked, page.ink, look.unsafe)) + "\n\n")
    if look.quiet:
        return
    lines = [*page.notes(), *(page.every_layer() if look.verbose else ()), *page.summary()]
    stream.write("\n".join(lines) + "\n")


class _Page:
    """One report on its way to the screen."""

    def __init__(self, report: Report, ink: Ink, look: Look) -> None:
        self.report, self.ink, self.look = report, ink, look
        self.files = {file.path: file for file in report.files}

    def blocks(self, found: Sequence[Block]) -> Iterator[list[str]]:
        """Yield the lines of each block.

        A file's first block starts with what was assumed, where the findings rest on it.
        """
        seen: set[str] = set()
        for block in found:
            file = self.files.get(block.path)
            if file is not None and file.path not in seen:
                seen.add(file.path)
                assumed = [line for one in words.assumptions(file, self.report) for line in self._assumed(file, one)]
                if assumed:
                    yield assumed
            yield list(LayerBlock(block, file, self.ink, self.look.unsafe).lines())

    def _assumed(self, file: FileReport, sentence: str) -> list[str]:
        return self.ink.wrapped(f"{visible(file.path)}: {visible(sentence)}", "", "  ")

    def notes(self) -> Iterator[str]:
        """Yield the notes of the front ends on a file, apart from its layers; one that many files have, once."""
        found: dict[str, list[str]] = {}
        for file in self.report.files:
            for note in file.notes:
                found.setdefault(note, []).append(visible(file.path))
        for note, paths in found.items():
            several = "" if len(paths) == 1 else f" ({plural(len(paths), 'file')}: {words.some(paths)})"
            head = f"{paths[0]}: note" if len(paths) == 1 else "note"
            yield from self.ink.wrapped(f"{head}: {visible(note)}{several}", "", "  ")
        if found:
            yield ""

    def every_layer(self) -> Iterator[str]:
        """Every layer with its verdict, one on a line."""
        found = False
        for file in self.report.files:
            for layer in file.layers:
                found = True
                yield self._one_layer(file, layer)
        if found:
            yield ""
        for sentence in (*words.slow(self.report), *words.small(self.report)):
            yield from self.ink.wrapped(sentence, "", "  ")
            yield ""

    def _one_layer(self, file: FileReport, layer: LayerReport) -> str:
        verdict = layer.worst.value
        shown = self.ink.paint(tr(words.SHORT[verdict]), VERDICT[verdict])
        name = visible(layer.layer_path or layer.name or "")
        what = " ".join(filter(None, (layer.class_name, name)))
        return f"{words.layer_place(file, layer)}: {what}: {shown}"

    def summary(self) -> Iterator[str]:
        """Yield the closing lines."""
        counts = {tr(text): VERDICT[verdict.value] for verdict, text in report_text.layer_counts(self.report)}
        for line in self.ink.wrapped(report_text.closing(self.report), "", "  "):
            for text, colour in counts.items():
                line = line.replace(text, self.ink.paint(text, colour, "bold"))
            yield line
        found = words.findings(self.report)
        if found:
            yield from self.ink.wrapped(f"{found}; {plural(self.report.seen, 'file')} checked", "", "  ")
        for line in words.fixable(self.report, self.look.unsafe):
            yield from self.ink.wrapped(line, "", "  ")
        for target in words.targets(self.report):
            yield from self.ink.wrapped(target, "", "  ")
        for sentence in () if self.look.verbose else further(self.report):
            yield from self.ink.wrapped(sentence, "", "  ")


assert set(VERDICT) == {verdict.value for verdict in Verdict}
