"""Methods that nothing calls and that each fill one Sequential: they are alternatives, and not one after the other.

A class makes a Sequential, and each of its methods adds a whole model to it, `LSTM(8, input_shape=(5, 3))` first. Where
the program calls one of them at most, what another added is not in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, models, unique_names
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import MADE
from cudnnlint.frontends.source.python import comprehensions, containers
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Instance, Listing, Value, options, present, words

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of a model that says which function that nothing calls added to it last; 0 for what the program itself runs.
ADDED_BY = "·added by"
#: The arguments by which the first layer of a Sequential says what it is given.
BEGINNING = words("input_shape batch_input_shape")


def add(run: Interpreter, model: Instance, chain: Listing, layer: Value) -> None:
    """Do what `model.add(layer)` does; `chain` are the layers that it has."""
    by, before = run.entries[-1] if run.entries else 0, model.table.get(ADDED_BY)
    elsewhere = isinstance(before, Const) and before.value != by and not _is_constructor(run, before.value)
    if by and elsewhere and _begins(run, layer) and _is_whole(run, chain):
        chain = _left(run, model, chain)
    run.journal.write(model.table, ADDED_BY, Const(by))
    comprehensions.append(run, chain, layer)
    if not by:  # methods that nothing calls may be alternatives
        unique_names.in_sequence(run, containers.contents_of(chain).items)
        models.chained(run, containers.contents_of(chain).items)


def _left(run: Interpreter, model: Instance, chain: Listing) -> Listing:
    """Leave the model as the other function made it, to be run by itself, and return the chain of a new one."""
    if model.table.get(models.RAN) is None:
        other = Instance(model.kind, run.journal.table(), at=model.at)
        run.journal.write(other.table, MADE, model.table.get(MADE) or Const(None))
        run.journal.write(other.table, models.LAYERS, chain)
        state_of(run).models.append(other)
    chain = containers.new_list(run, ())
    run.journal.write(model.table, models.LAYERS, chain)
    run.journal.write(model.table, models.RAN, UNBOUND)
    return chain


def _is_constructor(run: Interpreter, node: object) -> bool:
    return any(id(function.node) == node and function.name == "__init__" for function in run.functions)


def _begins(run: Interpreter, layer: Value) -> bool:
    """Return whether a layer says what the model is given."""
    made = layers.made_of(layer)
    return made is not None and not BEGINNING.isdisjoint(made.build.arguments)


def _is_whole(run: Interpreter, chain: Listing) -> bool:
    """Return whether a chain begins with what says its input, and has a recurrent layer: nothing is to be added."""
    held = [present(item) for item in containers.contents_of(chain).items]
    made = [one for item in held for option in options(item) if (one := layers.made_of(option)) is not None]
    return bool(held) and _begins(run, held[0]) and any(one.site is not None for one in made)
