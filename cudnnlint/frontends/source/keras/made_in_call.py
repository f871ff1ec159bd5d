"""Layers that a `call` makes and sets on its own layer: Keras 3 has locked that by then, and stops.

Asked of keras 3.0.5, 3.4.1 and 3.15.1, in an eager call, in a graph and in fit(). A layer that holds others which are
not built yet and has no `build` of its own is run once to build them, and takes new ones then: it is left out.
What is put into a list or a dict that is an attribute counts as well, but for two ways that Keras does not look at: an
item that takes the place of another one of a list, and `setdefault` of a dict.
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
    Either,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Value,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.sites import Site
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml).
KIND = Const("a layer that call() makes and sets on its own layer or model")
_DEEPEST = 4  # lists and dicts in one another


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
    if "__setattr__" in instance.kind.unit.text or ".setdefault(" in instance.kind.unit.text:
        return False
    build = classes.search(instance.kind, "build")
    if build is not None and isinstance(build[0], Function):
        return True
    return all(_is_plain(value) for name, value in instance.table.items() if not str(name).startswith("·"))


def _is_plain(value: Value, deep: int = 0) -> bool:
    """Return whether a value is no layer, and holds none; a list that holds anything may get new items in its place."""
    if isinstance(value, Either):
        return all(_is_plain(one, deep) for one in value.options)
    if isinstance(value, (Listing, Tuple)):
        contents = value.contents if isinstance(value, Tuple) else containers.contents_of(value)
        return not contents.items and contents.rest is None
    if isinstance(value, Mapping):
        inner = [one for _, one in value.table.items()]
        return value.body is None and deep < _DEEPEST and all(_is_plain(one, deep + 1) for one in inner)
    return isinstance(value, (Const, Function, Library, Class)) or value is UNBOUND


def _made_since(value: Value, began: int, deep: int = 0) -> Iterator[Site]:
    """Yield the sites of the recurrent layers in a value that are younger."""
    for one in options(value):
        made = layers.made_of(one)
        if made is not None and made.site is not None and isinstance(one, Instance) and one.table.born > began:
            yield made.site
        for inner in _held(one) if deep < _DEEPEST else ():
            yield from _made_since(inner, began, deep + 1)


def _held(value: Value) -> Iterator[Value]:
    """Yield what a list, tuple or dict holds."""
    if isinstance(value, Listing):
        yield from containers.contents_of(value).items
    elif isinstance(value, Tuple):
        yield from value.contents.items
    elif isinstance(value, Mapping) and value.body is None:
        yield from (one for _, one in value.table.items())
