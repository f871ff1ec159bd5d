"""What a file constructs beyond the point to which it is followed: listed by its name, and nothing else is known.

The class that a call names is looked up among the names of its module, as they are where following ended, and those
that the piece of code imports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import containers, statements
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.budget import NOT_FOLLOWED, OutOfBudget
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.values import Library
from cudnnlint.frontends.source.syntax.index import children
from cudnnlint.frontends.source.syntax.prefilter import NAMES
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Steps that a name or an import may take: `keras.layers.LSTM` takes three.
_STEPS = 16


def list_constructors(run: Interpreter, unfinished: Iterable[tuple[Unit, cst.CSTNode]]) -> None:
    """Construct each recurrent layer that is named in pieces of code which were not followed to their end."""
    for unit, piece in unfinished:
        if not isinstance(unit, ModuleUnit):
            continue  # a text that the program itself runs
        scope = Scope(run.journal.table(), Scope(unit.table, None, "module"), "function")
        frame = Frame(unit, scope, containers.new_list(run, ()))
        for node in _unreached(run, piece):
            if not run.budget.lend(_STEPS):
                return
            try:
                _one(run, node, frame)
            except OutOfBudget:
                continue


def _one(run: Interpreter, node: cst.Call | cst.Import | cst.ImportFrom, frame: Frame) -> None:
    """Run an import, or construct the layer that a call names."""
    if not isinstance(node, cst.Call):
        statements.run_all(run, [node], frame)
        return
    run.reached.add(id(node))
    named = run.evaluate(node.func, frame)
    if isinstance(named, Library) and NAMES.search(named.name):
        run.call(named, Arguments(rest=NOT_FOLLOWED, open=NOT_FOLLOWED), Origin(frame.unit, node))


def _unreached(run: Interpreter, piece: cst.CSTNode) -> Iterator[cst.Call | cst.Import | cst.ImportFrom]:
    """Yield imports, and the calls by the name of a recurrent layer that were not reached.

    Those in functions that ran are left out: they are in branches that are not taken.
    """
    stack = [piece]
    while stack:
        node = stack.pop()
        called = isinstance(node, cst.Call) and id(node) not in run.reached and NAMES.search(_last_name(node.func))
        if called or isinstance(node, (cst.Import, cst.ImportFrom)):
            assert isinstance(node, (cst.Call, cst.Import, cst.ImportFrom))
            yield node
        stack += [child for child in reversed(children(node)) if id(child) not in run.called]


def _last_name(node: cst.BaseExpression) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""
