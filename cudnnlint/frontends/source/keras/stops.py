"""What leads to a layer and stops the program in some releases: the surrounding "stops_before".

A kind of stop is a text, which the traits "stops-before" and "may-stop-before" of tables/defaults.toml name with the
releases that stop at it. It is noted at the call that stops, and reaches every layer behind that call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, masks, models
from cudnnlint.frontends.source.keras.calls_before import before
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    UNBOUND,
    Const,
    Instance,
    Listing,
    Mapping,
    Tuple,
    Value,
    join,
    may_be_missing,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: How the names begin and end that Keras gives to Inputs without one.
AUTOMATIC = ("input", "keras_tensor", "_input")
SEQUENTIAL = ", in a Sequential"
FIRST = ", the first layer of a Sequential"
NAMELESS = "a dict that lacks the name of a model's input"
FEWER = "a dict of fewer tensors than a model has inputs"
SHORT = "a list of fewer tensors than a model has inputs"
LONG = "a list of more tensors than a model has inputs"
UNSORTED = "a list given to a model whose dict of inputs is not in the order of its keys"
INPUT = "an Input in a Sequential"
SHAPED = "an InputLayer with the argument shape or batch_shape"
IN_TIME = "a TimeDistributed around a "
UNSHAPED = IN_TIME + "layer without compute_output_shape"
STATES = IN_TIME + "layer with return_state=True"
MODEL = IN_TIME + "model"


def note(run: Interpreter, source: Source, *kinds: Value) -> None:
    """Note what stops, or may stop, at the call that gives the tensors of a source."""
    state = state_of(run)
    found = [*([state.stopped[source]] if source in state.stopped else []), *state.stopping, *kinds]
    if found:
        state.stopped[source] = together(run, found)


def together(run: Interpreter, kinds: list[Value]) -> Value:
    """Return several kinds as one: texts with a line for each."""
    if all(isinstance(kind, Const) for kind in kinds):
        return Const("\n".join(_texts(kinds)))
    return kinds[0] if len(kinds) == 1 else masks.by_epoch(run, lambda _, index: _lines(kinds, index))


def _lines(kinds: list[Value], index: int) -> Value:
    """Return the text of all kinds in one mask epoch, or that of those that are certain."""
    found = [masks.in_epoch(kind, index) for kind in kinds]
    every, sure = ([*_texts(found)], [*_texts([one for one in found if len(options(one)) == 1])])
    if not every:
        return UNBOUND
    least = Const("\n".join(sure)) if sure else UNBOUND
    return Const("\n".join(every)) if len(sure) == len(every) else join([least, Const("\n".join(every))])


def _texts(kinds: list[Value]) -> dict[str, None]:
    given = [one for kind in kinds for one in options(kind) if isinstance(one, Const)]
    return dict.fromkeys(line for one in given for line in str(one.value).split("\n"))


@contextmanager
def within(run: Interpreter, kinds: Sequence[Value]) -> Iterator[None]:
    """Run a model whose call stops at these."""
    state = state_of(run)
    outside = state.stopping
    state.stopping = (*outside, *kinds)
    yield
    state.stopping = outside


def leading(run: Interpreter, source: Source) -> dict[str, Value]:
    """Return the surrounding "stops_before" of a call, by what stops there and on the way to it; nothing if nothing."""
    state = state_of(run)
    leads = before(source) if state.stopped else ()
    made = [*_where_made(source.layer or NONE)]
    found = [*made, *state.stopping, *(state.stopped[one] for one in leads if one in state.stopped)]
    return {"stops_before": together(run, found)} if found else {}


def _where_made(layer: Value) -> Iterator[Value]:
    """Yield what stops where a layer, or one in a wrapper, is made."""
    made = layers.made_of(layer)
    if made is not None:
        if made.site is not None and "stops_before" in made.site.context:
            yield made.site.context["stops_before"]
        yield from _where_made(made.build.arguments.get("layer", NONE))


def listed(run: Interpreter, build: Build, given: LayerInputs, first: Value) -> list[Value]:
    """Return the kind of a call that gives a layer of Keras's own one tensor of a graph in a list, tuple or dict."""
    if not given.listed or build.subclass is not None or len(given.inputs) != 1 or not of_graph(run, given.inputs[0]):
        return []
    chained = FIRST if first is state_of(run).entered else ""
    return [Const(f"a {given.listed} of one tensor given to {build.class_name}{chained}")]


def of_graph(run: Interpreter, value: Value) -> bool:
    """Return whether a value is a tensor of the program's graph, or a dict of such tensors."""
    cells = [cell for _, cell in value.table.items()] if isinstance(value, Mapping) else [value]
    sources = [one.source if isinstance(one, Tensor) else None for one in cells]
    symbolic = state_of(run).symbolic
    return bool(sources) and all(one is not None and set() < one.roots <= symbolic for one in sources)


def in_time(run: Interpreter, held: Value, unshaped: bool) -> list[Value]:
    """Return the kinds of a TimeDistributed around one of these layers or models, which a graph is built with."""
    every = options(held)
    kinds = [_in_time(run, one, unshaped) for one in every]
    chained = SEQUENTIAL if state_of(run).chained else ""
    found = [Const(kind + chained) for kind in dict.fromkeys(kind for each in kinds for kind in each)]
    return [one if len(every) == 1 else join([one, UNBOUND]) for one in found]


