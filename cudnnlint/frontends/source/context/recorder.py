"""The context recorder: a layer's execution context where it is made, and at each of its calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.refused_values import REFUSALS
from cudnnlint.frontends.source.context import (
    devices,
    execution_context,
    gradients,
    late_weights,
    registered,
    without_gpu,
)
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.refused_imports import IMPORTS
from cudnnlint.frontends.source.context.scoped import AT_CALL, MADE_IN, STRATEGY, cell, is_quiet
from cudnnlint.frontends.source.keras import made_in_call, mutations, own_builds, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import CallSeen, Site
from cudnnlint.frontends.source.keras.tensors import Source
from cudnnlint.frontends.source.python import raising
from cudnnlint.frontends.source.python.call_path import EventKey
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Class,
    Const,
    Either,
    Instance,
    UnknownValue,
    Value,
    choice,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The surroundings that say that a call stops the program.
STOPPING = ("stops_before", "packages_met", "refused_beside")


def made(run: Interpreter, instance: Instance) -> None:
    """Record the device scope in which a Keras object is constructed: it may be called there too."""
    device = context_of(run).scope.get("device")
    if device is not None and _pins(device):
        run.journal.write(instance.table, MADE_IN, _perhaps(device, "it is made"))
    strategy = context_of(run).scope.get(STRATEGY)
    if strategy is not None:
        run.journal.write(instance.table, cell("device"), strategy)
    distributed = context_of(run).scope.get("distributed")
    if distributed is not None:
        run.journal.write(instance.table, cell("distributed"), distributed)


def _perhaps(device: Value, done: str) -> Value:
    """Return the possible devices of something that is only known to be made, or called, in a device scope."""
    at = next((option.at for option in options(device) if option.at is not None), None)
    where: str | Origin = "a CPU device scope" if at is None else at
    because = Sentence(done, " in the scope `", where, "`, and the file does not show where it runs")
    return Either((*(option for option in options(device) if option is not UNBOUND), UNBOUND), because)


def _pins(device: Value) -> bool:
    """Return whether a scope may put layers elsewhere than on a GPU."""
    quiet = (is_quiet(option) or option is UNBOUND for option in options(device))
    gpus = (isinstance(option, Const) and option.value == "gpu" for option in options(device))
    return not all(one or other for one, other in zip(quiet, gpus, strict=True))


def at_construction(run: Interpreter, site: Site) -> None:
    """Record what holds where a layer is constructed."""
    again = site in state_of(run).constructed
    state_of(run).constructed.add(site)
    if (inside := state_of(run).made_inside) is not None:
        inside.append(site)
    here = {
        "eager_disabled": execution_context.now(run, "eager_disabled") or UNBOUND,
        "device": _hidden(run),
    }
    here["dtype"], here["floatx"] = precision.current(run), precision.float_now(run)
    here |= registered.named(run)
    devices.initialised(run)
    here["taken"] = _taken(run)
    here[IMPORTS] = state_of(run).world.get(IMPORTS) or UNBOUND
    for name, value in here.items():
        both = join([site.context.get(name, UNBOUND), value]) if again else value
        if both is not UNBOUND:
            site.context[name] = both
    device = context_of(run).scope.get("device")
    if device is not None and _pins(device):
        site.uncalled["device"] = _perhaps(device, "it is made")


def _taken(run: Interpreter) -> Value:
    """Return which of the exceptions that a constructor raises the program takes here, each on a line."""
    found = [name for name in REFUSALS if run.guards and raising.taken(run, name)]
    return Const("\n".join(found)) if found else UNBOUND


def at_call(run: Interpreter, instance: Instance, site: Site, symbolic: bool) -> dict[str, Value]:
    """Return what holds where a layer is called; a symbolic call only describes a model that is run elsewhere."""
    found = {name: value for name in AT_CALL if (value := execution_context.now(run, name)) is not None}
    if truth(found.get("eager", UNBOUND)) is True:  # nothing is compiled then
        found = {name: value for name, value in found.items() if name not in ("xla", "jit_compile")}
    else:
        found |= late_weights.at_call(run, instance, symbolic)
    if symbolic and "device" in found and _pins(found["device"]):
        found["device"] = _perhaps(found["device"], "it is called")
    hidden = site.context.get("device")
    if hidden is not None:
        found["device"] = _with_hidden(hidden, found.get("device"))
    ends = own_builds.stops_at(run, instance)
    if ends:
        found["run_stops"] = Const("\n".join(ends))
    replaced = _cell_replaced(instance)
    if replaced is not UNBOUND and site.builds[0].class_name in mutations.WITH_CELL:
        other = mutations.cell_of_keras(instance.table)
        found["cell_replaced"] = replaced if other in (None, f"{site.builds[0].class_name}Cell") else Const(other)
    return found


def _hidden(run: Interpreter) -> Value:
    """Return what hides the GPUs here: from every framework, or from one; or that the program finds none here."""
    if (asked := without_gpu.found(run)) is not None:
        return Const(devices.ABSENT, at=asked)
    found = (execution_context.now(run, name) for name in ("hidden", devices.FROM_TENSORFLOW, devices.FROM_JAX))
    return next((value for value in found if value is not None), UNBOUND)


def _with_hidden(hidden: Value, device: Value | None) -> Value:
    """Return the device where the file hides every GPU, or may do so."""
    if device is None:
        return hidden
    because = choice(hidden)
    hides = (isinstance(option, Const) and option.value in ("hidden", devices.ABSENT) for option in options(hidden))
    return join([option if yes else device for option, yes in zip(options(hidden), hides, strict=True)], because)


def _cell_replaced(instance: Instance) -> Value:
    """Return True where the layer's cell is not the one that Keras made."""
    put, other = instance.table.get("cell") or UNBOUND, mutations.replacement(instance.table)
    if other is None:
        return join([_is_foreign(option) for option in options(put)], choice(put))
    told = [name for name in mutations.STANDARD if name in other.arguments and name != "dropout"]  # a kernel has it
    set_ = {name: mutations.setting_of(other, name) for name in told}
    alike = all(isinstance(value, Const) and value.value == mutations.STANDARD[name] for name, value in set_.items())
    return UNBOUND if alike and other.open is None else Const(True, at=put.at)


