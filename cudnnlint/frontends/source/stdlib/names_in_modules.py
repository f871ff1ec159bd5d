"""Names in modules of libraries that are looked up as in a dict: `vars(layers).get("LSTM")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import builtins
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Library, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: How the function ends that looks up a name, and what stands for one that is missing.
_LOOK_UPS = {".__dict__.get": [NONE], ".__dict__.__getitem__": [], ".__getattribute__": []}


def found(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what a name means that a program looks up in a module; None for any other function."""
    ending = next((ending for ending in _LOOK_UPS if callee.name.endswith(ending)), None)
    if ending is None or not arguments.positional or arguments.rest:
        return None
    module = Library(callee.name.removesuffix(ending))
    name, *otherwise = arguments.positional
    return builtins.call(run, "getattr", Arguments([module, name, *(otherwise or _LOOK_UPS[ending])]), origin)
