"""Layers of one name in one model, which Keras refuses to make.

Asked of tf.keras of TensorFlow 2.1 to 2.15, tf_keras 2.21 and Keras 3.0.5 to 3.15.1, which are of one mind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import input_tensors, layer_order, layers, made_in_call
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Site
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import Const, Instance, Listing, Mapping, Tuple, Value
from cudnnlint.keras.naming import snake_case

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml).
KIND = Const("a model with two layers of one name")


def in_sequence(run: Interpreter, items: Iterable[Value]) -> None:
    """Look at the layers that a Sequential is certainly made of."""
    found = [one for one in items if isinstance(one, Instance)]
    _note(run, [(_name_of(run, one), one) for one in found], found)


def in_graph(run: Interpreter, inputs: Value, outputs: Value) -> None:
    """Look at the layers that certainly lead from the inputs of a model to its outputs, and at those inputs.

    A call of a model is one, whatever is called inside of it: the layers there may have what names they like.
    """
    entering = {tensor.source for tensor in input_tensors.every(inputs)}
    named = state_of(run).named
    found: list[tuple[Value | None, Instance | Source]] = []
    for source in _before(outputs, entering, state_of(run).outside):
        if isinstance(source.layer, Instance):
            found.append((_name_of(run, source.layer), source.layer))
        elif source in named and source in entering:
            found.append((named[source], source))
    inner = (source.layer for source in _before(outputs, entering, {}))
    _note(run, found, [one for one in inner if isinstance(one, Instance)])


def _before(outputs: Value, entering: set[Source | None], outside: dict[Source, Source]) -> Iterator[Source]:
    """Yield each call that certainly leads to some tensors; what one of several ways leads to is left out.

    `outside` are the calls around those that were followed.
    """
    waiting, seen = [outputs], set[Source]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, Tuple):
            waiting += one.contents.items
        elif isinstance(one, Listing):
            waiting += containers.contents_of(one).items
        elif isinstance(one, Mapping):
            waiting += [entry for _, entry in one.table.items()]
        elif isinstance(one, Tensor) and one.source is not None:
            call = one.source if one.source in entering else outside.get(one.source, one.source)
            if call is not layer_order.UNCLEAR and call not in seen:
                seen.add(call)
                yield call
                waiting += () if call in entering else (*call.inputs, *(entry for _, entry in call.keywords))


def _name_of(run: Interpreter, layer: Instance) -> Value | None:
    """Return the name of a layer: the one that it is given, or the one that Keras certainly makes for it."""
    made = layers.made_of(layer)
    if made is None or "name" in made.build.arguments or made.build.open is not None or made.build.subclass is not None:
        return None if made is None else made.build.arguments.get("name")
    first = not run.entries and made.site is _first_unnamed(run, made.build.class_name)
    return Const(snake_case(made.build.class_name)) if first and made.site is not None else None


def _first_unnamed(run: Interpreter, class_name: str) -> Site | None:
    """Return where the program makes the first layer of a class without a name: only that one gets no number."""
    every = (site for site in state_of(run).sites.values() if site.builds and site.builds[0].class_name == class_name)
    return next((site for site in every if "name" not in site.builds[0].arguments), None)


def _identity(one: Instance | Source) -> object:
    """Return what tells two layers of one name apart: of those that one line makes without a name, only one has it."""
    made = layers.made_of(one) if isinstance(one, Instance) else None
    if not isinstance(one, Instance) or made is None or "name" in made.build.arguments or made.site is None:
        return id(one.table) if isinstance(one, Instance) else one
    return made.site


def _note(run: Interpreter, found: list[tuple[Value | None, Instance | Source]], inner: list[Instance]) -> None:
    """Note that no layer of a model runs, if two of them have one name; one layer may be in it twice."""
    named: dict[str, set[object]] = {}
    for name, one in found:
        if isinstance(name, Const) and isinstance(name.value, str) and not name.assumed:
            named.setdefault(name.value, set()).add(_identity(one))
    if any(len(several) > 1 for several in named.values()):
        sites = {id(made.site): made.site for one in inner if (made := layers.made_of(one)) is not None and made.site}
        for site in sites.values():
            made_in_call.stop(run, site, KIND)
