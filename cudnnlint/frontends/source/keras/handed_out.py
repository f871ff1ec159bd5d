"""Models that a function hands to its callers: these may feed them with data of other padding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import models, padding
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import fresh
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    Const,
    Function,
    Instance,
    Listing,
    Mapping,
    Tuple,
    Value,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of a model that says that it was given a batch of which the padding is known.
PADDED = "·padded"
#: How deep models are looked for in lists, dicts and attributes.
MOST_DEEP = 3


def fed(run: Interpreter, model: Instance, data: Value) -> None:
    """Record that a model, or a layer of the user's, is run on data whose padding may be known."""
    state_of(run).handed.pop(model.table, None)
    if padding.known_in(data):
        run.journal.write(model.table, PADDED, Const(True))
        state_of(run).fed.add(model.table)


def returned(run: Interpreter, function: Function, held: Iterable[Value]) -> None:
    """Note the models that a call returns and that ran on data of known padding, until they are run again."""
    state = state_of(run)
    for model in (one for value in held for one in _models(value)) if state.fed else ():
        if model.table in state.fed:
            state.handed[model.table] = function, model


def finish(run: Interpreter) -> None:
    """Hand out the models that were returned and not run since: other programs may call the function."""
    for function, model in list(state_of(run).handed.values()):
        hand_out(run, function, [model])


def hand_out(run: Interpreter, function: Function, held: Iterable[Value]) -> None:
    """Run the models in these values on data of any padding, if the program itself ran them on a known one alone."""
    for model in {id(one.table): one for value in held for one in _models(value)}.values():
        if model.table.get(PADDED) is None:
            continue
        if models.is_functional(model):
            state_of(run).unpadded.update(models.inputs_of(run, model))
            state_of(run).alone.update(models.inputs_of(run, model))
        else:
            run.call(model, Arguments([fresh()]), Origin(function.unit, function.node))


def _models(value: Value, depth: int = MOST_DEEP) -> Iterator[Instance]:
    """Yield the objects in a value, in its lists and in its attributes, as deep as is looked."""
    for option in options(present(value)) if depth else ():
        held: Iterable[Value] = ()
        if isinstance(option, Instance):
            yield option
            held = [attribute for name, attribute in option.table.items() if not str(name).startswith("·")]
        elif isinstance(option, (Listing, Tuple)):
            held = (option.contents if isinstance(option, Tuple) else containers.contents_of(option)).items
        elif isinstance(option, Mapping) and option.body is None:
            held = [entry for _, entry in option.table.items()]
        for entry in held:
            yield from _models(entry, depth - 1)
