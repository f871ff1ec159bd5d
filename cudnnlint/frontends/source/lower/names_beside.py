"""The names of a recurrent layer's models and of their other layers: one that is refused stops the model, and so it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.fault_lines import held_by
from cudnnlint.core.recurrent_inputs import taken_everywhere
from cudnnlint.frontends.source.keras import layers, models
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Instance, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def beside(run: Interpreter, model: Instance) -> Value:
    """Return the surrounding "names_beside" of the layers in a model, and in the models inside it."""
    odd = sorted({*_odd(_name(model)), *_within(run, model)})
    return Const("\n".join(odd)) if odd else UNBOUND


def outermost(run: Interpreter, model: Instance) -> Value:
    """Return the surrounding "outermost_name" of the layers in a model that no other model is known to hold."""
    return next((Const(name) for name in _odd(_name(model))), UNBOUND)


def _within(run: Interpreter, model: Instance, around: tuple[int, ...] = ()) -> Iterator[str]:
    """Yield the unusual names of the layers in a model, also of those in models inside it and in TimeDistributed."""
    for layer in models.layers_of(run, model):
        yield from _odd(_name(layer))
        held = _spread(layer)
        if held is not None:
            yield from (held_by(name, "TimeDistributed") for name in _odd(_name(held)))
        inside = held or layer
        if models.is_model(inside) and id(inside.table) not in around:
            yield from _within(run, inside, (*around, id(inside.table)))


def _spread(layer: Instance) -> Instance | None:
    """Return the layer that a TimeDistributed holds."""
    made = layers.made_of(layer)
    if made is None or made.build.class_name != "TimeDistributed":
        return None
    held = made.build.arguments.get("layer")
    return held if isinstance(held, Instance) else None


def _odd(name: str | None) -> Iterator[str]:
    if name is not None and not taken_everywhere(name):
        yield name


def _name(layer: Instance) -> str | None:
    """Return the name of a layer that is neither a recurrent one nor around one, whose own name is looked at anyway."""
    made, held = layers.made_of(layer), _spread(layer)
    within = layers.made_of(held) if held is not None else made
    if made is None or within is None or within.site is not None:
        return None
    given = made.build.arguments.get("name")
    return given.value if isinstance(given, Const) and isinstance(given.value, str) else None
