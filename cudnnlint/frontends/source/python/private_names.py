"""Private attributes: `self.__units` in a class `Model` is `self._Model__units`, so that each class has its own.

What is set on an object is kept by that name. What a class body binds keeps the name that it is written with, and is
found in the class whose method asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import attributes, classes, functions
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import Class, Function, Instance, Value, may_be_missing, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def stored(name: str, frame: Frame) -> str:
    """Return the name that an attribute has which a method of a class sets."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    around = frame.scope.around()
    own = "" if around is None else around.name.lstrip("_")
    return f"_{own}{name}" if own else name


def load(run: Interpreter, value: Value, name: str, frame: Frame, origin: Origin) -> Value | None:
    """Return a private attribute as a method of a class sees it; None for any other attribute."""
    full, around = stored(name, frame), frame.scope.around()
    if full == name or around is None:
        return None
    for option in options(value):
        kind = option.kind if isinstance(option, Instance) else option
        of_object = isinstance(option, Instance) and option.table.get(full) is not None
        if of_object or (isinstance(kind, Class) and classes.search(kind, full) is not None):
            return run.attribute(value, full, origin)
    own = around.table.get(name)
    if own is None or may_be_missing(own) or not isinstance(value, (Instance, Class)):
        return None
    if isinstance(value, Class) and isinstance(own, Function) and own.kind != "classmethod":
        return functions.as_method(own, around)
    return attributes.bind(run, (own, around), value, name, origin)
