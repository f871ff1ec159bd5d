"""The source front end's values in the form of keras/transfer.py, and back: masks, dtypes, ranks, raggedness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from cudnnlint.core import masking
from cudnnlint.core.execution_context import computes_in
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.frontends.source.keras import layers, mutations, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import (
    MASKED,
    ByEpoch,
    Tensor,
    carried,
    dtype_named,
    operation,
    rank_as_mask,
    value_of,
    varies,
)
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Either,
    Library,
    Listing,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    choice,
    equal,
    join,
    options,
)
from cudnnlint.keras import dtypes, lattice
from cudnnlint.keras import masks as keras_masks
from cudnnlint.keras.lattice import CallInputs, Dtype, Kind, Mask, Masks, Passed
from cudnnlint.keras.transfer import Inside, Transfer
from cudnnlint.keras.view import OPEN, UNWRITTEN, Setting

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

T = TypeVar("T")

WHOLE = "float32"
#: Wrappers for which the settings of the wrapped layer decide.
WRAPPERS = ("Bidirectional", "TimeDistributed", "SpectralNormalization")


@dataclass(frozen=True)
class SourceLayer:
    """A layer of the source, or several that it may be, as the transfer function sees it now."""

    run: Interpreter
    builds: tuple[Build, ...]
    settings: dict[str, Setting] = field(default_factory=dict, compare=False)

    @property
    def class_name(self) -> str:
        """Its class."""
        return self.builds[0].class_name

    @property
    def token(self) -> None:
        """Nothing: a value of the source carries its own place."""

    @cached_property
    def computes(self) -> Dtype:
        """The dtype that it computes in."""
        policies = [one for build in self.builds for one in policy_of(self.run, build)]
        names = {one.value if isinstance(one, Const) else None for one in policies}
        token = None if any("dtype" in build.arguments for build in self.builds) else lattice.GLOBAL
        return Dtype(None if len(names) != 1 or None in names else computes_in(str(*names)), token=token)

    @cached_property
    def inner(self) -> SourceLayer | None:
        """The layer that it wraps, where that is one of Keras's own and no model."""
        if self.class_name not in WRAPPERS:
            return None
        wrapped = [one for build in self.builds for one in options(build.arguments.get("layer", NONE))]
        made = [layers.made_of(one) for one in wrapped]
        builds = tuple(one.build for one in made if one is not None)
        known = len(builds) == len(made) and len({build.class_name for build in builds}) == 1
        return SourceLayer(self.run, builds) if known else None

    def setting(self, name: str) -> Setting:
        """Return the alternatives of one argument, with the reason why there are several; they are found once."""
        return self.settings.get(name) or self.settings.setdefault(name, self._setting(name))

    def _setting(self, name: str) -> Setting:
        find = returns if name in ("return_sequences", "return_state") else self._written
        found = join([find(build, name) for build in self.builds])
        because = found.because if isinstance(found, (Either, UnknownValue)) else ""
        every = options(found)
        return Setting(tuple(map(_plain, every)), because, any(one.assumed for one in every))

    def _written(self, build: Build, name: str) -> Value:
        return build.arguments.get(name, UNBOUND if build.open is None else UnknownValue(build.open, None))


def _plain(value: Value) -> Any:
    """Return a value as the transfer function takes it."""
    if isinstance(value, Unbound):
        return UNWRITTEN
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Library):
        return value.name.rsplit(".", 1)[-1]
    if isinstance(value, (Listing, Tuple)):
        contents = value.contents if isinstance(value, Tuple) else containers.contents_of(value)
        items = [_plain(item) for item in contents.items]
        return OPEN if contents.rest is not None or OPEN in items else items
    return OPEN


def policy_of(run: Interpreter, build: Build) -> list[Value]:
    """Return the names of the policies that a layer may have: its own, else the global one."""
    own = precision.named(build.arguments.get("dtype", UNBOUND))
    return [
        _global(run)
        if isinstance(one, Unbound) or (isinstance(one, Const) and one.value is None)
        else Const(one.name.rsplit(".", 1)[-1])
        if isinstance(one, Library)
        else one
        for one in options(own)
    ]


