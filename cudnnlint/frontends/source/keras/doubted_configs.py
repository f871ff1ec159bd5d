"""Classes that Keras may not find by the name in a configuration: the layer that is made of it is doubted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, overriding
from cudnnlint.frontends.source.python.values import Library, Mapping, Value, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

MODULE = "Keras 3 finds no class of its own by a configuration without `module`; Keras 2 does"
UNREGISTERED = "Keras finds no class of the program by its name that is not registered, and not in custom_objects"


def doubt(run: Interpreter, made: Value, kind: Value, entry: Mapping, root: str, is_custom: bool) -> None:
    """Note that a layer may be none, which `root`.deserialize makes of a configuration; `is_custom`: it is told where.

    Asked of keras 3.0.5, 3.4.1, 3.8.0 and 3.15.1.
    """
    if is_custom or entry.table.get("module") is not None:
        return
    for one in map(layers.made_of, options(made)):
        if one is None:
            continue
        if isinstance(kind, Library) and root.partition(".")[0] != "tf_keras":
            one.build.unsure = one.build.unsure or MODULE
        elif not isinstance(kind, Library) and overriding.registered(run, one.build) is False:
            one.build.unsure = one.build.unsure or UNREGISTERED
