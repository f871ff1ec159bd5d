"""What stops Keras where it calls a recurrent layer, by what the program made of it: its `build`, or another cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.keras import mutations
from cudnnlint.frontends.source.keras.sites import MADE
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.values import NONE, Class, Function, Instance, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kinds of stops (tables/defaults.toml).
UNNAMED = "a build() of *args or **kwargs alone, which calls that of Keras"
CELL = "another cell of Keras set on a layer that is built"
#: The cell of a layer that says which cell it was last called with.
_CALLED_WITH = "·called with"


def stops_at(run: Interpreter, instance: Instance) -> list[str]:
    """Return the kinds of what stops a call of a recurrent layer, and remember its cell for the next one."""
    cell, before = instance.table.get("cell") or NONE, instance.table.get(_CALLED_WITH)
    run.journal.write(instance.table, _CALLED_WITH, cell)
    replaced = before is not None and cell is not before and mutations.replacement(instance.table) is not None
    return [*([CELL] if replaced and _is_new(cell) else []), *([UNNAMED] if _takes_no_shape(instance) else [])]


def _is_new(cell: Value) -> bool:
    """Return whether a cell has no weights: nothing called or built it."""
    return isinstance(cell, Instance) and {str(name) for name, _ in cell.table.items()} <= {MADE}


def _takes_no_shape(instance: Instance) -> bool:
    """Return whether the class of a layer has a `build` that gives Keras's own what it takes, and names nothing of it.

    Keras 3 passes the shapes that `build` has a name for.
    """
    found = classes.search(instance.kind, "build") if isinstance(instance.kind, Class) else None
    if found is None or not isinstance(found[0], Function):
        return False
    params = found[0].node.params
    stars = isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None
    if not stars or len(params.params) > 1 or params.kwonly_params or params.posonly_params:
        return False
    return any(all(argument.star for argument in call.args) for call in _of_super(found[0].node))


def _of_super(node: cst.FunctionDef | cst.Lambda) -> Iterator[cst.Call]:
    """Yield the calls `super().build(...)` that a function makes as statements of their own, in no block."""
    lines = node.body.body if isinstance(node, cst.FunctionDef) else ()
    for line in lines:
        for part in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            value = part.value if isinstance(part, (cst.Expr, cst.Return)) else None
            if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
                owner = value.func.value
                name = owner.func if isinstance(owner, cst.Call) else None
                if value.func.attr.value == "build" and isinstance(name, cst.Name) and name.value == "super":
                    yield value
