"""Masks that a tensor has only while a model runs, and MultiHeadAttention, which takes the masks off its inputs.

A layer that takes masks is given the mask that the graph shows, whatever happens to the tensor when the model runs. The
mask that a user's own layer, a model or a SpectralNormalization leaves on its output is not in the graph: there it
counts what ran before. In code that runs line by line that is the order of the lines; in a graph it is not followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import made_in_call, masks, masks_put_within, products, stops
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
from cudnnlint.frontends.source.keras.sites import Build, CallSeen
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Source, Tensor, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import Const, Contents, Listing, Tuple, UnknownValue, Value
from cudnnlint.frontends.source.syntax.unit import Origin
from cudnnlint.keras.same_tensor import GRAPH_ALONE, PUT, TAKE_MASKS_OFF, is_cast

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

BECAUSE = "MultiHeadAttention takes the mask off its inputs, and it is not known whether it runs before"


def line_by_line(run: Interpreter, method: Value, arguments: Arguments, origin: Origin) -> Value:
    """Run the `call` of a user's own layer."""
    state = state_of(run)
    instance, *given = arguments.positional
    kinds = products.given_to(run, instance, given[0] if given else None)
    state.code += not state.line_by_line
    state.line_by_line += 1
    try:
        with stops.within(run, kinds):
            return made_in_call.called(run, method, arguments, origin, instance)
    finally:
        state.line_by_line -= 1


def of_lambda(run: Interpreter, function: Value, inputs: Value, origin: Origin) -> Value:
    """Run the function of a Lambda, which gets tensors of the backend."""
    state = state_of(run)
    state.in_lambda += 1
    try:
        return made_in_call.called(run, function, Arguments([inputs]), origin)
    finally:
        state.in_lambda -= 1


def entering(arguments: Arguments) -> Arguments:
    """Return what a user's own layer is called with: there the masks count that the tensors have at run time."""
    return _each(arguments, own)


def own(tensor: Tensor) -> Tensor:
    """Return a tensor whose mask is not in the graph."""
    if tensor.source is None or masks.is_none(tensor.mask):
        return tensor
    return replace(tensor, rides=tensor.rides | {tensor.source})


def leaving(result: Value) -> Value:
    """Return what a user's own layer or a model gives."""
    return _change(result, own)


def _handed_on(build: Build, given: LayerInputs, result: Value) -> Value:
    rides = frozenset(source for value in given.inputs for one in tensors_in(value) for source in one.rides)
    if build.class_name == "SpectralNormalization":
        rides |= {one.source for value in given.inputs for one in tensors_in(value) if one.source is not None}
        result = leaving(result)
    return _change(result, lambda one: one if masks.is_none(one.mask) else replace(one, rides=one.rides | rides))


def now(run: Interpreter, arguments: Arguments) -> Arguments:
    """Return the arguments of a call as they are now, by what ran before."""
    state = state_of(run)
    if state.put_within:
        arguments = _each(arguments, lambda tensor: masks_put_within.now(run, tensor))
    return _each(arguments, lambda tensor: _bare(run, tensor)) if state.line_by_line and state.bared else arguments


def _bare(run: Interpreter, tensor: Tensor) -> Tensor:
    taken = _taken_before(run, tensor.source) if tensor.source is not None else None
    if taken is None:
        return tensor
    certain = truth(taken) is True
    return replace(tensor, mask=_without(run, tensor.mask, UNMASKED if certain else UnknownValue(BECAUSE, None)))


def called(run: Interpreter, build: Build, arguments: Arguments, given: LayerInputs, result: Value) -> Value:
    """Record what a layer did with the masks of the tensors that it was called with, and return its output."""
    if build.class_name in TAKE_MASKS_OFF:
        _take_off(run, build, arguments)
    return _handed_on(build, given, result)


