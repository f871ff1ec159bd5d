"""Places: the rows and columns of a unit's nodes.

libcst counts positions by writing out the whole module. One statement is written out in no time: where its code is in
the text only once, that is where its nodes are. One that is there twice is written out with its neighbours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.syntax import spans
from cudnnlint.frontends.source.syntax.index import children
from cudnnlint.frontends.source.syntax.unit import Unit

_NEWLINE = regex(r"\r\n?|\n")
#: What libcst leaves out of a tree: form feeds and continued empty lines. A statement's code is then not its text.
_LEFT_OUT = regex(r"\f|^[ \t]*\\\r?$", re.MULTILINE)
#: How many statements before and behind one are written out with it, until their code is in the text only once.
_NEIGHBOURS = (0, 1, 2, 4, 8, 16)


@record(frozen=True, eq=False)
class Statement:
    """A statement of a suite, with its place there, the indents before its lines and the statement that it is in."""

    suite: Sequence[cst.CSTNode]
    at: int
    indents: tuple[str, ...]
    around: Statement | None


class Places:
    """Where the nodes of one unit are."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.rows = [0, *(match.end() for match in _NEWLINE.finditer(unit.text))]
        self.whole = _LEFT_OUT.search(unit.text) is not None
        self.written: dict[int, tuple[spans.Spans, list[int]] | None] = {}

    def of(self, node: cst.CSTNode) -> SourcePlace:
        """Return the place of a node of the unit's tree."""
        start, end = self._span(node)
        return SourcePlace(self.unit.path, *self._position(start), *self._position(end), self.unit.cell)

    def _position(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self.rows, offset)
        return row, offset - self.rows[row - 1] + 1 + self.unit.margin

    def _span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Return where a node starts and ends, as offsets into the text."""
        statement = None if self.whole else _statements(self.unit.tree).get(id(node))
        while statement is not None:
            key = id(statement.suite[statement.at])
            if key not in self.written:
                self.written[key] = self._located(statement)
            found = self.written[key]
            if found is not None:
                (start, end), offsets = found[0][id(node)], found[1]
                return offsets[start], offsets[end]
            statement = statement.around
        return spans.spans(self.unit.tree, self.unit.text)(node)

    def _located(self, statement: Statement) -> tuple[spans.Spans, list[int]] | None:
        """Return the nodes of a statement by their tokens, and the offset of each token; None if no code is unique."""
        for reach in _NEIGHBOURS:
            recorder = spans.Recorder(self.unit.tree)
            recorder.indent_tokens += statement.indents
            for one in statement.suite[max(0, statement.at - reach) : statement.at + reach + 1]:
                one._codegen(recorder)
            text, code = self.unit.text, "".join(recorder.tokens)
            start = text.find(code)
            if start >= 0 and text.find(code, start + 1) < 0:
                return recorder.spans, [*accumulate(map(len, recorder.tokens), initial=start)]
            if start < 0 or reach >= len(statement.suite):
                return None
        return None


@lru_cache(maxsize=4)
def _statements(tree: cst.Module) -> dict[int, Statement]:
    """Return the innermost statement around each node of a tree, by the node's identity."""
    found: dict[int, Statement] = {}
    stack: list[tuple[cst.CSTNode, Statement | None, tuple[str, ...]]] = [(tree, None, ())]
    while stack:
        node, around, indents = stack.pop()
        if around is not None:
            found[id(node)] = around
        suite = _body(node)
        if suite is None:
            stack += [(child, around, indents) for child in children(node)]
            continue
        own = getattr(node, "indent", None)
        inner = indents if node is tree else (*indents, tree.default_indent if own is None else own)
        stack += [(child, Statement(suite, at, inner, around), inner) for at, child in enumerate(suite)]
    return found


def _body(node: cst.CSTNode) -> Sequence[cst.CSTNode] | None:
    """Return the statements of a module or an indented block; None for any other node."""
    return node.body if type(node) in (cst.Module, cst.IndentedBlock) else None  # type: ignore[attr-defined]