def _global(run: Interpreter) -> Value:
    (only, *more) = options(precision.current(run))
    if more:
        return UnknownValue("the dtype policy is one of several", None)
    return Const(WHOLE) if isinstance(only, Unbound) else only


def by_epoch(run: Interpreter, compute: Callable[[masking.Epoch, int], Value]) -> Value:
    """Return a value for every mask epoch; one value where they do not differ."""
    values = [compute(epoch, index) for index, epoch in enumerate(state_of(run).names.masks.epochs)]
    return values[0] if all(equal(values[0], value) for value in values) else ByEpoch(tuple(values))


def copied(run: Interpreter, value: Tensor) -> Tensor:
    """Return all of a tensor (`x[:, :]`): without its mask, unless that gives the very tensor."""
    made = operation(value)
    kept = by_epoch(run, lambda epoch, index: in_epoch(value.mask, index) if epoch.same_tensor else made.mask)
    return replace(made, mask=kept)


def in_epoch(value: Value, index: int) -> Value:
    """Return the value that holds in one mask epoch."""
    if isinstance(value, ByEpoch):
        return value.values[index]
    if isinstance(value, Either):
        return join([in_epoch(option, index) for option in value.options], value.because)
    return value


def to_masks(value: Value, rank: int | None = None) -> Masks:
    """Return a mask of the source in the form that the transfer function takes."""
    given = tuple(_to_mask(option, rank) for option in options(value))
    return Masks(given, choice(value))


def _to_mask(value: Value, rank: int | None) -> Mask:
    if isinstance(value, Const):
        return Mask(Kind(value.value), rank=rank, token=value)
    because = value.because if isinstance(value, UnknownValue) else "it is not known which mask this is"
    return Mask(Kind.UNKNOWN, rank=rank, because=because, token=value)


def from_masks(masks: Masks) -> Value:
    """Return the masks of the transfer function as a mask of the source."""
    return join([_from_mask(mask) for mask in masks.options], masks.because)


def _from_mask(mask: Mask) -> Value:
    token = mask.token
    if mask.kind is Kind.UNKNOWN:
        return token if isinstance(token, Value) else UnknownValue(mask.because, None, "unknown")
    same = isinstance(token, Const) and token.value == mask.kind.value
    return token if same else Const(mask.kind.value)


def to_tensor(run: Interpreter, value: Value, index: int) -> lattice.TensorTraits:
    """Return a value that goes into a layer, in one mask epoch."""
    if not isinstance(value, Tensor):
        return lattice.TensorTraits(to_masks(in_epoch(carried(value), index)))
    known = value.padding
    fill = known.fill.value if known is not None and isinstance(known.fill, Const) else OPEN
    return lattice.TensorTraits(
        masks=to_masks(in_epoch(carried(value), index), value.mask_ranks[index] if value.mask_ranks else None),
        dtype=dtype_of(run, value, index),
        rank=value.rank,
        ragged=value.ragged,
        padding=None if known is None else _to_mask(known.side, None),
        fill=fill,
        steps=value.steps,
        shown=_shown(run, value),
    )


def _shown(run: Interpreter, tensor: Tensor) -> Dtype | None:
    """Return what the layer that gave a tensor computes in; None where no layer of Keras's own did."""
    made = layers.made_of(tensor.source.layer) if tensor.source is not None and tensor.source.layer else None
    return None if made is None or tensor.dtype is None else dtypes.shown(SourceLayer(run, (made.build,)))


def dtype_of(run: Interpreter, tensor: Tensor, index: int | None = None) -> Dtype:
    """Return the dtype of a tensor, as far as it is followed: in one mask epoch, or in all of them."""
    if tensor.dtype is None:
        made = layers.made_of(tensor.source.layer) if tensor.source is not None and tensor.source.layer else None
        layer = None if made is None else SourceLayer(run, (made.build,))
        return lattice.UNSTATED if layer is None else _given_by(run, layer, index).computes
    dtype = tensor.dtype if index is None else in_epoch(tensor.dtype, index)
    return dtype_named(precision.named(dtype))


