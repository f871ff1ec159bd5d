"""What is shown together: one block for a layer with all its faults, and layers that have the same ones once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import LayerReport, Report
from cudnnlint.reporters import words


@dataclass(frozen=True)
class Fault:
    """One finding as a reader counts them: one cause at one place, for one or several targets."""

    group: tuple[Diagnostic, ...]

    @property
    def first(self) -> Diagnostic:
        """The most severe of its diagnostics."""
        return words.worst(self.group)

    @property
    def cause(self) -> Hashable:
        """Equal for two findings that differ only in their place and in the class of their layer."""
        first = self.first
        action = (first.fix.applicability, first.fix.message) if first.fix is not None else first.advice
        targets = tuple((diagnostic.target, diagnostic.verdict, diagnostic.then) for diagnostic in self.group)
        texts = (first.found, first.needed, first.consequence, first.instead)
        return (first.code, first.requirement, first.severity, targets, texts, action, _named_by_found(first))


@dataclass(frozen=True)
class Block:
    """A layer (or several that are written at one place, or share their faults) with its faults.

    `layers` are those that the faults cover; `alike` are blocks of the same file with the same faults.
    """

    faults: tuple[Fault, ...]
    layers: tuple[LayerReport, ...]
    alike: tuple[Block, ...] = ()

    @property
    def path(self) -> str:
        """The file that it is about."""
        return self.faults[0].first.path

    @property
    def weight(self) -> int:
        """How severe its worst fault is."""
        return max(fault.first.severity.weight for fault in self.faults)

    @property
    def every(self) -> tuple[Block, ...]:
        """Itself without the others, and the others."""
        return (Block(self.faults, self.layers), *self.alike)

    @property
    def all_layers(self) -> tuple[LayerReport, ...]:
        """The layers of every block that it stands for, each once."""
        found = {layer.id: layer for block in (self, *self.alike) for layer in block.layers}
        return tuple(found.values())


def blocks(report: Report) -> list[Block]:
    """Return a block for each layer that has findings, in the order of the report."""
    layers = {layer.id: layer for file in report.files for layer in file.layers}
    found: dict[Hashable, list[list[Diagnostic]]] = {}
    for group in words.groups(report):
        ids = [identity for identity in words.layers_of(group) if identity in layers]
        where = frozenset(_place(layers[identity]) for identity in ids) or group[0].location or id(group)
        found.setdefault((group[0].path, where), []).append(group)
    return [_block(groups, layers) for groups in found.values()]


def _block(groups: Sequence[Sequence[Diagnostic]], layers: dict[int, LayerReport]) -> Block:
    ordered = sorted(groups, key=_order)
    ids = dict.fromkeys(identity for group in groups for identity in words.layers_of(group))
    covered = tuple(layers[identity] for identity in ids if identity in layers)
    return Block(tuple(Fault(tuple(group)) for group in ordered), covered)


def _order(group: Sequence[Diagnostic]) -> tuple[int, int, int, int]:
    """Return the most severe first, then in the order of the source."""
    first = words.worst(group)
    place = first.location
    where = (place.cell or 0, place.row, place.column) if place is not None else (0, 0, 0)
    return (-first.severity.weight, *where)


def _place(layer: LayerReport) -> Hashable:
    return layer.place or layer.layer_path


def joined(found: Iterable[Block]) -> list[Block]:
    """Return the blocks, those of one file with the same faults as one: the first, which knows the others."""
    kept: dict[Hashable, list[Block]] = {}
    for block in found:
        key = (block.path, *(fault.cause for fault in block.faults)) if block.layers else id(block)
        kept.setdefault(key, []).append(block)
    return [Block(first.faults, first.layers, tuple(others)) for first, *others in kept.values()]


def _named_by_found(diagnostic: Diagnostic) -> str:
    """Return the reason where `found` does not hold what makes it: that of an error in a file, say."""
    return "" if diagnostic.found else diagnostic.reason or diagnostic.message
