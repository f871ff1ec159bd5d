"""Files that a program saves a model to and loads it from again: the layers are made from the config in them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import configs, layers, models
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.values import NONE, Const, Instance, UnknownValue, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of the model itself, beside that of its config.
MODEL = "·model"
SEVERAL = UnknownValue("is the config of one of several models that are saved to files of which the path is not known")


def saved(run: Interpreter, model: Value, path: Value | None) -> None:
    """Note the config of a model that is saved to a file."""
    key = None if path is None else _key(path)
    if key is None or not isinstance(model, Instance) or not models.is_model(model):
        return
    world = state_of(run).world
    other = world.get(key) is not None and not isinstance(path, Const)
    run.journal.write(world, key, SEVERAL if other else configs.serialized(run, model))
    run.journal.write(world, (MODEL, key), model)


def config_in(run: Interpreter, path: Value | None) -> Value | None:
    """Return the config of the model that the program saved to a file before; None where it saved none, or others."""
    found = None if path is None or (key := _key(path)) is None else state_of(run).world.get(key)
    return None if isinstance(found, UnknownValue) else found


def loaded(run: Interpreter, path: Value | None, copy: Value) -> None:
    """Note of the layers in a loaded model which layers the program saved to that file."""
    key = None if path is None else _key(path)
    saved_ = None if key is None else state_of(run).world.get((MODEL, key))
    if saved_ is not None:
        _pair(run, saved_, copy)


def _pair(run: Interpreter, one: Value, copy: Value) -> None:
    """Note it of a layer, and of those inside it: a model and its copy have them in the same order."""
    original, made = layers.made_of(one), layers.made_of(copy)
    if original is None or made is None or one is copy:
        return
    if original.site is not None and made.site is not None:
        made.site.loaded_from = original.site
    for name in ("layer", "backward_layer"):
        _pair(run, original.build.arguments.get(name, NONE), made.build.arguments.get(name, NONE))
    if isinstance(one, Instance) and isinstance(copy, Instance) and models.is_model(copy):
        inside, copies = models.layers_of(run, one), models.layers_of(run, copy)
        for inner, other in zip(inside, copies, strict=True) if len(inside) == len(copies) else ():
            _pair(run, inner, other)


def _key(path: Value) -> Hashable | None:
    """Return the cell of a file: by its path or, where that is not known, by the expression that it comes from."""
    if isinstance(path, Const):
        return "·file", str(path.value)
    return ("·file", id(path.at.node)) if isinstance(path, UnknownValue) and path.at is not None else None
