"""Places: where the reported nodes are in the text, by one code-generation pass over the tree."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import libcst as cst
from libcst._nodes.internal import CodegenState

from cudnnlint.core.place import SourcePlace
from cudnnlint.frontends.source.syntax.unit import Unit

_NEWLINE = re.compile(r"\r\n?|\n")


class _Recorder(CodegenState):
    """A recorder of the tokens at which the wanted nodes start and end (without the parentheses around them)."""

    def __init__(self, tree: cst.Module, wanted: set[int]) -> None:
        super().__init__(tree.default_indent, tree.default_newline)
        self.wanted = wanted
        self.spans: dict[int, tuple[int, int]] = {}

    @contextmanager
    def record_syntactic_position(
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> Iterator[None]:
        start = len(self.tokens)
        yield
        if id(node) in self.wanted:
            self.spans[id(node)] = start, len(self.tokens)


def places(unit: Unit, nodes: list[cst.CSTNode]) -> Mapping[int, SourcePlace]:
    """Return the places of these nodes of a unit, by id."""
    if not nodes:
        return {}
    recorder = _Recorder(unit.tree, {id(node) for node in nodes})
    unit.tree._codegen(recorder)
    offsets = [0]
    for token in recorder.tokens:
        offsets.append(offsets[-1] + len(token))
    text = "".join(recorder.tokens)
    rows = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    def position(offset: int) -> tuple[int, int]:
        row = bisect_right(rows, offset)
        return row, offset - rows[row - 1] + 1 + unit.margin

    return {
        node: SourcePlace(unit.path, *position(offsets[start]), *position(offsets[end]), unit.cell)
        for node, (start, end) in recorder.spans.items()
    }
