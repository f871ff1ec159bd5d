"""Describe a layer to the child from its facts, so that the child can rebuild it.

Pure. Where the facts do not suffice, or the probe cannot rebuild the execution context of the layer, the layer is
unfit, with a reason. No code of the user is ever named or run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cudnnlint.core.execution_context import POLICY, computes_in
from cudnnlint.core.fact import (
    ABSENT,
    Absent,
    Assumed,
    Known,
    OneOf,
    Unknown,
    alternatives,
    values,
)
from cudnnlint.core.layer import Call, Layer, Wrapper
from cudnnlint.core.recurrent_inputs import keywords_taken, listing_taken, rank_taken, states_taken, taken_everywhere
from cudnnlint.core.target import Point, Target
from cudnnlint.probe.rebuilt_arguments import Unfit, UnfitAlone, construction, is_name, known, passed

#: Surroundings that the child rebuilds; any other that is not quiet leaves the layer out.
REBUILT = frozenset({
    "mask", "mask_with_empty_row", "initial_state", "state_dtype", "input_dtype", "dtype", "eager", "saved",
    "exported_by", "graph_reader",
})  # fmt: skip
#: Those that a model brings along when it is loaded.
BROUGHT = REBUILT | {"ragged"}
#: What the other surroundings mean, for the sentence that says why a layer is left out; the rest, by their values.
IN_WORDS: Mapping[str, str] = {
    "mask_with_empty_row": "a row of its mask is empty", "ragged": "it gets a RaggedTensor",
    "batch": "its batch size is open", "eager": "it is called eagerly", "device": "the program chooses the device",
    "eager_disabled": "eager execution is off", "jit_compile": "compile() is given jit_compile",
    "xla": "it is called inside a function that XLA compiles", "torch_compiled": "torch.compile runs it",
    "second_order": "second-order gradients are taken through it", "cudnn_off": "the program switches cuDNN off",
    "cell_replaced": "its cell is replaced after construction", "floatx": "the program calls set_floatx()",
    "names_beside": "its model, or another layer in it, has an unusual name",
    "outermost_name": "its model has an unusual name",
    "late_weights": "its weights are made inside a traced function",
    "features": "its input leaves the number of features open",
    "named_tanh": "the program registers a function named tanh",
    "named_sigmoid": "the program registers a function named sigmoid", "exported": "it stands in an exported graph",
}  # fmt: skip
#: Those of them that a program of the rulebook shows when it is run as a whole. Not the rest: a Keras that believes in
#: a GPU does not look at devices, and recorders have no gradient and are not compiled.
RUN_WHOLE = frozenset({"batch", "features", "ragged", "late_weights", "cell_replaced"})
#: No route hangs on them; `_fitting` looks at them, and request.py at what is around the layer.
QUIET = frozenset({
    "steps", "input_rank", "states", "call_keywords", "listed", "input_arguments", "stops_before", "packages_met",
    "refused_beside", "direct_call_keywords", "imports", "taken", "run_stops",
})  # fmt: skip
WRAPPERS = ("Bidirectional", "TimeDistributed")


def describe(layer: Layer, target: Target, dry: bool) -> tuple[dict[str, Any], list[str], str]:
    """Return how the child builds a layer, which paddings of a mask reach it, and the mode that it runs in.

    Raises Unfit.
    """
    if len(layer.variants) > 1:
        raise Unfit("A branch in the code decides how this layer is built")
    if layer.variants[0].after or not isinstance(layer.variants[0].locked, Absent):
        raise UnfitAlone("The program changes settings of this layer after construction")
    if not all(map(taken_everywhere, _names(layer))):
        raise UnfitAlone("The probe gives the layer a name of its own, and Keras may refuse the one that it has")
    calls = calls_for(layer, target, REBUILT)
    call = calls[0]
    if any(dict(_loud(other)) != dict(_loud(call)) for other in calls):
        raise Unfit("The layer is called in different ways")
    paddings = _paddings(call)
    if any(wrapper.kind == "TimeDistributed" for wrapper in layer.wrappers):
        if paddings and "none" not in paddings:
            raise Unfit("The layer gets a mask through TimeDistributed, which the probe cannot rebuild")
        paddings = []
    policy = known(call.context("dtype"), "its dtype")
    written = layer.variants[0].argument("dtype")
    own = is_name(written)
    spec = {
        **construction(layer.variants[0], dry),
        "wrappers": [_wrapper(wrapper, dry) for wrapper in layer.wrappers],
        "policy": None if own or policy is None else _policy(str(policy)),
        "input_dtype": known(call.context("input_dtype"), "the dtype of its input"),
        "masked": bool(paddings),
        "initial_state": bool(known(call.context("initial_state"), "its initial state")),
        "state_dtypes": _state_dtypes(call, policy),
    }
    return spec, paddings, mode_of(call)


def _state_dtypes(call: Call, policy: Any) -> list[str]:
    """Return the dtypes of the states, one for all or one after another; none where they are the layer's own."""
    dtypes = known(call.context("state_dtype"), "the dtype of its initial state")
    around = computes_in(str(policy or "float32"))
    return [] if dtypes is None else [around if name == POLICY else name for name in str(dtypes).split(", ")]


