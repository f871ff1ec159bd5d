"""Layers on tensors: the inputs of a layer's call, which are recorded at its site, and its output."""

from __future__ import annotations

from collections import abc
from collections.abc import Hashable
from types import MappingProxyType
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import STATES
from cudnnlint.frontends.source.keras import (
    attention_scores,
    call_stops,
    called_models,
    first_batch,
    in_time,
    initial_states,
    input_tensors,
    lambda_results,
    layer_inputs,
    layer_order,
    layers,
    masking_changed,
    masks,
    models,
    packages_met,
    refused_layers,
    run_time_masks,
    stops,
)
from cudnnlint.frontends.source.keras import sequence_length as steps
from cudnnlint.frontends.source.keras.keras_state import library_of, state_of
from cudnnlint.frontends.source.keras.sites import Build, CallSeen, Made, Site
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Source, Tensor, operation, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import event_key
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Contents,
    Instance,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter

STATE_RANK = 2
#: The cells of a layer that hold the input and the output of its last call.
TOOK = "·took"
GAVE = "·gave"


def apply(run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin, direct: bool = False) -> Value:
    """Call a Keras layer or model; `direct` is the method `call` of Keras itself (`super().call(x)`)."""
    made = layers.made_of(instance)
    assert made is not None
    inputs = layer_inputs.first_of(arguments)
    given = layer_inputs.given_to(run, arguments, origin, made.build if direct else None)
    if models.is_model(instance):
        return called_models.output(run, instance, arguments, given, origin)
    if made.build.class_name == "Lambda" and "mask" in made.build.arguments:
        given = replace(given, own=lambda_results.own_mask(run, made.build.arguments["mask"], given, origin))
    frozen = _frozen(run, inputs)
    source = packages_met.called(run, made.build, Source(instance, (frozen,), tuple(arguments.keywords.items())))
    stops.note(run, source, *call_stops.at_once(run, made, given))
    if made.site is not None and run.chosen is layer_order.UNORDERED:
        layer_order.record_doubtful(run, made.site, origin)
    elif made.site is not None:
        _record(run, instance, made.site, given, source, origin)
    stops.note(run, source, *call_stops.kinds(run, made.build, given, inputs))
    result = masking_changed.output(run, instance, made.build, given, _result(run, made, given, source, origin), origin)
    result = run_time_masks.called(run, made.build, arguments, given, result)
    if len(arguments.positional) > 1 or not layer_order.is_direct(result, source):
        layer_order.seen_from_outside(run, instance, arguments, result)
    run.journal.write(instance.table, TOOK, frozen)
    run.journal.write(instance.table, GAVE, result)
    return result


def _result(run: Interpreter, made: Made, given: LayerInputs, source: Source, origin: Origin) -> Value:
    """Return the output of a layer."""
    if made.build.class_name == "TimeDistributed":
        return in_time.output(run, made, given, source, origin)
    output = masks.output(run, made.build, given)
    if made.build.class_name == "Lambda":
        computed = lambda_results.computed(run, made.build, source.inputs[0], origin)
        if not isinstance(computed, Tensor) or input_tensors.may_have_a_batch(run, [computed]):
            state_of(run).reshaped[source] = True
        if isinstance(computed, Tensor):  # a mask that is on it stays
            mask = join([output.mask if masks.is_none(one) else one for one in options(computed.mask)])
            if computed is source.inputs[0]:
                return changed(computed, mask=mask)
            output = replace(output, mask=mask, dtype=computed.dtype)
        elif (several := lambda_results.several(run, made.build, computed, source)) is not None:
            return several
    return _outputs(run, made.build, output, source)


def _frozen(run: Interpreter, inputs: Value) -> Value:
    """Return a list of inputs as it is now: the list may change later."""
    return Tuple(containers.contents_of(inputs)) if isinstance(inputs, Listing) else inputs


def _record(
    run: Interpreter, instance: Instance, site: Site, given: LayerInputs, source: Source, origin: Origin
) -> None:
    """Record a call at a site."""
    tensors = [tensor for value in given.inputs for tensor in tensors_in(value) if tensor.source is not None]
    roots = frozenset(root for tensor in tensors if tensor.source is not None for root in tensor.source.roots)
    context = library_of(run).at_call(run, instance, site, bool(roots) and roots <= state_of(run).symbolic)
    made = layers.made_of(instance)
    assert made is not None
    arriving = masks.arriving(run, made.build, given)
    context["mask"] = arriving.mask
    state = given.states if given.states is not None else given.inputs[1] if len(given.inputs) > 1 else None
    if state is not None:
        context["initial_state"] = Const(True, at=state.at or origin)
        context |= initial_states.shown(run, given)
    context |= input_tensors.dimensions(given.first, arriving) | given.named | input_tensors.unusual(run, roots)
    context |= stops.leading(run, source) | packages_met.leading(run, source) | refused_layers.leading(run, source)
    length = steps.reaching(run, made.build, given)
    if length is not None:
        context["steps"] = length
    if isinstance(given.first, Tensor):
        if given.first.ragged is not False:
            context["ragged"] = Const(True) if given.first.ragged else _maybe_ragged()
        dtype = arriving.dtype or _recorded_dtype(given.first)
        if dtype is not None:
            context["input_dtype"] = dtype
    key = event_key(run.path, origin)
    before = site.calls.get(key)
    context |= first_batch.batch_when_built(run, instance, before, roots, tensors)
    if before is not None:
        names = dict.fromkeys([*before.context, *context])
        context = {name: join([before.context.get(name, UNBOUND), context.get(name, UNBOUND)]) for name in names}
    site.calls[key] = CallSeen(origin, context, roots)
    run_time_masks.read(run, site.calls[key], given)
    library_of(run).layer_called(run, site, site.calls[key], source)


