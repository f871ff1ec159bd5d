"""Which mask reaches a layer, and which comes out of it, in every stretch of Keras releases."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, padding
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import MASKED, UNMASKED, ByEra, Source, Tensor, carried, mask_of
from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Function,
    Instance,
    Listing,
    Missing,
    OneOf,
    Tuple,
    Unfollowed,
    Value,
    equal,
    join,
    options,
    truth,
)
from cudnnlint.frontends.source.syntax.unit import Origin
from cudnnlint.keras.mask_epochs import HABITS, KERAS2, Habits
from cudnnlint.keras.masks import OnMask, on_mask

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@dataclass(frozen=True)
class Given:
    """What a layer is called with: its inputs, the mask that is passed, and whether states are passed too.

    `own` is the mask that a Lambda's `mask=` computes.
    """

    inputs: Sequence[Value]
    mask: Value | None = None
    states: Value | None = None
    own: Value | None = None

    @property
    def first(self) -> Value:
        """The first input."""
        return self.inputs[0] if self.inputs else NONE


def by_era(compute: Callable[[Habits, int], Value]) -> Value:
    """A value for every stretch of releases; one value where they do not differ."""
    values = [compute(habits, index) for index, habits in enumerate(HABITS)]
    return values[0] if all(equal(values[0], value) for value in values) else ByEra(tuple(values))


def in_era(value: Value, index: int) -> Value:
    """What a value is in one stretch of releases."""
    if isinstance(value, ByEra):
        return value.values[index]
    if isinstance(value, OneOf):
        return join([in_era(option, index) for option in value.options], value.because)
    return value


def arriving(given: Given) -> Value:
    """The mask that a recurrent layer gets: the one that is passed, else the one of its input."""
    return by_era(lambda habits, index: _arriving(given, habits, index))


def _arriving(given: Given, habits: Habits, index: int) -> Value:
    own = in_era(carried(given.first), index)
    if given.mask is not None:
        return join([_explicit(option, own, habits) for option in options(in_era(given.mask, index))])
    if given.states is None or not habits.extra_tensors_hide or is_none(own):
        return own
    if isinstance(given.states, Unfollowed):
        return join([UNMASKED, own], "Keras 3 keeps the mask from a layer that is given states")
    return UNMASKED


def _explicit(given: Value, own: Value, habits: Habits) -> Value:
    """The mask that `mask=given` passes; Keras 3 takes None for "not given"."""
    if isinstance(given, Missing):
        return own
    if containers.is_nothing(given):
        return replace(UNMASKED, assumed=given.assumed) if habits.major == 2 else own
    if isinstance(given, Tensor):
        return given.mask if given.is_mask else MASKED
    if isinstance(given, Unfollowed) and given.mask == "hidden":
        return join([own, replace(given, mask="open")])
    return replace(given, mask="unknown") if isinstance(given, Unfollowed) else MASKED


def leaving(run: Interpreter, build: Build, given: Given) -> Value:
    """The mask that comes out of a layer."""
    return by_era(lambda habits, index: _leaving(build, given, habits, index))


def _leaving(build: Build, given: Given, habits: Habits, index: int) -> Value:
    name = build.class_name
    masks = [in_era(carried(value), index) for value in given.inputs]
    if name in habits.stops and not all(is_none(mask) for mask in masks):
        return Unfollowed(f"{habits.stops[name]} stop with an error when a mask reaches {name}", None, "unknown")
    effect = on_mask(name, habits.major)
    if effect is OnMask.MAKES:
        masking = name == "Masking"
        wanted = Const(True) if masking else build.arguments.get("mask_zero", Const(False))
        hidden = build.arguments.get("mask_value", Const(0.0)) if masking else Const(0)
        return _if(wanted, padding.made(given.first, hidden))
    if len(masks) > 1 and not habits.lists and effect is not OnMask.SEQUENCES:
        return UNMASKED
    effective = _explicit_or_own(given, habits, index) if habits.explicit else in_era(carried(given.first), index)
    if effect is OnMask.KEEPS:
        return effective
    if effect is OnMask.SEQUENCES:
        return _if(returns(build, "return_sequences"), effective)
    if effect is OnMask.OWN:
        return UNMASKED if given.own is None else in_era(_explicit(given.own, UNMASKED, KERAS2), index)
    if habits.same_tensor and name in ("Permute", "Reshape") and not is_none(masks[0]):
        return _of_same(build, masks[0])
    return _from_several(build, effect, masks)


def _of_same(build: Build, mask: Value) -> Value:
    """A Permute or Reshape hands on the very tensor where it changes nothing."""
    dims = build.arguments.get("dims")
    items: tuple[Value, ...] = dims.contents.items if isinstance(dims, Tuple) else ()
    if isinstance(dims, Listing):
        items = containers.contents_of(dims).items
    numbers = [item.value for item in items if isinstance(item, Const)]
    if build.class_name == "Reshape" or not numbers or len(numbers) != len(items):
        because = f"a {build.class_name} that changes nothing keeps the mask on this backend, and any other loses it"
        return Unfollowed(because, None, "unknown")
    return mask if numbers == list(range(1, len(numbers) + 1)) else UNMASKED


def of_own_layer(
    run: Interpreter, instance: Instance, first: Value | None, mask: Value | None, result: Value, origin: Origin
) -> Value:
    """What a user's layer gives, with the mask that Keras puts on it: where the layer supports masking, an output
    that has none gets what compute_mask() gives, which is the input's unless the class has its own. `mask` is the
    one that the call passes."""
    found = classes.search(instance.kind, "compute_mask") if isinstance(instance.kind, Class) else None
    own = found is not None and isinstance(found[0], Function) and isinstance(found[1], Class)
    supports = instance.table.get("supports_masking") or Const(own)
    if first is None or truth(supports) is not True or not isinstance(result, (Tensor, Tuple)):
        return result
    previous = _masks_of(run, first) if mask is None else mask
    given = (
        run.call(run.attribute(instance, "compute_mask", origin), Arguments([first, previous]), origin)
        if own
        else previous
    )
    if isinstance(result, Tensor):
        return _with_mask(result, given, first)
    given_each = containers.elements(run, given).items if isinstance(given, (Listing, Tuple)) else ()
    items = [
        _with_mask(item, mask, first) if isinstance(item, Tensor) else item
        for item, mask in itertools.zip_longest(
            result.contents.items, given_each[: len(result.contents.items)], fillvalue=NONE
        )
    ]
    return replace(result, contents=replace(result.contents, items=tuple(items)))


def _masks_of(run: Interpreter, value: Value) -> Value:
    """The mask of an input, or those of several."""
    if isinstance(value, (Listing, Tuple)):
        return containers.new_list(run, [mask_of(item) for item in containers.elements(run, value).items])
    return mask_of(value)


def _with_mask(result: Tensor, given: Value, first: Value) -> Tensor:
    """The tensor with the computed mask, unless it has one already."""

    def computed(habits: Habits, index: int) -> Value:
        before = in_era(result.mask, index)
        after = join([_explicit(option, UNMASKED, KERAS2) for option in options(given)])
        parts = [in_era(after, index) if is_none(option) else option for option in options(before)]
        return join(parts, before.because if isinstance(before, OneOf) else "")

    tensors = (result, first) if isinstance(first, Tensor) else (result,)
    return replace(result, mask=by_era(computed), source=Source(None, tensors))


def _explicit_or_own(given: Given, habits: Habits, index: int) -> Value:
    return _arriving(replace(given, states=None), habits, index)


def _from_several(build: Build, effect: OnMask | None, masks: Sequence[Value]) -> Value:
    if effect in (OnMask.ANY, OnMask.ALL):
        return _merged(masks, effect is OnMask.ALL)
    if effect is OnMask.DROPS or all(is_none(mask) for mask in masks):
        return UNMASKED
    return Unfollowed(f"it cannot be told what {build.class_name} does with a mask", None)


def _if(wanted: Value, mask: Value) -> Value:
    """`mask` where `wanted` is true."""
    answer = truth(wanted)
    if answer is None:
        return join([mask, UNMASKED], wanted.because if isinstance(wanted, Unfollowed) else "")
    return mask if answer else UNMASKED


def is_none(mask: Value) -> bool:
    """Is there certainly no mask?"""
    return isinstance(mask, Const) and mask.value == "none"


def _merged(masks: Sequence[Value], every: bool) -> Value:
    """The mask of merged inputs: where one of them, or each of them, has one."""
    there = [mask for mask in masks if not is_none(mask)]
    if not there or (every and len(there) < len(masks)):
        return UNMASKED
    unsure = [mask for mask in there if not isinstance(mask, Const)]
    if unsure and (every or len(unsure) == len(there)):
        return unsure[0]
    kinds = {mask.value for mask in there if isinstance(mask, Const)}
    return MASKED if len(kinds) > 1 or unsure else there[0]


def returns(build: Build, name: str) -> Value:
    """`return_sequences` or `return_state` of a recurrent layer, or of the one inside a Bidirectional."""
    if build.class_name == "Bidirectional":
        inner = [layers.made_of(option) for option in options(build.arguments.get("layer", NONE))]
        found = [returns(made.build, name) for made in inner if made is not None]
        return join(found) if found else Unfollowed("is a setting of a layer that is not followed")
    if name in build.arguments:
        given = options(build.arguments[name])
        return join([Const(False) if isinstance(option, Missing) else option for option in given])
    return Const(False) if build.open is None else Unfollowed(build.open, None)


def given_to(run: Interpreter, arguments: Arguments) -> Given:
    """What a call passes to a Keras layer."""
    inputs = arguments.get(0, "inputs") or arguments.keywords.get("sequences") or NONE
    if isinstance(inputs, (Listing, Tuple)):
        contents = containers.elements(run, inputs)
        values = [*contents.items, *([contents.rest] if contents.rest is not None else [])]
    else:
        values = [inputs]
    state = arguments.get(1, "initial_state")
    if state is not None and containers.is_nothing(state):
        state = None
    return Given(values, arguments.keywords.get("mask"), state)
