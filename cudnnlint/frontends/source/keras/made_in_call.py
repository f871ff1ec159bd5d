"""Layers that a `call` makes and sets on its own layer: Keras 3 has locked that by then, and stops.

Asked of keras 3.0.5, 3.4.1 and 3.15.1, in an eager call, in a graph and in fit(). A layer that holds others which are
not built yet and has no `build` of its own is run once to build them, and takes new ones then: it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers
from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Value,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.sites import Site
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml).
KIND = Const("a layer that call() makes and sets on its own layer or model")


@contextmanager
def watched(run: Interpreter, instance: Value | None) -> Iterator[None]:
    """Run the `call` of a layer or model of the user's, and note what stops there."""
    began = run.journal.clock
    locks = isinstance(instance, Instance) and _locks(run, instance)
    yield
    if not locks or not isinstance(instance, Instance):
        return
    for name, value in instance.table.items():
        if isinstance(name, str) and not name.startswith("·"):
            for site in _made_since(value, began):  # in a branch or not: where it is made, it is set
                site.context["stops_before"] = KIND


def _locks(run: Interpreter, instance: Instance) -> bool:
    """Return whether Keras 3 lets nothing be set on an object once its call runs."""
    if not isinstance(instance.kind, Class) or layers.made_of(instance) is None:
        return False
    if "__setattr__" in instance.kind.unit.text:
        return False
    build = classes.search(instance.kind, "build")
    if build is not None and isinstance(build[0], Function):
        return True
    held = [one for name, value in instance.table.items() if not str(name).startswith("·") for one in options(value)]
    return all(isinstance(one, (Const, Function, Library, Class)) or one is UNBOUND or _is_empty(one) for one in held)


def _is_empty(value: Value) -> bool:
    contents = containers.contents_of(value) if isinstance(value, Listing) else None
    return contents is not None and not contents.items and contents.rest is None


def _made_since(value: Value, began: int) -> Iterator[Site]:
    """Yield the sites of the recurrent layers in a value that are younger."""
    for one in options(value):
        held = containers.contents_of(one).items if isinstance(one, Listing) else (one,)
        for layer in held:
            made = layers.made_of(layer)
            if made is not None and made.site is not None and isinstance(layer, Instance) and layer.table.born > began:
                yield made.site
