"""Tensors and the calls that made them: enough of the graph to run a model again on other inputs."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Foreign,
    Instance,
    Library,
    Listing,
    Mapping,
    Missing,
    OneOf,
    Tuple,
    Unfollowed,
    Value,
    identity,
    join,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.padding import Padding


@dataclass(frozen=True, eq=False)
class Tensor(Foreign):
    """A tensor. `mask` is a Const ("none", "data", "left", "right"), Unfollowed, or one of them;
    `source` is the call that made it, so that a nested model can be run again on other inputs."""

    mask: Value
    source: Source | None = None
    dtype: Value | None = None
    ragged: bool = False
    is_mask: bool = False
    padding: Padding | None = None


@dataclass(frozen=True, eq=False)
class ByEra(Foreign):
    """A value that differs between releases of Keras: one for each of keras.mask_epochs.HABITS."""

    values: tuple[Value, ...]

    @property
    def key(self) -> Hashable:
        """Equal where the values of every stretch of releases are."""
        return tuple(frozenset(identity(option) for option in options(one)) for one in self.values)


@dataclass(frozen=True, eq=False)
class Default(Foreign):
    """What Keras itself puts where an argument is not given (a config tells it): it differs between releases."""

    @property
    def key(self) -> Hashable:
        """Equal for all of them."""
        return None


DEFAULT = Default()


@dataclass(frozen=True, eq=False)
class Source:
    """The call that made a tensor: a layer on inputs, or (layer None) an operation on them.

    `index` is the tensor's place among several outputs. A tensor that enters a model has no inputs.
    """

    layer: Value | None
    inputs: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...] = ()
    index: int | None = None

    @cached_property
    def roots(self) -> frozenset[Source]:
        """The sources of the tensors from which this one is computed, as far back as it goes."""
        if not self.inputs:
            return frozenset({self})
        tensors = [one for value in self.inputs for one in tensors_in(value)]
        return frozenset(root for tensor in tensors if tensor.source is not None for root in tensor.source.roots)


def tensors_in(value: Value) -> list[Tensor]:
    """The tensors of a value: itself, or those of a tuple of them."""
    if isinstance(value, Tensor):
        return [value]
    items = value.contents.items if isinstance(value, Tuple) else ()
    return [tensor for item in items for tensor in tensors_in(item)]


UNMASKED = Const("none")
MASKED = Const("data")


def fresh(mask: Value = UNMASKED) -> Tensor:
    """A tensor that comes from nowhere: an Input, or data."""
    return Tensor(mask, Source(None, ()))


def open_mask(value: Unfollowed) -> Value:
    """The mask of something that is not followed, taken as a tensor."""
    return UNMASKED if value.mask == "none" else value


def operation(*values: Value) -> Tensor:
    """A raw operation on tensors (`x * 2`, `tf.reshape(x, ...)`): its result has no mask."""
    inputs = tuple(value for value in values if isinstance(value, Tensor))
    dtype = next((value.dtype for value in inputs if value.dtype is not None), None)
    return Tensor(UNMASKED, Source(None, inputs), dtype)


def mask_of(value: Value) -> Value:
    """The mask of a tensor, as a value: None where it has none."""
    if not isinstance(value, Tensor):
        return Tensor(open_mask(value), is_mask=True) if isinstance(value, Unfollowed) else NONE
    if isinstance(value.mask, Const) and value.mask.value == "none":
        return NONE
    return Tensor(value.mask, is_mask=True)


def carried(value: Value) -> Value:
    """The mask that a tensor (or something unknown, or a list of them) carries into a layer."""
    if isinstance(value, Tensor):
        return value.mask
    if isinstance(value, OneOf):
        return join([carried(option) for option in value.options if not isinstance(option, Missing)], value.because)
    if isinstance(value, Unfollowed):
        return open_mask(value)
    if isinstance(value, (Const, Listing, Tuple, Mapping)) or (isinstance(value, Instance) and not _foreign(value)):
        return UNMASKED
    return Unfollowed("it is not followed which tensor this is", None)


def _foreign(value: Instance) -> bool:
    return isinstance(value.kind, Library) and value.kind.foreign