def _take_off(run: Interpreter, build: Build, arguments: Arguments) -> None:
    layer, state = masks.SourceLayer(run, (build,)), state_of(run)
    for tensor in (one for value in arguments.every() for one in tensors_in(value)):
        newest = masks.to_tensor(run, tensor, len(state.names.masks.epochs) - 1)
        if tensor.source is None or masks.is_none(tensor.mask) or is_cast(layer, newest):
            continue
        state.bared.add(tensor.source)
        if state.line_by_line:
            run.journal.write(state.world, _key(run, tensor.source), Const(True))
        for seen, code in state.readers.get(tensor.source, ()):
            if not state.line_by_line or code != state.code:  # else it ran before
                _doubt(run, seen)


def read(run: Interpreter, seen: CallSeen, given: LayerInputs) -> None:
    """Record that a recurrent layer was called."""
    state, first = state_of(run), given.first
    if isinstance(first, Tensor) and first.source is not None and masks.is_none(first.mask) and given.mask is None:
        state.unmasked.setdefault(first.source, []).append((seen, state.code if state.line_by_line else 0))
        if first.source in state.put:
            _perhaps(run, seen)
    for source in first.rides if isinstance(first, Tensor) else ():
        state.readers.setdefault(source, []).append((seen, state.code if state.line_by_line else 0))
        if source in state.bared and _taken_before(run, source) is None:
            _doubt(run, seen)


def put(run: Interpreter, tensor: Tensor) -> None:
    """Record that a model puts the mask that it is called with on a tensor: other layers that take it may meet it."""
    state = state_of(run)
    if tensor.source is not None and masks.is_none(tensor.mask):
        state.put.add(tensor.source)
        for seen, _ in state.unmasked.get(tensor.source, ()):
            _perhaps(run, seen)


def _perhaps(run: Interpreter, seen: CallSeen) -> None:
    """Make the mask of a call unknown in Keras 3."""
    mask = seen.context.get("mask", UNMASKED)
    doubt = UnknownValue(PUT, None, "unknown")
    seen.context["mask"] = masks.by_epoch(
        run, lambda epoch, index: doubt if epoch.major > GRAPH_ALONE else masks.in_epoch(mask, index)
    )


def _doubt(run: Interpreter, seen: CallSeen) -> None:
    """Make the mask of a call unknown where MultiHeadAttention takes masks off."""
    seen.context["mask"] = _without(run, seen.context.get("mask", UNMASKED), UnknownValue(BECAUSE, None))


def _without(run: Interpreter, mask: Value, after: Value) -> Value:
    def here(taken: bool, before: Value) -> Value:
        return after if taken and not masks.is_none(before) else before

    return masks.by_epoch(run, lambda epoch, index: here(epoch.attention_takes, masks.in_epoch(mask, index)))


def _taken_before(run: Interpreter, source: Source) -> Value | None:
    """Return whether the mask of a tensor was taken off before in this code; None where it was not."""
    state = state_of(run)
    return state.world.get(_key(run, source)) if state.line_by_line and source in state.bared else None


def _key(run: Interpreter, source: Source) -> str:
    return f"·bared {id(source)} in {state_of(run).code}"


def _each(arguments: Arguments, change: Callable[[Tensor], Tensor]) -> Arguments:
    positional = [_change(value, change) for value in arguments.positional]
    named = {name: _change(value, change) for name, value in arguments.keywords.items()}
    return replace(arguments, positional=positional, keywords=named)


def _change(value: Value, change: Callable[[Tensor], Tensor]) -> Value:
    """Return a tensor, or several in a list or a tuple, changed; the very value where nothing changes."""
    if isinstance(value, Tensor):
        return change(value)
    if not isinstance(value, (Listing, Tuple)):
        return value
    contents = value.contents if isinstance(value, Tuple) else containers.contents_of(value)
    items = tuple(_change(item, change) for item in contents.items)
    same = all(one is other for one, other in zip(items, contents.items, strict=True))
    return value if same else Tuple(Contents(items, contents.rest))
