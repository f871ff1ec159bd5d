"""Layers on tensors: what a layer's call gets (this is noted at its site), and which mask comes out."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

from cudnnlint.core.masking import OnMask, on_mask
from cudnnlint.frontends.source import containers, layers, models, surroundings
from cudnnlint.frontends.source.arguments import Arguments
from cudnnlint.frontends.source.sites import Build, CallSeen, Made, Site, event_key
from cudnnlint.frontends.source.tensors import MASKED, UNMASKED, Source, carried, operation, tensors_in
from cudnnlint.frontends.source.unit import Origin
from cudnnlint.frontends.source.values import (
    MISSING,
    NONE,
    Const,
    Contents,
    Instance,
    Listing,
    Missing,
    Tensor,
    Tuple,
    Unfollowed,
    Value,
    join,
    options,
    truth,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.interpret import Interpreter

#: How many states a recurrent layer returns.
_STATES = {"LSTM": 2, "CuDNNLSTM": 2, "GRU": 1, "CuDNNGRU": 1, "SimpleRNN": 1}
_KERAS_DIFFERS = "Keras 2 and Keras 3 do not hand on the mask alike here"


def apply(run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin) -> Value:
    """Call a Keras layer or model."""
    made = layers.made_of(instance)
    assert made is not None
    inputs = arguments.get(0, "inputs") or arguments.keywords.get("sequences") or NONE
    if models.is_model(instance):
        return models.run_model(run, instance, inputs, origin)
    name = made.build.class_name
    values = _several(run, inputs)
    mask = incoming(arguments, values[0] if values else inputs)
    if made.site is not None:
        _note(run, made.site, arguments, values, mask, origin)
    if name == "TimeDistributed":
        return _time_distributed(run, instance, made, arguments, origin)
    out = outgoing(run, made.build, mask, values)
    source = Source(instance, (_frozen(run, inputs),), tuple(arguments.keywords.items()))
    return _outputs(run, made.build, out, source)


def _frozen(run: Interpreter, inputs: Value) -> Value:
    """A list of inputs as it is now: the list may change later."""
    return Tuple(containers.contents_of(inputs)) if isinstance(inputs, Listing) else inputs


def foreign(what: str, arguments: Arguments, origin: Origin) -> Value:
    """Call something of another package on tensors: a layer, perhaps, that makes a mask or keeps one."""
    tensors = tuple(value for value in arguments.every() if isinstance(value, Tensor))
    if not tensors:
        return Unfollowed(f"comes from `{what}`", at=origin)
    mask = Unfollowed(f"the mask of what `{what}` gives is not known", None)
    return Tensor(mask, Source(None, tensors), at=origin)


def _several(run: Interpreter, inputs: Value) -> list[Value]:
    """The inputs of a layer: one, or the items of a list."""
    if isinstance(inputs, (Listing, Tuple)):
        contents = containers.elements(run, inputs)
        return [*contents.items, *([contents.rest] if contents.rest is not None else [])]
    return [inputs]


def incoming(arguments: Arguments, first: Value) -> Value:
    """The mask that a layer gets: the one that is passed, else the one of its first input."""
    given = arguments.keywords.get("mask")
    if given is None:
        return carried(first)
    masks = [_explicit(option, first) for option in options(given)]
    return join(masks)


def _explicit(given: Value, first: Value) -> Value:
    if isinstance(given, Tensor):
        return given.mask if given.is_mask else MASKED
    if isinstance(given, Missing):
        return carried(first)
    if containers.is_nothing(given):
        own = carried(first)
        because = "Keras 2 takes mask=None for no mask, Keras 3 then takes the tensor's own"
        return join([Const("none", assumed=given.assumed), own], because)
    if isinstance(given, (Listing, Tuple)):
        return MASKED
    return replace(given, mask="unknown") if isinstance(given, Unfollowed) else MASKED


def _note(run: Interpreter, site: Site, arguments: Arguments, values: list[Value], mask: Value, origin: Origin) -> None:
    """Note a call at a site."""
    around = surroundings.at_call(run)
    around["mask"] = mask
    state = arguments.get(1, "initial_state")
    if state is None and len(values) > 1:
        state = values[1]
    if state is not None and not containers.is_nothing(state):
        around["initial_state"] = Const(True, at=state.at)
    first = values[0] if values else NONE
    if isinstance(first, Tensor):
        if first.ragged:
            around["ragged"] = Const(True)
        if first.dtype is not None:
            around["input_dtype"] = first.dtype
    key = event_key(run.path, origin)
    before = site.calls.get(key)
    if before is not None:
        names = dict.fromkeys([*before.around, *around])
        around = {name: join([before.around.get(name, MISSING), around.get(name, MISSING)]) for name in names}
    roots = [tensor.source.roots for value in values for tensor in tensors_in(value) if tensor.source is not None]
    site.calls[key] = CallSeen(origin, around, frozenset().union(*roots))


def outgoing(run: Interpreter, build: Build, mask: Value, values: list[Value]) -> Value:
    """The mask that comes out of a layer, in Keras 2 and in Keras 3."""
    both = [_mask_after(run, build, on_mask(build.class_name, keras), mask, values) for keras in (2, 3)]
    return join(both, _KERAS_DIFFERS)


def _mask_after(run: Interpreter, build: Build, effect: OnMask | None, mask: Value, values: list[Value]) -> Value:
    if effect is OnMask.KEEPS:
        return mask
    if effect is OnMask.MAKES:
        wanted = Const(True) if build.class_name == "Masking" else build.arguments.get("mask_zero", Const(False))
        return _if(wanted, MASKED)
    if effect is OnMask.SEQUENCES:
        return _if(returns(build, "return_sequences"), mask)
    if effect in (OnMask.ANY, OnMask.ALL):
        return _merged([carried(value) for value in values], any if effect is OnMask.ANY else all)
    if effect is OnMask.OWN:
        return MASKED if "mask" in build.arguments else UNMASKED
    if effect is OnMask.DROPS or _is(mask, "none"):
        return UNMASKED
    return Unfollowed(f"is the mask behind {build.class_name}, which is not followed", None)


def _if(wanted: Value, mask: Value) -> Value:
    """`mask` where `wanted` is true."""
    answer = truth(wanted)
    if answer is None:
        because = wanted.because if isinstance(wanted, Unfollowed) else ""
        return join([mask, UNMASKED], because)
    return mask if answer else UNMASKED


def _is(mask: Value, kind: str) -> bool:
    return isinstance(mask, Const) and mask.value == kind


def _merged(masks: list[Value], how: Callable[[list[bool]], bool]) -> Value:
    """The mask of merged inputs, where any or all of them must have one."""
    if any(not isinstance(mask, Const) for mask in masks):
        if all(_is(mask, "none") for mask in masks if isinstance(mask, Const)) and how is all and len(masks) > 1:
            known = [mask for mask in masks if isinstance(mask, Const)]
            if known:
                return UNMASKED
        return next(mask for mask in masks if not isinstance(mask, Const))
    masked = [mask for mask in masks if not _is(mask, "none")]
    if not how([not _is(mask, "none") for mask in masks]) or not masked:
        return UNMASKED
    kinds = {mask.value for mask in masked if isinstance(mask, Const)}
    return masked[0] if len(kinds) == 1 else MASKED


def returns(build: Build, name: str) -> Value:
    """`return_sequences` or `return_state` of a recurrent layer, or of the one inside a Bidirectional."""
    if build.class_name == "Bidirectional":
        inner = [layers.made_of(option) for option in options(build.arguments.get("layer", NONE))]
        found = [returns(made.build, name) for made in inner if made is not None]
        return join(found) if found else Unfollowed("is a setting of a layer that is not followed")
    if name in build.arguments:
        return join([Const(False) if option is MISSING else option for option in options(build.arguments[name])])
    return Const(False) if build.open is None else Unfollowed(build.open, None)


def _outputs(run: Interpreter, build: Build, mask: Value, source: Source) -> Value:
    """The tensor, or the tensors, that a layer gives."""
    recurrent = build.class_name in run.names.recurrent or build.class_name == "Bidirectional"
    if not recurrent or truth(returns(build, "return_state")) is not True:
        return Tensor(mask, source)
    count = _states(build)
    outputs = [Tensor(mask, Source(source.layer, source.inputs, source.keywords, 0))]
    if count is None:
        return Tuple(Contents(tuple(outputs), Tensor(UNMASKED, source)))
    outputs += [Tensor(UNMASKED, Source(source.layer, source.inputs, source.keywords, 1 + n)) for n in range(count)]
    return Tuple(Contents(tuple(outputs)))


def _states(build: Build) -> int | None:
    """How many states a layer returns."""
    if build.class_name == "Bidirectional":
        made = layers.made_of(options(build.arguments.get("layer", NONE))[0])
        inner = _states(made.build) if made is not None else None
        return None if inner is None else 2 * inner
    return _STATES.get(build.class_name)


def _time_distributed(run: Interpreter, instance: Instance, made: Made, arguments: Arguments, origin: Origin) -> Value:
    """The inner layer is called on every step; what comes out has the mask that came in."""
    inputs = arguments.get(0, "inputs") or NONE
    mask = incoming(arguments, inputs)
    for option in options(made.build.arguments.get("layer", NONE)):
        inner = layers.made_of(option)
        if isinstance(option, Instance) and (inner is None or inner.site is None):
            layers.call(run, option, Arguments([inputs]), origin)
        makes = inner is not None and inner.build.class_name in ("Embedding", "Masking")
        if makes and inner is not None and not _is(outgoing(run, inner.build, mask, [inputs]), "none"):
            mask = join([mask, MASKED], _KERAS_DIFFERS)
    return Tensor(mask, Source(instance, (inputs,), tuple(arguments.keywords.items())))


def reapply(run: Interpreter, value: Value, known: dict[Hashable, Value], origin: Origin) -> Value:
    """A tensor of a finished graph, computed again with other inputs: `known` maps
    the sources of old tensors to new ones."""
    if isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        return Tuple(Contents(tuple(reapply(run, entry, known, origin) for entry in contents.items), contents.rest))
    if not isinstance(value, Tensor) or value.source is None:
        return value
    source = value.source
    if source in known or not source.inputs:
        return known.get(source, value)
    if source.layer is None:
        known[source] = operation(*(reapply(run, entry, known, origin) for entry in source.inputs))
        return known[source]
    event = (id(source.layer), id(source.inputs))
    if event not in known:
        given = Arguments(
            [reapply(run, entry, known, origin) for entry in source.inputs],
            {name: reapply(run, entry, known, origin) for name, entry in source.keywords},
        )
        known[event] = run.call(source.layer, given, origin)
    result = known[event]
    if source.index is not None and isinstance(result, Tuple) and source.index < len(result.contents.items):
        return result.contents.items[source.index]
    return result
