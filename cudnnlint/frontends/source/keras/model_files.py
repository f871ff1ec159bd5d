"""Files that a program saves a model to and loads it from again: the layers are made from the config in them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import configs, models
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.values import Const, Instance, UnknownValue, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

SEVERAL = UnknownValue("is the config of one of several models that are saved to files of which the path is not known")


def saved(run: Interpreter, model: Value, path: Value | None) -> None:
    """Note the config of a model that is saved to a file."""
    key = None if path is None else _key(path)
    if key is None or not isinstance(model, Instance) or not models.is_model(model):
        return
    world = state_of(run).world
    other = world.get(key) is not None and not isinstance(path, Const)
    run.journal.write(world, key, SEVERAL if other else configs.serialized(run, model))


def config_in(run: Interpreter, path: Value | None) -> Value | None:
    """Return the config of the model that the program saved to a file before; None where it saved none, or others."""
    found = None if path is None or (key := _key(path)) is None else state_of(run).world.get(key)
    return None if isinstance(found, UnknownValue) else found


def _key(path: Value) -> Hashable | None:
    """Return the cell of a file: by its path or, where that is not known, by the expression that it comes from."""
    if isinstance(path, Const):
        return "·file", str(path.value)
    return ("·file", id(path.at.node)) if isinstance(path, UnknownValue) and path.at is not None else None
