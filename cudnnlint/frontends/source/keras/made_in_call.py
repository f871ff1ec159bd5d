"""Layers that a `call` makes: what it sets on its own layer, which Keras 3 has locked by then, and what it makes anew.

Asked of keras 3.0.5, 3.4.1 and 3.15.1, in an eager call, in a graph and in fit(). A layer that holds others which are
not built yet and has no `build` of its own is run once to build them, and takes new ones then: it is left out.
What is put into a list or a dict that is an attribute counts as well, but for two ways that Keras does not look at: an
item that takes the place of another one of a list, and `setdefault` of a dict.

A layer that each call makes anew stops fit() and the like on TensorFlow, in both generations: "tf.function only
supports singleton tf.Variables". Eager calls run, and so do JAX and torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.keras import calls_before, layers, masks, stops
from cudnnlint.frontends.source.keras.keras_state import library_of, state_of
from cudnnlint.frontends.source.keras.sites import Site
from cudnnlint.frontends.source.keras.tensors import tensors_in
from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
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
    join,
    options,
)
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kinds of stops (stops.py, tables/defaults.toml).
KIND = Const("a layer that call() makes and sets on its own layer or model")
ANEW = Const("a layer that each call makes anew")
#: What a `call` asks with that makes a layer once, and how else a program may keep one.
_ASKS = regex(r"\b(?:if|elif|try|or|and|while|match|hasattr|getattr|setdefault)\b")
_KEEPS = regex(r"\b(?:global|nonlocal|globals|setdefault|\w*cache\w*|memo\w*|init_scope)\b")
#: A program that calls the method itself, with tensors of a graph as it may be.
_CALLS = regex(r"(?<!super\(\))\.call\(")
#: What runs a model in a tf.function.
_TRACES = regex(r"\.(?:(?:fit|evaluate|predict)(?:_generator)?|(?:train|test|predict)_on_batch)\(")
_DEEPEST = 4  # lists and dicts in one another


@contextmanager
def watched(
    run: Interpreter, method: Value | None, instance: Value | None, in_graph: Callable[[], bool | None] = lambda: True
) -> Iterator[dict[Site, Value]]:
    """Run the `call` of a layer or model of the user's, or a Lambda's function, and note what stops there.

    The layers that it makes anew are there afterwards, with the kind of the stop. `in_graph` is asked where there may
    be some: whether the call is certainly run in a graph; None where nothing runs it in one.
    """
    made, began, anew = state_of(run).made_inside, run.journal.clock, dict[Site, Value]()
    state_of(run).made_inside = inside = list[Site]()
    locks = isinstance(instance, Instance) and _locks(run, instance)
    yield anew
    state_of(run).made_inside = made
    if not locks and not inside:
        return
    kept = {site for value in _attributes(instance) for site in _made_since(value, began)}
    for site in kept if locks else ():  # in a branch or not: where it is made, it is set
        stop(run, site, KIND)
    if not isinstance(method, Function) or not inside or (graph := in_graph()) is None:
        return
    for site in inside:
        if site not in kept or _at_each_call(method, site):
            anew[site] = ANEW if graph and not _KEEPS.search(method.unit.text) else join([ANEW, UNBOUND])
            stop(run, site, anew[site])


def entered(run: Interpreter, function: Function, receiver: Value | None) -> AbstractContextManager[object]:
    """Run a function that no code here calls: Keras calls the `call` of a layer, unless the program does."""
    owner = receiver if function.name == "call" and receiver is not None and layers.made_of(receiver) else None
    alone = owner is None or _CALLS.search(function.unit.text)
    return watched(run, None if alone else function, owner)


def called(run: Interpreter, method: Value, arguments: Arguments, origin: Origin, owner: Value | None = None) -> Value:
    """Evaluate the call of such a method or function: what comes of the layers that it makes anew stops there, too.

    A program that only calls its layers runs; it stops where Keras traces them, which data that is called on leaves
    open.
    """
    with watched(run, method, owner, partial(_in_graph, run, method, arguments)) as anew:
        result = run.call(method, arguments, origin)
    given = [tensor.source for tensor in tensors_in(result) if tensor.source is not None and anew]
    for source in {before for one in given for before in calls_before.before(one)}:
        layer = layers.made_of(source.layer or NONE)
        if layer is not None and layer.site in anew:
            stops.note(run, source, anew[layer.site])
    return result


def _in_graph(run: Interpreter, method: Value, arguments: Arguments) -> bool | None:
    """Return whether a call is certainly run in a graph; None where nothing that was read calls `fit` or the like."""
    read = [method.unit, *run.modules.units.values()] if isinstance(method, Function) else []
    if not any(unit is not None and _TRACES.search(unit.text) for unit in read):
        return None
    tensors = [one for value in arguments.positional for one in tensors_in(value)]
    return any(stops.of_graph(run, one) for one in tensors) or library_of(run).is_traced(run)


def _attributes(instance: Value | None) -> list[Value]:
    cells = instance.table.items() if isinstance(instance, Instance) else []
    return [value for name, value in cells if isinstance(name, str) and not name.startswith("·")]


def stop(run: Interpreter, site: Site, kind: Value) -> None:
    """Note what stops the program before a layer has run."""
    before = [site.context["stops_before"]] if "stops_before" in site.context else []
    site.context["stops_before"] = stops.together(run, [*before, kind])


def _at_each_call(method: Function, site: Site) -> bool:
    """Return whether a `call` makes a layer itself, without asking whether it is there."""
    own = any(node is site.origin.node for node in index.walk(method.node))
    return own and not _ASKS.search(method.unit.text_of(method.node))


def without_anew(run: Interpreter, kinds: Value) -> Value:
    """Return what stops a program where no tf.function runs."""

    def here(value: Value) -> Value:
        if not isinstance(value, Const):
            return value
        lines = [line for line in str(value.value).split("\n") if line != ANEW.value]
        return Const("\n".join(lines)) if lines else UNBOUND

    return masks.by_epoch(run, lambda _, i: join([here(one) for one in options(masks.in_epoch(kinds, i))]))


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
