"""Tensors and the calls that made them: enough of the graph to run a model again on other inputs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.core.masking import MaskTable
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python.readers import makes_masks
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Class,
    Const,
    Either,
    Foreign,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    identity,
    join,
    options,
)
from cudnnlint.frontends.source.python.whole import Whole
from cudnnlint.keras import dtypes
from cudnnlint.keras.lattice import UNSTATED, Dtype

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.padding import Padding
    from cudnnlint.frontends.source.python.arguments import Arguments
    from cudnnlint.frontends.source.syntax.unit import Origin


@record(frozen=True, eq=False)
class Tensor(Foreign):
    """A tensor, with its mask and the call that made it.

    `mask` is a Const ("none", "data", "left", "right"), UnknownValue, or one of several; `source` is the call that made
    it, so that a nested model can be run again on other inputs. `ragged` is None where it is not known. `mask_ranks`
    has the rank of the mask for each mask epoch. `steps` is the length of a sequence, where that is known. `parts`: it
    is the result of code that is not followed, and may be a list, a dict or an object of tensors like it. `rides` are
    the sources of the tensors on whose masks its own hangs when the model runs, which no graph shows. `featureless`: it
    is an Input whose last dimension is None.
    """

    mask: Value
    source: Source | None = None
    dtype: Value | None = None
    ragged: bool | None = False
    is_mask: bool = False
    padding: Padding | None = None
    rank: int | None = None
    mask_ranks: tuple[int | None, ...] = ()
    steps: int | None = None
    parts: bool = False
    rides: frozenset[Source] = frozenset()
    featureless: bool = False


@record(frozen=True, eq=False)
class ByEpoch(Foreign):
    """A value that differs between releases of Keras: one for each mask epoch of the tables."""

    values: tuple[Value, ...]

    @property
    def key(self) -> Hashable:
        """The values of every mask epoch: equal for two values that are equal in all of them."""
        return tuple(frozenset(identity(option) for option in options(one)) for one in self.values)


@record(frozen=True, eq=False)
class ReleaseDefault(Whole):
    """The default that Keras puts where an argument is not given, as a config shows it: it differs between releases."""
    @property
    def key(self) -> Hashable:
        """None: all defaults are equal."""
        return None


DEFAULT = ReleaseDefault()  # a copy of it, with another place, is another object


@record(frozen=True, eq=False)
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
    """Return the tensors of a value: itself, or those of a tuple of them."""
    if isinstance(value, Tensor):
        return [value]
    items = value.contents.items if isinstance(value, Tuple) else ()
    return [tensor for item in items for tensor in tensors_in(item)]


BOOLEAN = Const("bool")
NUMBERS = {int: dtypes.WHOLE_NUMBER, float: dtypes.FLOAT}
UNMASKED = Const("none")
MASKED = Const("data")


def fresh(mask: Value = UNMASKED) -> Tensor:
    """Return a tensor that comes from nowhere: an Input, or data."""
    return Tensor(mask, Source(None, ()))


def open_mask(value: UnknownValue) -> Value:
    """Return the mask of something that is not followed, taken as a tensor."""
    return UNMASKED if value.mask == "none" else value


def of_package(callee: Library | Class, arguments: Arguments, origin: Origin) -> Value:
    """Call something of another package on tensors: it may be a layer that makes or keeps a mask."""
    inputs = tuple(value for value in arguments.every() if isinstance(value, Tensor))
    masks = isinstance(callee, Class) or makes_masks(callee)
    what = f"{callee.name}.call" if isinstance(callee, Class) else callee.name
    if not inputs:
        return UnknownValue(f"comes from `{what}`", mask="open" if masks else "none", at=origin)
    mask = UnknownValue(f"the mask of the result of `{what}` is not known", None)
    return unfollowed(inputs, mask if masks else UNMASKED, origin)


def unfollowed(inputs: tuple[Tensor, ...], mask: Value, origin: Origin) -> Tensor:
    """Return what code that is not followed makes of tensors."""
    return Tensor(mask, Source(None, inputs), parts=True, at=origin)


def part(value: Tensor, index: Value | None) -> Tensor | None:
    """Return an item of a result that is not followed, which may be a whole tensor; None of another one."""
    return value if value.parts and not isinstance(index, Tuple) else None


def operation(*values: Value) -> Tensor:
    """Return the result of a raw operation on tensors (`x * 2`, `tf.reshape(x, ...)`): it has no mask."""
    inputs = tuple(value for value in values if isinstance(value, Tensor))
    dtype = next((value.dtype for value in inputs if value.dtype is not None), None)
    return Tensor(UNMASKED, Source(None, inputs), dtype)


def computed(table: MaskTable, name: str, values: Sequence[Value], dtype: Value | None = None) -> Tensor:
    """Return the result of the operation `name`; `dtype` is the dtype that the call asks for."""
    made = operation(*values)
    whole = any(dtype_named(value.dtype).may_be_whole for value in values if isinstance(value, Tensor))
    numbers = [NUMBERS.get(type(value.value), "") for value in values if isinstance(value, Const)]
    operands = [one for value in values if (one := _operand(value, whole)) is not None]
    given = dtypes.beside(operands, [name for name in numbers if name])
    asked = None if dtype is None or isinstance(dtype, Unbound) else dtype_named(dtype)
    if asked is not None and asked.name is None and asked.because:
        return replace(made, dtype=dtype)
    found = dtypes.of_operation(table, name, given, asked.name if asked else None)
    return replace(made, dtype=value_of(found) if asked or found.may_be_whole or found.token else None)


def _operand(value: Value, whole: bool) -> Dtype | None:
    """Return the dtype of an operand, where it counts; `whole`: one of the tensors may hold integers."""
    if whole and isinstance(value, (UnknownValue, Either, Instance, Listing, Tuple)):
        return Dtype(None, "whether the other value of the operation holds integers is not known")
    return dtype_named(value.dtype) if isinstance(value, Tensor) else None


def dtype_named(value: Value | None) -> Dtype:
    """Return the dtype that a value of the source names: a string, or something of a library that has one."""
    if isinstance(value, Library):
        return Dtype(value.name.rsplit(".", 1)[-1].rstrip("_"), token=value)
    if isinstance(value, Const) and isinstance(value.value, str):
        return Dtype(value.value, token=value)
    if isinstance(value, (UnknownValue, Either)):
        return Dtype(None, value.because or "it is one of several", token=value)
    if isinstance(value, ByEpoch):
        return Dtype(None, "it differs between releases of Keras", token=value)
    return UNSTATED


def value_of(dtype: Dtype) -> Value | None:
    """Return a dtype as a value of the source; None where nothing is known of it."""
    if isinstance(dtype.token, Value):
        return dtype.token
    if dtype.name is not None:
        return Const(dtype.name)
    return UnknownValue(dtype.because, None) if dtype.because else None


def mask_of(value: Value) -> Value:
    """Return the mask of a tensor, as a value: None where it has none."""
    if not isinstance(value, Tensor):
        return Tensor(open_mask(value), dtype=BOOLEAN, is_mask=True) if isinstance(value, UnknownValue) else NONE
    if isinstance(value.mask, Const) and value.mask.value == "none":
        return NONE
    return Tensor(value.mask, dtype=BOOLEAN, is_mask=True, mask_ranks=value.mask_ranks)


def rank_as_mask(value: Value, index: int) -> int | None:
    """Return the rank of what is given as the mask in one epoch: the tensor's, or that of the mask which it shows."""
    if not isinstance(value, Tensor):
        return None
    return value.mask_ranks[index] if value.mask_ranks else value.rank


def carried(value: Value) -> Value:
    """Return the mask that a tensor (or something unknown, or a list of them) carries into a layer.

    A tensor that may serve as a mask carries none itself.
    """
    if isinstance(value, Tensor):
        return UNMASKED if value.is_mask else value.mask
    if isinstance(value, Either):
        return join([carried(option) for option in value.options if not isinstance(option, Unbound)], value.because)
    if isinstance(value, UnknownValue):
        return open_mask(value)
    if isinstance(value, (Const, Listing, Tuple, Mapping)) or (isinstance(value, Instance) and not _foreign(value)):
        return UNMASKED
    if isinstance(value, Bound) and isinstance(value.receiver, Tensor) and value.receiver.parts:
        return carried(value.receiver)
    return UnknownValue("it is not known which tensor this is", None)


def _foreign(value: Instance) -> bool:
    return isinstance(value.kind, Library) and value.kind.foreign


def varies(value: Value | None) -> bool:
    """Return whether a mask, or the mask of a tensor, may differ between the epochs."""
    if isinstance(value, Tensor):
        return bool(value.mask_ranks) or varies(value.mask) or varies(value.dtype)
    return isinstance(value, ByEpoch) or (isinstance(value, Either) and any(map(varies, value.options)))
