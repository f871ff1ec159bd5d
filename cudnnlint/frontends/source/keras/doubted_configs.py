"""Configurations by which Keras finds no class, or may find none: its own without `module`, and the program's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, overriding
from cudnnlint.frontends.source.keras.sites import Made
from cudnnlint.frontends.source.python.values import ANY, NONE, Const, Library, Mapping, Value, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

MODULE = "Keras 3 finds no class of its own by a configuration without `module`; Keras 2 does"
UNREGISTERED = "Keras finds no class of the program by its name that is not registered, and not in custom_objects"
CLASS = "the config that it is made from may have been changed in a way that is not followed"
#: The kind of stop (stops.py, tables/defaults.toml).
STOP = Const("a configuration without `module`, outside that of a model")


def doubt(run: Interpreter, made: Value, kind: Value, entry: Mapping, by_name: bool) -> None:
    """Note that a layer may be none, which Keras makes of the configuration of a class that it is not told.

    `by_name` says whether every Keras finds its own classes by their names alone there.
    """
    if entry.table.get("module") is not None:
        return
    if isinstance(kind, Library):
        _without_module(run, () if by_name else _with_held(made), entry)
        return
    for own in map(layers.made_of, options(made)):
        if own is not None and overriding.registered(run, own.build) is False:
            own.build.unsure = own.build.unsure or UNREGISTERED


def _without_module(run: Interpreter, every: Iterable[Made], entry: Mapping) -> None:
    """Note on layers of Keras's own that Keras 3 stops at their configuration.

    Asked of keras 3.0.5, 3.8.0 and 3.15.1; in the config of a model they find it. A module may be in what is not seen,
    and what a `try` takes stops nothing.
    """
    for one in every:
        if entry.table.get(ANY) is not None or run.guards or one.site is None:
            one.build.unsure = one.build.unsure or MODULE
        else:
            one.site.context["stops_before"] = STOP


def _with_held(value: Value) -> Iterator[Made]:
    """Yield what Keras made of a layer, and of those in a wrapper."""
    for one in map(layers.made_of, options(value)):
        if one is not None:
            yield one
            for name in ("layer", "backward_layer"):
                yield from _with_held(one.build.arguments.get(name, NONE))


def of_class(found: Iterable[Value]) -> None:
    """Note that it is not sure that these objects are of the classes that an entry names."""
    for made in (layers.made_of(option) for one in found for option in options(one)):
        if made is not None:
            made.build.unsure = made.build.unsure or CLASS
