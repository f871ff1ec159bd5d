"""A page: one parsed piece of source (a file, or one cell of a notebook) with the place of every node.

Places are those of the front end: rows and columns count from 1, and a node is without the parentheses around it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar

import libcst as cst

from cudnnlint.core.edit import Edit
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.syntax.parsing import parse
from cudnnlint.frontends.source.syntax.spans import spans

_LINE_END = regex(r"\r\n|\r|\n")
Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(eq=False)
class Page:
    """`text` is what libcst parses: as long as what is written, IPython's own lines blanked out in place."""

    path: str
    text: str
    cell: int | None = None

    @cached_property
    def tree(self) -> cst.Module:
        """The parsed text."""
        return parse(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        """The offset at which each row begins."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @cached_property
    def parents(self) -> dict[cst.CSTNode, cst.CSTNode]:
        """Every node's parent."""
        found: dict[cst.CSTNode, cst.CSTNode] = {}
        waiting: list[cst.CSTNode] = [self.tree]
        while waiting:
            node = waiting.pop()
            for child in node.children:
                found[child] = node
                waiting.append(child)
        return found

    @cached_property
    def _by_span(self) -> dict[tuple[int, int], list[cst.CSTNode]]:
        found: dict[tuple[int, int], list[cst.CSTNode]] = {}
        for node in (self.tree, *self.parents):
            if isinstance(node, (cst.BaseExpression, cst.BaseStatement, cst.BaseSmallStatement)):
                found.setdefault(self.span(node), []).append(node)
        return found

    def every(self, kind: type[Node]) -> Iterator[Node]:
        """Yield all nodes of a kind, in the order of the text."""
        if kind not in self._kinds:
            nodes = [node for node in self.parents if isinstance(node, kind)]
            self._kinds[kind] = sorted(nodes, key=self.span)
        return iter(self._kinds[kind])

    @cached_property
    def _kinds(self) -> dict[type[cst.CSTNode], list[Any]]:
        """The nodes of each kind that was asked for."""
        return {}

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Return where a node starts and ends, as offsets into the text."""
        return self._spans(node)

    @cached_property
    def _spans(self) -> Callable[[cst.CSTNode], tuple[int, int]]:
        return spans(self.tree, self.text)

    def source(self, node: cst.CSTNode) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def whole(self, node: cst.CSTNode) -> str:
        """Return the text of a node with the parentheses around it."""
        return self.tree.code_for_node(node)

    def at(self, place: SourcePlace, kind: type[Node]) -> Node | None:
        """Return the outermost node of a kind that is exactly at a place of this page."""
        if (place.path, place.cell) != (self.path, self.cell) or place.end_row > len(self._starts):
            return None
        return next((node for node in self._by_span.get(self._offsets(place), []) if isinstance(node, kind)), None)

    def covers(self, place: SourcePlace, node: cst.CSTNode) -> bool:
        """Return whether a node is within a place of this page."""
        (first, last), (start, end) = self._offsets(place), self.span(node)
        return first <= start and end <= last

    def _offsets(self, place: SourcePlace) -> tuple[int, int]:
        start, end = self._starts[place.row - 1], self._starts[place.end_row - 1]
        return start + place.column - 1, end + place.end_column - 1

    def place(self, start: int, end: int) -> SourcePlace:
        """Return a stretch of the text as a place."""
        return SourcePlace(self.path, *self._position(start), *self._position(end), self.cell)

    def _position(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self._starts, offset)
        return row, offset - self._starts[row - 1] + 1

    def edit(self, start: int, end: int, content: str) -> Edit:
        """Return the edit that puts `content` in the place of a stretch of the text."""
        return Edit(self.place(start, end), content)

    def above(self, node: cst.CSTNode, kind: type[Node]) -> Node | None:
        """Return the nearest node of a kind that encloses a node."""
        at: cst.CSTNode | None = self.parents.get(node)
        while at is not None and not isinstance(at, kind):
            at = self.parents.get(at)
        return at

    def indent(self, offset: int) -> str | None:
        """Return the text in front of an offset on its line, if that is nothing but space."""
        row = bisect_right(self._starts, offset)
        before = self.text[self._starts[row - 1] : offset]
        return None if before.strip() else before

    def ends_line(self, offset: int) -> bool:
        """Return whether nothing but space or a comment follows on the line."""
        rest = _LINE_END.split(self.text[offset:], maxsplit=1)[0].strip()
        return not rest or rest.startswith("#")

    def line_from(self, offset: int) -> str:
        """Return the rest of the line, with its end."""
        row = bisect_right(self._starts, offset)
        return self.text[offset : self._starts[row] if row < len(self._starts) else len(self.text)]

    @property
    def newline(self) -> str:
        """Return how the lines of this text end."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"