def _given_by(run: Interpreter, layer: SourceLayer, index: int | None) -> SourceLayer:
    """Return the layer whose dtype the floats have that a layer gives: a Bidirectional of Keras 3 casts to its own."""
    casts = index is not None and state_of(run).names.masks.epochs[index].major > 2
    return layer if casts and layer.class_name == "Bidirectional" else layer.inner or layer


def to_given(run: Interpreter, given: LayerInputs, index: int) -> CallInputs:
    """Return a call in the form that the transfer function takes, for one mask epoch."""
    mask = [Passed.LEFT_OUT] if given.mask is None else _passed(in_epoch(given.mask, index), index)
    hides = given.states is not None and (None if isinstance(given.states, UnknownValue) else True)
    inputs = tuple(to_tensor(run, value, index) for value in given.inputs)
    return CallInputs(inputs, mask, hides, None if given.own is None else computed_mask(given.own, index))


def _passed(value: Value, index: int) -> list[Masks | Passed]:
    """Return the alternatives of `mask=value`, in one mask epoch."""
    found: list[Masks | Passed] = []
    for option in options(value):
        if isinstance(option, Unbound):
            found.append(Passed.LEFT_OUT)
        elif containers.is_nothing(option):
            found.append(Passed.NOTHING)
        elif isinstance(option, (Listing, Tuple)):  # a layer hands on the first of them, and nothing where that is None
            found += [lattice.UNMASKED if one is Passed.NOTHING else one for one in _passed(_first_of(option), index)]
        else:
            hidden = isinstance(option, UnknownValue) and option.mask == "hidden"
            found += [Passed.LEFT_OUT] if hidden else []
            found.append(to_masks(in_epoch(_given_mask(option), index), rank_as_mask(option, index)))
    return found


def _first_of(value: Listing | Tuple) -> Value:
    """Return the first item of a list of masks."""
    contents = value.contents if isinstance(value, Tuple) else containers.contents_of(value)
    if contents.items:
        return contents.items[0]
    return NONE if contents.rest is None else UnknownValue("it is not known which mask is given", None)


def _given_mask(given: Value) -> Value:
    """Return the mask that a value is."""
    if isinstance(given, Tensor):
        return given.mask if given.is_mask else MASKED
    if isinstance(given, UnknownValue):
        return replace(given, mask="open" if given.mask == "hidden" else "unknown")
    return MASKED


def computed_mask(value: Value, index: int) -> Masks:
    """Return the mask that a function computes, in one mask epoch; a result of None means no mask."""
    passed = _passed(in_epoch(value, index), index)
    return lattice.join(one if isinstance(one, Masks) else lattice.UNMASKED for one in passed)


def arriving(run: Interpreter, build: Build, given: LayerInputs) -> Tensor:
    """Return what a recurrent layer gets; inside a TimeDistributed it gets one step."""

    def arrives(transfer: Transfer, layer: SourceLayer, called: CallInputs, index: int) -> lattice.TensorTraits:
        if build.class_name == "TimeDistributed":
            called = CallInputs((transfer.step(transfer.cast(layer, called)),))
            return called.first.masked(keras_masks.arriving(called, transfer.epoch))
        return transfer.arriving(layer, called)

    return _as_tensor(run, _in_each(run, build, given, arrives))


def step(run: Interpreter, build: Build, given: LayerInputs) -> Tensor:
    """Return what the layer inside a TimeDistributed is called with."""
    return _as_tensor(
        run,
        _in_each(run, build, given, lambda transfer, layer, called, index: transfer.step(transfer.cast(layer, called))),
    )


def output(run: Interpreter, build: Build, given: LayerInputs, inside: Value | None = None) -> Tensor:
    """Return the output of a layer. `inside` is the output of the model or user's layer that it wraps."""

    def leaves(transfer: Transfer, layer: SourceLayer, called: CallInputs, index: int) -> lattice.TensorTraits:
        wrapped: Inside | None = None if inside is None else lambda handed: to_tensor(run, inside, index)
        return transfer.output(layer, called, wrapped)

    return _as_tensor(run, _in_each(run, build, given, leaves, inside))


