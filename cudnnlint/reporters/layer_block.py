"""The lines of one block: what happens to a layer on a GPU, then each cause with its excerpt and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.language import tr
from cudnnlint.core.report import FileReport
from cudnnlint.core.text import visible
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block, Fault
from cudnnlint.reporters.details import of_block, of_fault
from cudnnlint.reporters.excerpt import ShownLine, columns, cut
from cudnnlint.reporters.headline import headline
from cudnnlint.reporters.ink import SEVERITY, Ink

LABEL = 8  # columns of "found", "needed", ...
MOST_LAYERS = 4


class LayerBlock:
    """One block on its way to the screen."""

    def __init__(self, block: Block, file: FileReport | None, ink: Ink, unsafe: bool) -> None:
        self.block, self.file, self.ink, self.unsafe = block, file, ink, unsafe

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        first = self.block.faults[0].first
        head = self.ink.paint(words.where(first), "bold")
        if self.block.layers:
            yield f"{head}: {self._verdict()}"
            yield from self._saved()
        else:
            yield f"{head}: {self._kind(first)} {first.name}"
        for shown, faults in self._by_excerpt():
            yield from self._excerpt(shown)
            for fault in faults:
                yield from self._fault(fault)
        for label, text in of_block(self.block):
            yield from self._label(label, text)

    def _verdict(self) -> str:
        colour = SEVERITY[self.block.faults[0].first.severity.value]
        return self.ink.paint(tr(headline(self.block.faults, self.block.layers)), colour, "bold")

    def _kind(self, diagnostic: Diagnostic) -> str:
        kind = f"{diagnostic.severity.value}[{diagnostic.code}]"
        return self.ink.paint(kind, SEVERITY[diagnostic.severity.value], "bold")

    def _fault(self, fault: Fault) -> Iterator[str]:
        """Yield one cause: its code and the reason, what was found and needed, and what to do."""
        first = fault.first
        if not self.block.layers:
            for message in words.messages(fault.group):
                yield from self.ink.wrapped(message, "  ", "  ")
        else:
            kind = f"{first.severity.value}[{first.code}]"
            mark = " [*]" if words.fixed_by(fault.group, self.unsafe) else ""
            texts = words.reasons(fault.group)
            lines = self.ink.wrapped(f"{kind} {first.name}{mark}: {texts[0]}", "  ", "  ")
            yield lines[0].replace(kind, self._kind(first), 1)
            yield from lines[1:]
            for text in texts[1:]:
                yield from self.ink.wrapped(text, "  ", "  ")
        for label, text in of_fault(first, self.unsafe):
            yield from self._label(label, text)

    def _by_excerpt(self) -> Iterator[tuple[list[Diagnostic], list[Fault]]]:
        """Yield the faults with the findings that one excerpt shows: those of one row of source share theirs."""
        rows: dict[object, list[Fault]] = {}
        for fault in self.block.faults:
            place = fault.first.location
            rows.setdefault(place and (place.cell, place.row, place.end_row), []).append(fault)
        for faults in rows.values():
            by_place = {fault.first.location: fault.first for fault in reversed(faults)}
            found = sorted(by_place.values(), key=lambda one: one.location.column if one.location else 0)
            if len(found) == 1 or self._fits(found):
                yield found, faults
                continue
            for one in found:
                yield [one], [fault for fault in faults if fault.first.location == one.location]

    def _fits(self, found: Sequence[Diagnostic]) -> bool:
        """Return whether one line shows all of these findings, without one inside another."""
        assert self.file is not None
        lines = [line for one in found for line in cut(one, self.file, self._room(one)) if line.under]
        ends = [columns(line.before + line.under) for line in lines]
        apart = all(end <= columns(line.before) for end, line in zip(ends, lines[1:], strict=False))
        return apart and len({line.text for line in lines}) == 1

    def _room(self, diagnostic: Diagnostic) -> int:
        """Return how many columns of a source line there is room for."""
        assert diagnostic.location is not None
        return max(20, self.ink.width - len(str(diagnostic.location.end_row)) - 4)

    def _excerpt(self, found: Sequence[Diagnostic]) -> Iterator[str]:
        """Yield the source lines of findings in one row, each of them underlined."""
        first = found[0]
        if self.file is None or first.location is None:
            return
        digits = len(str(first.location.end_row))
        bar = self.ink.paint("|", "blue")
        unders = [next(line for line in cut(one, self.file, self._room(one)) if line.under) for one in found]
        yield f"{' ' * digits} {bar}"
        for line in cut(first, self.file, self._room(first)):
            yield f"{self.ink.paint(f'{line.row:>{digits}}', 'blue')} {bar} {line.text}".rstrip()
            if line.under:
                yield f"{' ' * digits} {bar} {self._carets(unders, found)}"
        yield f"{' ' * digits} {bar}"

    def _carets(self, lines: Sequence[ShownLine], found: Sequence[Diagnostic]) -> str:
        text, at = "", 0
        for line, one in zip(lines, found, strict=True):
            start, width = columns(line.before), columns(line.under)
            text += " " * (start - at) + self.ink.paint("^" * width, SEVERITY[one.severity.value], "bold")
            at = start + width
        return text

    def _saved(self) -> Iterator[str]:
        """Yield what replaces an excerpt for a saved model: the layers, by their path from the root."""
        if self.block.faults[0].first.location is not None:
            return
        bar = self.ink.paint("|", "blue")
        names = [f"{visible(one.layer_path or one.name or '?')}  {one.class_name}" for one in self.block.all_layers]
        more = [f"and {len(names) - MOST_LAYERS} more"] if len(names) > MOST_LAYERS + 1 else []
        shown = names[:MOST_LAYERS] if more else names
        yield from (f"  {bar}", *(f"  {bar} {name}" for name in (*shown, *more)), f"  {bar}")

    def _label(self, label: str, text: str) -> list[str]:
        word = tr(label)
        lines = self.ink.wrapped(visible(text), f"  {word:<{LABEL}}", " " * (LABEL + 2))
        painted = self.ink.paint(word, "bold")
        return [lines[0].replace(word, painted, 1), *lines[1:]]
