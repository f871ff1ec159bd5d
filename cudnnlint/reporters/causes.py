"""Findings by their cause: all of one code and severity, with the layers, the places and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import LayerReport
from cudnnlint.core.text import plural
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block, Fault


@dataclass
class FoundCause:
    """All findings of one code and severity."""

    faults: list[Fault] = field(default_factory=list)
    layers: dict[int, LayerReport] = field(default_factory=dict)

    @property
    def order(self) -> tuple[int, int, str]:
        """The most severe first, then what concerns most layers."""
        first = self.faults[0].first
        return (-first.severity.weight, -len(self.layers), first.code)

    @property
    def size(self) -> str:
        """How many layers it concerns; findings, where it concerns none."""
        return plural(len(self.layers), "layer") if self.layers else plural(len(self.faults), "finding")

    @property
    def paths(self) -> list[str]:
        """The files that it is found in."""
        return list(dict.fromkeys(fault.first.path for fault in self.faults))

    @property
    def places(self) -> list[str]:
        """The places where it is found, as `where` writes them."""
        return list(dict.fromkeys(words.where(fault.first) for fault in self.faults))

    @property
    def reasons(self) -> Counter[str]:
        """Why: the first reason of each finding, with how many findings give it."""
        return Counter(reason for fault in self.faults for reason in words.reasons(fault.group)[:1])

    @property
    def action(self) -> tuple[str, str] | None:
        """What to do in most cases, behind "fix" or "help"."""
        actions = Counter(action for fault in self.faults if (action := _action(fault)))
        return next((action for action, _ in actions.most_common(1)), None)


def causes(found: Sequence[Block]) -> list[FoundCause]:
    """Return the causes of all findings of some blocks, the most severe first."""
    kept: dict[tuple[str, str], FoundCause] = {}
    for outer in found:
        for block in outer.every:
            layers = {layer.id: layer for layer in block.layers}
            for fault in block.faults:
                first = fault.first
                cause = kept.setdefault((first.code, first.severity.value), FoundCause())
                cause.faults.append(fault)
                ids = words.layers_of(fault.group)
                cause.layers.update((identity, layers[identity]) for identity in ids if identity in layers)
    return sorted(kept.values(), key=lambda cause: cause.order)


def _action(fault: Fault) -> tuple[str, str] | None:
    first = fault.first
    if first.fix is not None:
        return "fix", first.fix.message
    return ("help", first.advice) if first.advice else None
