"""The length of the sequences that an Input declares, and that reach a recurrent layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import masks
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Contents, Listing, Value
from cudnnlint.keras import time_steps

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def input_shape(arguments: Arguments) -> Sequence[Value] | None:
    """Return the dimensions of an Input, batch included; None where they are not known.

    A number in place of the shape is one dimension to some releases, and others stop at it.
    """
    whole = arguments.keywords.get("batch_shape")
    shape = whole or arguments.get(0, "shape")
    if whole is None and isinstance(shape, Const) and type(shape.value) is int:
        return (NONE, shape)
    contents = containers.contents_of(shape) if isinstance(shape, Listing) else getattr(shape, "contents", None)
    if not isinstance(contents, Contents) or contents.rest is not None:
        return None
    return contents.items if whole is not None else (NONE, *contents.items)


def length(shape: Sequence[Value]) -> int | None:
    """Return the second dimension of a shape, where it is a number."""
    steps = shape[1] if len(shape) > 1 else NONE
    known = isinstance(steps, Const) and type(steps.value) is int and steps.value >= 0
    return steps.value if known and isinstance(steps, Const) else None


def too_few(run: Interpreter, build: Build, given: LayerInputs) -> bool:
    """Return whether so few steps reach a layer that none is left behind it."""
    return time_steps.too_few(masks.SourceLayer(run, (build,)), masks.to_given(run, given, 0))


def reaching(run: Interpreter, build: Build, given: LayerInputs) -> Value | None:
    """Return how many steps reach a recurrent layer, where that is known; one in a TimeDistributed gets others."""
    if build.class_name == "TimeDistributed":
        return None
    found = time_steps.arriving(masks.SourceLayer(run, (build,)), masks.to_given(run, given, 0))
    return Const(found) if found is not None else None
