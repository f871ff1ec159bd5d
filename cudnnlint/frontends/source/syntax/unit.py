"""A unit of source: one file or one notebook cell, parsed; and the places inside it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import dataclass


@dataclass(eq=False)
class Unit:
    """One parsed piece of source.

    `name` is the dotted module name, `path` as it is reported, `linted` False for a file that is only
    read because a linted one imports it, `cell` the number of a notebook's code cell, `margin` by how many columns
    its text was indented as a whole,
    `inside` the `exec` that runs it.
    """

    name: str
    path: str
    text: str
    tree: cst.Module
    linted: bool = True
    cell: int | None = None
    package: bool = False
    margin: int = 0
    stars: list[str] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    inside: Origin | None = None

    def text_of(self, node: cst.CSTNode) -> str:
        """Return the source of a node of this unit.

        Writing it out is slow, and the same nodes are asked for again, so the texts are kept.
        """
        if id(node) not in self.texts:
            self.texts[id(node)] = self.tree.code_for_node(node)
        return self.texts[id(node)]


@record(frozen=True, eq=False)
class Origin:
    """Where a value is written or a call is made: a node of a unit's tree.

    It becomes a place when the values are lowered.
    """

    unit: Unit
    node: cst.CSTNode

    @property
    def key(self) -> Hashable:
        """Return a key that is equal for the same node."""
        return id(self.node)

    @property
    def outermost(self) -> Origin:
        """Return the node in the file: the `exec` where that runs the text of this one, which has no rows there."""
        return self if self.unit.inside is None else self.unit.inside.outermost

    def __str__(self) -> str:
        return source_text(self.node, self.unit)


def source_text(node: cst.CSTNode, unit: Unit) -> str:
    """Return the source of a node on one line, shortened for a sentence."""
    text = " ".join(unit.text_of(node).split())
    return text if len(text) <= 60 else text[:57] + "..."
