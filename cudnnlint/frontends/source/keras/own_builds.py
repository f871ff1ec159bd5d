"""What stops Keras where it calls a recurrent layer, by what the program made of it: its `build`, or another cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.keras import class_settings, mutations
from cudnnlint.frontends.source.keras.sites import MADE, Made
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.values import NONE, Class, Const, Function, Instance, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kinds of stops (tables/defaults.toml).
UNNAMED = "a build() of *args or **kwargs alone, which calls that of Keras"
CELL = "another cell of Keras set on a layer that is built"
BUILT_CELL = "a cell that is built set on a layer that is built"
STATEFUL = "stateful set on a layer that is built"
#: The cells of a layer that say which cell it was last called or built with, and whether it was stateful then.
_BUILT_WITH = "·built with"
_STATEFUL = "·built stateful"


def built(run: Interpreter, layer: Value) -> None:
    """Remember with what a layer is built."""
    if isinstance(layer, Instance) and layer.table.get(_BUILT_WITH) is None:
        run.journal.write(layer.table, _BUILT_WITH, layer.table.get("cell") or NONE)
        run.journal.write(layer.table, _STATEFUL, layer.table.get("stateful") or NONE)


def stops_at(run: Interpreter, instance: Instance) -> list[str]:
    """Return the kinds of what stops a call of a recurrent layer, and remember its cell for the next one."""
    cell, before = instance.table.get("cell") or NONE, instance.table.get(_BUILT_WITH)
    later = [STATEFUL] if _made_stateful(instance) else []
    built(run, instance)
    run.journal.write(instance.table, _BUILT_WITH, cell)
    replaced = before is not None and cell is not before and mutations.replacement(instance.table) is not None
    other = [CELL if _is_new(cell) else BUILT_CELL] if replaced else []
    return [*other, *later, *_of_class(instance), *([UNNAMED] if _takes_no_shape(instance) else [])]


def _of_class(instance: Instance) -> Iterator[str]:
    made = instance.table.get(MADE)
    if isinstance(instance.kind, Class) and isinstance(made, Made):
        yield from class_settings.stops_of(instance.kind, made.build)


def _made_stateful(instance: Instance) -> bool:
    """Return whether a layer that is built without states is certainly told to keep them."""
    now, then, made = instance.table.get("stateful"), instance.table.get(_STATEFUL), instance.table.get(MADE)
    if then is None or now is then or not isinstance(made, Made) or made.build.open is not None:
        return False
    given = made.build.arguments.get("stateful", Const(False))
    return isinstance(now, Const) and now.value is True and isinstance(given, Const) and not given.value


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