def mode_of(call: Call) -> str:
    """Return the mode that a call shows: graph, unless it is an eager one."""
    return "eager" if known(call.context("eager"), "the mode") is True else "graph"


def point(target: Target) -> Point:
    """Return the one release that a target is. Raises Unfit where it is several."""
    if target.keras.version is None:
        raise Unfit("The target is not a single release")
    tensorflow = target.tensorflow.version if target.tensorflow else None
    return Point(target.framework, target.keras.version, target.backend, tensorflow)


def calls_for(layer: Layer, target: Target, rebuilt: frozenset[str]) -> list[Call]:
    """Return the calls that the target makes. Raises Unfit where the probe cannot rebuild the context of one."""
    where = point(target)
    calls = [call for call in layer.calls if call.holds(where)] or [Call()]
    if not all(_fitting(layer, call, where) for call in calls):
        raise UnfitAlone("The probe cannot rebuild how this layer is used: its input or its states do not fit it")
    idle = {"jit_compile"} if where.keras_3 and target.backend != "torch" else set()  # it leaves the route be
    idle |= set() if _may_keep_states(layer) else {"batch"}
    loud = (item for call in calls for item in _loud(call) if item[0] not in rebuilt | idle)
    for name, value in sorted(loud, key=lambda item: item[0] in RUN_WHOLE):
        words = IN_WORDS.get(name, f"{name} is {value}")
        kind = UnfitAlone if name in RUN_WHOLE else Unfit
        if value == "unknown":
            raise kind(f"The probe cannot rebuild how this layer is used: perhaps {words}")
        raise kind(f"The probe cannot rebuild how this layer is used: {words}")
    return calls


def _fitting(layer: Layer, call: Call, where: Point) -> bool:
    """Return whether the call gives the layer an input, states and names that it takes."""
    made = layer.variants[0]
    fits = (("input_rank", rank_taken(made)), ("states", states_taken(layer, made)))
    seen = ((call.context(name), wanted) for name, wanted in fits if wanted is not None)
    named = {name for names in values(call.context("call_keywords")) for name in names.split(", ")}
    right = all(fact.value == wanted for fact, wanted in seen if isinstance(fact, (Known, Assumed)))
    listed = set(values(call.context("listed"))) <= {None, listing_taken(layer, where)}
    entered = set(values(call.context("input_arguments"))) <= {None, "batch_size"}
    return right and listed and entered and named <= keywords_taken(layer, where)


def _may_keep_states(layer: Layer) -> bool:
    """Return whether a layer may be stateful, which needs a batch size."""
    facts = [fact for one in layer.variants for fact in alternatives(one.argument("stateful"))]
    known = all(isinstance(fact, Absent) or (isinstance(fact, Known) and fact.value is False) for fact in facts)
    return not known or any(one.open is not None for one in layer.variants)


def _loud(call: Call) -> Iterator[tuple[str, Any]]:
    """Yield the facts of a call's execution context that differ from the default, and may decide the route."""
    for name, fact in sorted(call.surroundings.items()):
        if name in QUIET:
            continue
        if isinstance(fact, (Known, Assumed)):
            if fact.value not in (None, False, "none"):
                yield name, fact.value
        elif not isinstance(fact, Absent):
            yield name, "unknown"


def _paddings(call: Call) -> list[str]:
    """Return the paddings to try: the one shown, all where data decides, all and none where nothing is known."""
    if isinstance(call.context("mask"), (Unknown, OneOf)):
        return ["none", "right", "left", "empty"]
    mask = known(call.context("mask"), "the mask that reaches it")
    empty = known(call.context("mask_with_empty_row"), "whether a row of its mask is empty")
    if mask in (None, "none"):
        return []
    if mask == "data":
        return ["right", "left", "empty"]
    return ["empty"] if empty else [str(mask)]


def _policy(compute: str) -> str:
    return f"mixed_{compute}" if compute in ("float16", "bfloat16") else compute


def _names(layer: Layer) -> list[Any]:
    """Return the names that are given to a layer and to the wrappers around it."""
    named = (layer.variants[0].arguments, *(wrapper.arguments for wrapper in layer.wrappers))
    return [name for one in named for name in values(one.get("name", ABSENT)) if name is not None]


def _wrapper(wrapper: Wrapper, dry: bool) -> dict[str, Any]:
    if wrapper.kind not in WRAPPERS:
        raise Unfit(f"The layer is inside {wrapper.kind}, which the probe cannot rebuild")
    spec: dict[str, Any] = {"kind": wrapper.kind, "arguments": dict(passed(wrapper.arguments, dry))}
    if wrapper.kind == "Bidirectional":
        other = None if wrapper.sibling is None else construction(wrapper.sibling, dry)
        spec |= {"role": wrapper.role, "other": other, "explicit": wrapper.explicit}
    return spec
