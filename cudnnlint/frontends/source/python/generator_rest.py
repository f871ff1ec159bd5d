"""What is left of a generator, where no single item can be told: its body is run to its end at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import (
    assignments,
    comprehensions,
    containers,
    contexts,
    generators,
    iterators,
    loops,
    statements,
    trying,
)
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import Contents
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.branches import Arm
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def to_the_end(run: Interpreter, body: generators.Body) -> Contents:
    """Run what is left of a body as a whole, and return what it yields."""
    frame = replace(body.frame, yielded=containers.new_list(run, ()), loops=[], returned=[])
    frame.exit = run.journal.open()
    if _blocks(run, body.blocks, frame):
        run.journal.leave(frame.exit)
    run.journal.close(frame.exit, "it depends on which branch a generator takes")
    found = containers.contents_of(frame.yielded)
    begun = len(body.blocks) > 1
    return containers.unordered(found) if begun and found.items else found


def _blocks(run: Interpreter, blocks: Sequence[generators.Block], frame: Frame) -> bool:
    """Run what is left of blocks, each inside those before it; return False if no path gets to their end."""
    if not blocks:
        return True
    block, inner = blocks[0], partial(_blocks, run, blocks[1:], frame)
    if isinstance(block, generators.Entered):
        return contexts.left(run, block.leave, inner)
    if isinstance(block, generators.Trying):
        if block.part == "final":
            return inner() and block.then is None
        return trying.resumed(run, block.node, frame, inner, block.part == "body")
    if isinstance(block, generators.Suite) and block.loop is not None:
        return _round(run, block, inner, frame)
    return inner() and _finished(run, block, frame)


def _finished(run: Interpreter, block: generators.Suite | generators.Loop | generators.Handing, frame: Frame) -> bool:
    """Run what is left of one block; return False if no path gets to its end."""
    if isinstance(block, generators.Handing):
        run.here = Origin(frame.unit, block.node)
        left = iterators.drained(run, block.iterator)
        comprehensions.hand_out(run, frame, left.items, left.rest)
        if block.target is not None:
            assignments.assign(run, block.target, generators.returned(block.iterator), frame)
        return True
    if isinstance(block, generators.Suite):
        return statements.run_all(run, list(block.nodes[block.place :]), frame)
    if isinstance(block.node, cst.While):
        return loops.repeat(run, block.node, frame)
    assert block.iterator is not None
    return loops.each_of(run, block.node, block.iterator, frame)


def _round(run: Interpreter, block: generators.Suite, inner: Arm, frame: Frame) -> bool:
    """Run what is left of one round of a loop."""
    done, turn = run.journal.open(), run.journal.open()
    frame.loops.append((done, turn))
    if inner() and _finished(run, block, frame):
        run.journal.leave(turn)
    frame.loops.pop()
    if run.journal.close(turn):
        run.journal.leave(done)
    return run.journal.close(done)