def _in_each(
    run: Interpreter,
    build: Build,
    given: LayerInputs,
    compute: Callable[[Transfer, SourceLayer, CallInputs, int], T],
    inside: Value | None = None,
) -> list[T]:
    """Return what is computed of a call in every mask epoch, once for those in which it is certainly the same."""
    layer, table = SourceLayer(run, (build,)), state_of(run).names.masks
    if any(map(varies, (*given.inputs, given.mask, given.own, inside))):
        each = enumerate(table.epochs)
        return [compute(Transfer(table, epoch), layer, to_given(run, given, i), i) for i, epoch in each]
    called = to_given(run, given, 0)
    masked = called.passed or called.own is not None or not all(tensor.masks.none for tensor in called.inputs)
    whole = any(tensor.shown is not None and tensor.dtype.may_be_whole for tensor in called.inputs)
    first = masking.first_alike(table, _classes(layer), masked, whole)
    found = {i: compute(Transfer(table, table.epochs[i]), layer, called, i) for i in dict.fromkeys(first)}
    return [found[i] for i in first]


def _classes(layer: SourceLayer | None) -> tuple[str, ...]:
    """Return the classes of a layer and of those that it wraps."""
    return () if layer is None else (layer.class_name, *_classes(layer.inner))


def _as_tensor(run: Interpreter, tensors: Sequence[lattice.TensorTraits]) -> Tensor:
    """Return the tensors of the transfer function, one for each epoch, as one tensor of the source."""
    different = {id(tensor): from_masks(tensor.masks) for tensor in {id(one): one for one in tensors}.values()}
    values = [different[id(tensor)] for tensor in tensors]
    ranks = tuple(tensor.masks.rank for tensor in tensors)
    newest, whole = tensors[-1], any(tensor.dtype.may_be_whole for tensor in tensors)
    return Tensor(
        by_epoch(run, lambda epoch, index: values[index]),
        dtype=_as_dtype(run, tensors) if whole else None,
        ragged=newest.ragged,
        rank=newest.rank,
        mask_ranks=ranks if any(ranks) else (),
        steps=newest.steps,
    )


def _as_dtype(run: Interpreter, tensors: Sequence[lattice.TensorTraits]) -> Value:
    """Return the dtypes of a tensor, one for each epoch, as one value; what is not known to be whole is not bound."""
    every = [value_of(tensor.dtype) if tensor.dtype.may_be_whole else None for tensor in tensors]
    return by_epoch(run, lambda epoch, index: every[index] or UNBOUND)


def with_mask(run: Interpreter, given: LayerInputs) -> Value:
    """Return the input of a model, with the mask that its call is given."""
    first = given.first
    if given.mask is None or len(given.inputs) != 1 or not isinstance(first, Tensor):
        return first
    masks = by_epoch(run, lambda epoch, i: from_masks(keras_masks.effective(to_given(run, given, i), epoch)))
    return replace(first, mask=masks)


def is_none(mask: Value) -> bool:
    """Return whether there is certainly no mask."""
    return isinstance(mask, Const) and mask.value == "none"


def returns(build: Build, name: str) -> Value:
    """Return `return_sequences` or `return_state` of a recurrent layer, or of the one inside a Bidirectional."""
    if build.class_name == "Bidirectional":
        inner = [layers.made_of(option) for option in options(build.arguments.get("layer", NONE))]
        found = [returns(made.build, name) for made in inner if made is not None]
        return join(found) if found else UnknownValue("is a setting of a layer that is not followed")
    given = mutations.returned(build, name)
    if not isinstance(given, Unbound):
        given_or_not = [Const(False) if isinstance(option, Unbound) else option for option in options(given)]
        return join(given_or_not, choice(given))
    return Const(False) if build.open is None else UnknownValue(build.open, None)