def _maybe_ragged() -> Value:
    return UnknownValue("a layer before it gets a RaggedTensor, and it is not known whether the result is ragged", None)


def _recorded_dtype(tensor: Tensor) -> Value | None:
    """Return the dtype of floats that no layer gave, where it is written."""
    entered = tensor.source is None or tensor.source.layer is None
    return tensor.dtype if entered else None


def _outputs(run: Interpreter, build: Build, made: Tensor, source: Source) -> Value:
    """Return the tensor, or the tensors, that a layer returns."""
    recurrent = build.class_name in state_of(run).names.recurrent or build.class_name == "Bidirectional"
    sequences = 2 if build.class_name == "Bidirectional" and _unmerged(build) else 1
    if not recurrent or truth(masks.returns(build, "return_state")) is not True:
        several = [_output(made, source, index) for index in range(sequences)]
        return Tuple(Contents(tuple(several))) if sequences > 1 else attention_scores.beside(build, source, made)
    count = _states(build)
    outputs = [_output(made, source, index) for index in range(sequences)]
    state = Tensor(UNMASKED, source, made.dtype, rank=None if count is None else STATE_RANK)
    if count is None:
        return Tuple(Contents(tuple(outputs), state))
    outputs += [_output(state, source, sequences + index) for index in range(count)]
    return Tuple(Contents(tuple(outputs)))


def _output(made: Tensor, source: Source, index: int) -> Tensor:
    return changed(made, source=Source(source.layer, source.inputs, source.keywords, index))


def _unmerged(build: Build) -> bool:
    """Return whether a Bidirectional returns its two sequences separately."""
    mode = build.arguments.get("merge_mode")
    return isinstance(mode, Const) and mode.value is None


def _states(build: Build) -> int | None:
    """Return how many states a layer returns."""
    if build.class_name == "Bidirectional":
        made = layers.made_of(options(build.arguments.get("layer", NONE))[0])
        inner = _states(made.build) if made is not None else None
        return None if inner is None else 2 * inner
    return STATES.get(build.class_name)


def reapply(
    run: Interpreter,
    value: Value,
    known: dict[Hashable, Value],
    origin: Origin,
    others: abc.Mapping[int, Value] = MappingProxyType({}),
) -> Value:
    """Return a tensor of a finished graph, computed again with other inputs.

    `known` maps the sources of old tensors to new ones, `others` the layers (by the identity of their table) that are
    replaced.
    """
    if isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        again = tuple(reapply(run, entry, known, origin, others) for entry in contents.items)
        return Tuple(Contents(again, contents.rest))
    if isinstance(value, Mapping) and value.body is None:
        named = replace(value, table=run.journal.table())
        for key, entry in value.table.items():
            run.journal.write(named.table, key, reapply(run, entry, known, origin, others))
        return named
    if not isinstance(value, Tensor) or value.source is None:
        return value
    source = value.source
    if source in known or not source.inputs:
        return known.get(source, value)
    if source.layer is None:
        made = operation(*(reapply(run, entry, known, origin, others) for entry in source.inputs))
        known[source] = replace(made, dtype=value.dtype)
        return known[source]
    event = (id(source.layer), id(source.inputs))
    if event not in known:
        given = Arguments(
            [reapply(run, entry, known, origin, others) for entry in source.inputs],
            {name: reapply(run, entry, known, origin, others) for name, entry in source.keywords},
        )
        known[event] = run.call(_instead(source.layer, others), given, origin)
    return _at(known[event], source.index)


def _instead(layer: Value, others: abc.Mapping[int, Value]) -> Value:
    """Return what takes the place of a layer: itself, where nothing does."""
    return others.get(id(layer.table), layer) if isinstance(layer, Instance) else layer


def _at(result: Value, index: int | None) -> Value:
    """Return one of the outputs of a layer, or all."""
    if index is None or not isinstance(result, Tuple) or index >= len(result.contents.items):
        return result
    return result.contents.items[index]
