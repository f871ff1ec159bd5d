"""Spans: where nodes are in the text, by one code-generation pass over the tree."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache
from itertools import accumulate

import libcst as cst
from libcst._nodes.internal import CodegenState

Spans = dict[int, tuple[int, int]]  # of tokens


class Recorder(CodegenState):
    """A recorder of the tokens at which each node starts and ends, as libcst's PositionProvider counts.

    That is without the parentheses around an expression, and without the blank lines and comments behind a suite.
    """

    def __init__(self, tree: cst.Module) -> None:
        super().__init__(tree.default_indent, tree.default_newline)
        self.starts: list[int] = []
        self.spans: Spans = {}

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.starts.append(len(self.tokens))

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.starts.pop()
        if id(node) not in self.spans:
            self.spans[id(node)] = start, len(self.tokens)

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return _Position(self, node, start_node, end_node)


class _Position:
    """The code generation of what belongs to one node itself."""

    __slots__ = ("end_node", "node", "recorder", "start", "start_node")

    def __init__(
        self, recorder: Recorder, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self.recorder, self.node, self.start_node, self.end_node = recorder, node, start_node, end_node

    def __enter__(self) -> None:
        self.start = len(self.recorder.tokens)

    def __exit__(self, *error: object) -> None:
        spans = self.recorder.spans
        start = self.start if self.start_node is None else spans[id(self.start_node)][0]
        end = len(self.recorder.tokens) if self.end_node is None else spans[id(self.end_node)][1]
        spans[id(self.node)] = start, end


@lru_cache(maxsize=4)
def spans(tree: cst.Module, text: str) -> Callable[[cst.CSTNode], tuple[int, int]]:
    """Return a function that says where a node of the tree of a text starts and ends, as offsets into the text."""
    recorder = Recorder(tree)
    tree._codegen(recorder)
    offsets = [0, *accumulate(map(len, recorder.tokens))]
    offsets.append(offsets[-1])  # where the text does not end in a line end, the last token is taken back
    if offsets[-1] != len(text):
        return _spread(recorder, offsets, *_lost("".join(recorder.tokens), text))

    def of(node: cst.CSTNode) -> tuple[int, int]:
        start, end = recorder.spans[id(node)]
        return offsets[start], offsets[end]

    return of


def _spread(
    recorder: Recorder, offsets: list[int], points: list[int], lost: list[int]
) -> Callable[[cst.CSTNode], tuple[int, int]]:
    """Return what `spans` returns, for a text of which the tree does not hold every character."""

    def of(node: cst.CSTNode) -> tuple[int, int]:
        start, end = (offsets[token] for token in recorder.spans[id(node)])
        return start + lost[bisect_right(points, start)], end + lost[bisect_left(points, end)]

    return of


def _lost(code: str, text: str) -> tuple[list[int], list[int]]:
    """Return where in the code of a tree characters of its text are missing, and how many are up to each point.

    libcst drops form feeds and continued empty lines before a statement.
    """
    points: list[int] = []
    lost = [0]
    at = 0
    for index, char in enumerate(code):
        before = at
        while at < len(text) and text[at] != char:
            at += 1
        if at != before:
            points.append(index)
            lost.append(lost[-1] + at - before)
        at += 1
    return points, lost