def _is_foreign(put: Value) -> Value:
    if put is UNBOUND or mutations.is_own(put):
        return UNBOUND
    if isinstance(put, Instance) and isinstance(put.kind, Class):
        return Const(True, at=put.at)
    because = "the layer's cell is replaced, and it is not known whether the new one computes the same"
    return UnknownValue(because, None, at=put.at)


def record_call(run: Interpreter, site: Site, seen: CallSeen, source: Source) -> None:
    """Record the call of a recurrent layer; `source` is the call."""
    context_of(run).events[id(source.inputs)] = source.inputs, site, seen
    gradients.record_call(run, seen)


def of(run: Interpreter, site: Site, seen: CallSeen) -> list[dict[str, Value]]:
    """Return the execution contexts of a call: one for each run of the model that it describes, else its own."""
    if not seen.runs:
        return [_in_its_mode(run, {**site.context, **seen.context})]
    graph = {name: value for name, value in seen.context.items() if name not in AT_CALL}
    return [_in_its_mode(run, {**site.context, **graph, **mode}) for mode in seen.runs]


def _in_its_mode(run: Interpreter, context: dict[str, Value]) -> dict[str, Value]:
    """Return the execution context without what stops a tf.function alone, where there is none."""
    stops = context.get("stops_before")
    if stops is None:
        return context
    modes = [options(context.get(name, UNBOUND)) for name in ("eager", "eager_disabled")]
    answers = [{one is not UNBOUND and truth(one) for one in mode} for mode in modes]
    if answers == [{False}, {False}]:
        return context
    runs = made_in_call.without_anew(run, stops)
    return {**context, "stops_before": runs if {True} in answers else join([stops, runs])}


def real(run: Interpreter, calls: Mapping[EventKey, CallSeen]) -> list[CallSeen]:
    """Return the calls of a layer that happen when something runs.

    A nested functional model gets the outer tensors: the calls on its own inputs only describe it, unless it is
    also run by itself. The same holds for a model that is only fed with data of which the padding is known. What
    stops a call that describes a model stops the program all the same.
    """
    state = state_of(run)
    described = (state.replaced - state.alone) | (state.padded - state.unpadded)
    describing, running = list[CallSeen](), list[CallSeen]()
    for call in calls.values():
        (describing if call.roots and call.roots <= described else running).append(call)
    stops = {name: value for call in describing for name, value in call.context.items() if name in STOPPING}
    if not running or not stops:
        return running or describing
    return [replace(call, context={**stops, **call.context}) for call in running]
