"""`exec` and `eval`, `globals` and `locals`: what they do with the names of the place that calls them.

A text that is known is followed like the code around it; any other may have changed all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.frontends.source.python import containers, escape
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.plain import LONGEST
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.values import NONE, Const, Mapping, Value
from cudnnlint.frontends.source.syntax import guard
from cudnnlint.frontends.source.syntax.parsing import parse
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

NAMES = frozenset({"builtins.exec", "builtins.eval"})
#: Functions of the scope that they are called in.
OF_SCOPE = frozenset({"builtins.globals", "builtins.locals", "builtins.vars"})


def call(run: Interpreter, name: str, arguments: Arguments, frame: Frame, origin: Origin) -> Value:
    """Run `exec(text)` or `eval(text)`, with the names of the frame or of the dict that is passed."""
    tree, scope = _tree(arguments), _scope(run, arguments, frame, name.endswith("eval"))
    if tree is None or scope is None or run.too_deep(tree):
        escape.from_unknown(run, arguments, origin)
        escape.from_text(run, origin)
        return run.unfollowed("is not evaluated", origin.node, origin.unit)
    unit = ModuleUnit(
        frame.unit.name, frame.unit.path, tree.code, tree, frame.unit.linted, frame.unit.cell, table=scope.table,
        inside=origin,
    )  # fmt: skip
    inner = Frame(unit, scope, containers.new_list(run, ()), owner=frame.owner, receiver=frame.receiver)
    with run.step(Step(origin)):
        if name.endswith("exec"):
            run.execute(tree, inner)
            return NONE
        value = _expression(tree)
        return NONE if value is None else run.evaluate(value, inner)


def _tree(arguments: Arguments) -> cst.Module | None:
    """Return the tree of the text; None where it is not known, or no Python."""
    text = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(text, Const) or not isinstance(text.value, str) or len(text.value) > LONGEST:
        return None
    try:
        guard.check(text.value)
        return parse(text.value.strip() + "\n")
    except UnreadableInput:
        return None


def _scope(run: Interpreter, arguments: Arguments, frame: Frame, evaluates: bool) -> Scope | None:
    """Return the names that the text sees and binds; None where they are not known."""
    if arguments.rest or arguments.open or arguments.keywords:
        return None
    names = next((one for one in arguments.positional[1:2] if not containers.is_nothing(one)), None)
    own = next((one for one in arguments.positional[2:3] if not containers.is_nothing(one)), None)
    if names is not None and not isinstance(names, Mapping):
        return None
    if own is not None:  # what the text binds is bound in these
        outer = frame.scope.module() if names is None else Scope(names.table, None, "module")
        return Scope(own.table, outer, "function") if isinstance(own, Mapping) else None
    if names is not None:
        return Scope(names.table, None, "module")
    if evaluates or frame.scope.kind in ("module", "class"):
        return frame.scope
    return Scope(run.journal.table(), frame.scope, "function")  # what a text binds inside a function is lost


def _expression(tree: cst.Module) -> cst.BaseExpression | None:
    line = tree.body[0] if len(tree.body) == 1 else None
    part = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return part.value if isinstance(part, cst.Expr) else None


def compiled(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return the text that `compile(text, name, mode)` makes code of, for `exec` and `eval`."""
    text = arguments.get(0, "source")
    return text if isinstance(text, Const) and isinstance(text.value, str) else None


def of_scope(run: Interpreter, name: str, frame: Frame) -> Value:
    """Return what `globals()` or `locals()` returns in a frame: a dict of the names."""
    scope = frame.scope.module() if name.endswith("globals") else frame.scope
    if scope.kind == "function":  # a copy: what is set in it changes no variable
        return containers.new_dict(run, ((Const(key), cell) for key, cell in scope.table.items()))
    return Mapping(scope.table)
