"""The names that `dir` lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, containers, object_cells
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Class,
    Const,
    Instance,
    Library,
    Value,
    join,
    may_be_missing,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def of(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return `dir(object)` of an object or class of the program whose names are all known, in their order."""
    owner = arguments.positional[0] if len(arguments.positional) == 1 else None
    kind = owner if isinstance(owner, Class) else owner.kind if isinstance(owner, Instance) else None
    if not isinstance(owner, (Class, Instance)) or not isinstance(kind, Class) or kind.meta is not None:
        return None
    lineage = [entry for entry in classes.lineage(kind) if not _is_object(entry)]
    cells = [cell for entry in lineage if isinstance(entry, Class) for cell in entry.table.items()]
    cells += object_cells.of(owner).items() if isinstance(owner, Instance) else []
    open_ = isinstance(owner, Instance) and object_cells.unnamed(owner) is not None
    own = classes.search(kind, "__dir__") is not None
    followed = all(isinstance(entry, Class) for entry in lineage)
    if own or open_ or not followed or any(may_be_missing(one) for _, one in cells):
        return None
    names = {name for name, _ in cells if isinstance(name, str) and name.isidentifier()} | {*dir(object), *_BY_PYTHON}
    return containers.new_list(run, [_listed(name) for name in sorted(names)])


#: Names that Python itself may put into a class; which they are depends on its release.
_BY_PYTHON = ("__annotations__", "__dict__", "__module__", "__static_attributes__", "__weakref__")


def _listed(name: str) -> Value:
    return join([Const(name), UNBOUND]) if name.startswith("__") else Const(name)


def _is_object(entry: Value) -> bool:
    return isinstance(entry, Library) and entry.name == "builtins.object"