def _in_time(run: Interpreter, held: Value, unshaped: bool) -> list[str]:
    made = layers.made_of(held)
    if not isinstance(held, Instance):
        return []
    if models.is_model(held):
        return [MODEL, *_of_model(run, held), *(str(kind.value) for kind in beginning(held))]
    if made is not None and made.build.class_name in (*state_of(run).names.recurrent, "Bidirectional"):
        return [STATES] if truth(masks.returns(made.build, "return_state")) is True else []
    return [UNSHAPED] if unshaped else []


def _of_model(run: Interpreter, model: Instance) -> Iterator[str]:
    """Yield what is unusual about the inputs and outputs of a functional model in a TimeDistributed."""
    given, outputs = (model.table.get(cell) for cell in (models.INPUTS, models.OUTPUTS))
    if isinstance(outputs, Mapping):
        yield f"{MODEL} that gives a dict"
    elif isinstance(outputs, (Listing, Tuple)) and (contents := containers.elements(run, outputs)).certain:
        yield f"{MODEL} that gives a list of one" if len(contents.items) == 1 else f"{MODEL} of several outputs"
    if isinstance(given, (Listing, Tuple)) and len(containers.elements(run, given).items) > 1:
        yield f"{MODEL} of several inputs"


def beginning(model: Instance) -> list[Const]:
    """Return the kind of what a Sequential begins with, which some releases do not take."""
    chain = model.table.get(models.LAYERS)
    first = next(iter(containers.contents_of(chain).items), NONE) if isinstance(chain, Listing) else NONE
    if isinstance(first, Tensor) and first.source is not None and first.source.layer is None:
        return [Const(INPUT)]
    made = layers.made_of(first)
    entry = made is not None and made.build.class_name == "InputLayer" and made.build.subclass is None
    shaped = made is not None and entry and not {"shape", "batch_shape"}.isdisjoint(made.build.arguments)
    return [Const(SHAPED)] if shaped else []


def entering(run: Interpreter, model: Instance, inputs: Value) -> list[Value]:
    """Return the kinds of a call of a model that has its own Inputs with a tuple, list or dict of a graph's tensors."""
    if isinstance(inputs, (Listing, Tuple)):
        return [*map(Const, _in_list(run, model, inputs)), *by_place(model, inputs)]
    if not isinstance(inputs, Mapping) or inputs.body is not None or inputs.assumed or not of_graph(run, inputs):
        return []
    names = _names(run, model)
    keys = {key for key, _ in inputs.table.items()}
    if names is None or ANY in keys or not all(isinstance(key, str) for key in keys):
        return []
    lacking = [NAMELESS] if any(_lacks({str(key) for key in keys}, name) for name in names) else []
    fewer = [FEWER] if len(keys) < len(names) else []
    return [Const(kind) for kind in ("a dict given to a model", *lacking, *fewer)]


def _lacks(keys: set[str], name: Value) -> bool:
    """Return whether none of the keys is certainly the name of an Input: Keras makes one up where it has none."""
    if containers.is_nothing(name):
        return not any(key.startswith(AUTOMATIC) or key.endswith(AUTOMATIC) for key in keys)
    return isinstance(name, Const) and not name.assumed and isinstance(name.value, str) and name.value not in keys


def _in_list(run: Interpreter, model: Instance, inputs: Listing | Tuple) -> Iterator[str]:
    """Yield the kinds of a call of a model that has its own Inputs with a list or tuple of tensors of a graph."""
    names, items = _names(run, model), containers.elements(run, inputs)
    plain = items.certain and bool(items.items) and all(of_graph(run, one) for one in items.items)
    if names is None or not plain or inputs.assumed:
        return
    if isinstance(inputs, Tuple) and inputs.at is not None:
        yield "a tuple given to a model"
    if len(items.items) != len(names):
        yield SHORT if len(items.items) < len(names) else LONG


def by_place(model: Instance, inputs: Value) -> list[Value]:
    """Return the kind of a call with a list where a model's dict of inputs certainly has its keys in another order."""
    keys = _keys(model.table.get(models.INPUTS)) or []
    listed = isinstance(inputs, (Listing, Tuple)) and not inputs.assumed
    return [Const(UNSORTED)] if listed and keys != sorted(keys) else []


def _keys(given: Value | None) -> list[str] | None:
    """Return the keys of a model's dict of inputs in their order; None where it has none, or another may be in it."""
    if not isinstance(given, Mapping) or given.body is not None or given.assumed:
        return None
    entries = given.table.items()
    sure = all(isinstance(key, str) and key != ANY and not may_be_missing(one) for key, one in entries)
    return [str(key) for key, _ in entries] if sure else None


def _names(run: Interpreter, model: Instance) -> list[Value] | None:
    """Return what a dict of inputs of a model goes by; None where that is not known.

    It goes by the keys of the model's own dict, or by the names of its Inputs, None for one without.
    """
    state = state_of(run)
    given = model.table.get(models.INPUTS)
    if isinstance(given, Mapping):
        plain = all(isinstance(one, Tensor) for _, one in given.table.items())
        keys = _keys(given) if plain else None
        return None if keys is None else [Const(key) for key in keys]
    chain = model.table.get(models.LAYERS)
    if isinstance(chain, Listing):
        first = next(iter(containers.contents_of(chain).items), NONE)
        made = layers.made_of(first)
        if made is not None and made.build.class_name == "InputLayer" and made.build.open is None:
            return [made.build.arguments.get("name", NONE)]
        given = first
    own = containers.elements(run, given).items if isinstance(given, (Listing, Tuple)) else [given]
    sources = [one.source if isinstance(one, Tensor) else None for one in own]
    return [state.named[one] for one in sources if one in state.named] if set(sources) <= state.named.keys() else None
