"""Layers of one name in one model, which Keras refuses to make (asked of keras 3.0.5, 3.15.1 and tf_keras 2.21.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, made_in_call
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import Const, Instance, Listing, Tuple, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml).
KIND = Const("a model with two layers of one name")


def in_sequence(run: Interpreter, items: Iterable[Value]) -> None:
    """Look at the layers that a Sequential is certainly made of."""
    _note(run, [one for one in items if isinstance(one, Instance)])


def in_graph(run: Interpreter, outputs: Value) -> None:
    """Look at the layers that certainly lead to the outputs of a model.

    The layers inside another model are called in the place of that model, and may have what names they like.
    """
    if not state_of(run).models:
        _note(run, [one.layer for one in _before(outputs) if isinstance(one.layer, Instance)])


def _before(outputs: Value) -> Iterator[Source]:
    """Yield each call that certainly leads to some tensors; what one of several ways leads to is left out."""
    waiting, seen = [outputs], set[Source]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, Tuple):
            waiting += one.contents.items
        elif isinstance(one, Listing):
            waiting += containers.contents_of(one).items
        elif isinstance(one, Tensor) and one.source is not None and one.source not in seen:
            seen.add(one.source)
            yield one.source
            waiting += one.source.inputs


def _note(run: Interpreter, found: list[Instance]) -> None:
    """Note that no layer of a model runs, if two that are written in two places have one name."""
    named: dict[str, dict[int, Instance]] = {}
    for layer in found:
        made = layers.made_of(layer)
        name = made.build.arguments.get("name") if made is not None else None
        if isinstance(name, Const) and isinstance(name.value, str) and not name.assumed and layer.at is not None:
            named.setdefault(name.value, {})[id(layer.at.node)] = layer
    if any(len(places) > 1 for places in named.values()):
        sites = {id(made.site): made.site for one in found if (made := layers.made_of(one)) is not None and made.site}
        for site in sites.values():
            made_in_call.stop(run, site, KIND)
