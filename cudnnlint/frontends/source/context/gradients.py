"""Gradients of gradients: which calls of a layer are differentiated twice.

A tape records what is called while it is open. A gradient that is taken inside another open tape is recorded there too;
when that one's gradient goes through it, the calls behind the inner gradient are differentiated a second time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import CallSeen
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, computed, fresh, operation, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Contents,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    equal,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The open tapes and the order of JAX's derivatives, among what the open scopes say.
OPEN = "·tapes"
ORDER = "order"
#: Methods of a tensor that give it without its gradient.
CUTS = frozenset({"numpy", "detach", "item"})
#: Functions of TensorFlow and of keras.ops that have no gradient.
FLAT = frozenset(
    {"stop_gradient", "round", "floor", "ceil", "argmax", "argmin", "shape", "size", "zeros_like", "ones_like"}
)
_TAKES = frozenset({"gradient", "jacobian", "batch_jacobian"})


def opened(run: Interpreter, context: Instance) -> dict[str, Value]:
    """Return what a tape, or a function that JAX differentiates, adds to the open scopes when it is entered."""
    if _is_tape(context):
        return {OPEN: Tuple(Contents((*_open(run), context)))}
    order = context.table.get(f"·{ORDER}")
    if not isinstance(order, Const):
        return {}
    before = context_of(run).scope.get(ORDER)
    total = order.value + (before.value if isinstance(before, Const) else 0)
    said: dict[str, Value] = {ORDER: Const(total, at=order.at)}
    return {**said, "second_order": Const(True, at=order.at)} if total > 1 else said


def record_call(run: Interpreter, seen: CallSeen) -> None:
    """Record the call of a recurrent layer on every open tape."""
    for tape in _open(run):
        context_of(run).tapes.calls.setdefault(tape.table, []).append(seen)


def method(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tape.gradient(target, sources)`; None for any other method."""
    if not _is_tape(receiver) or name not in _TAKES:
        return None
    target, sources = arguments.get(0, "target") or NONE, arguments.get(1, "sources") or NONE
    _second(run, receiver, target, origin)
    taken = fresh()
    assert taken.source is not None
    calls, sure = _behind(run, receiver, target, sources)
    for tape in _open(run):
        context_of(run).tapes.gradients.setdefault(tape.table, []).append((taken.source, calls, sure))
    if isinstance(sources, (Listing, Tuple)):
        contents = containers.elements(run, sources)
        return containers.new_list(run, [taken for _ in contents.items], taken if contents.rest is not None else None)
    return taken


def cut(name: str) -> Callable[[Interpreter, Arguments, Origin], Value | None]:
    """Return a function for `tf.stop_gradient(x)`, `tf.round(x)` and the like: no gradient goes through it."""

    def given(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        value = arguments.positional[0] if arguments.positional else NONE
        if not isinstance(value, Tensor):
            return None
        asked = arguments.get(1, "dtype") if name.endswith("_like") else None
        return replace(detached(run, value), dtype=computed(state_of(run).names.masks, name, [value], asked).dtype)

    return given


def detached(run: Interpreter, value: Tensor) -> Tensor:
    """Return the result of an operation without a gradient."""
    result = operation(value)
    if result.source is not None:
        context_of(run).tapes.cuts.add(result.source)
    return result


def of_torch(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `torch.autograd.grad(outputs, inputs, create_graph=True)`: that is what create_graph is for."""
    create = arguments.keywords.get("create_graph")
    if create is None or truth(create) is False:
        return None
    said: Value = Const(True, at=origin)
    if truth(create) is None:
        because = create.because if isinstance(create, UnknownValue) else "create_graph may be False"
        said = UnknownValue(because, None, at=origin)
    inputs = arguments.get(1, "inputs") or NONE
    ends = list(containers.elements(run, inputs).items) if isinstance(inputs, (Listing, Tuple)) else [inputs]
    for seen in _between(run, _tensors(run, arguments.get(0, "outputs") or NONE), ends):
        _say(seen, said)
    return fresh()


def _say(seen: CallSeen, said: Value) -> None:
    before = seen.context.get("second_order")
    seen.context["second_order"] = said if before is None else join([before, said])


def _second(run: Interpreter, tape: Instance, target: Value, origin: Origin) -> None:
    """Record, where a gradient is taken, whether it goes through gradients that were taken inside the tape."""
    roots, known = _roots(run, target)
    for source, calls, sure in context_of(run).tapes.gradients.get(tape.table, ()):
        if source in roots and sure and len(options(target)) == 1:
            said: Value = Const(True, at=origin)
        elif source in roots or not known:
            because = Sentence("whether `", origin, "` differentiates a gradient of this layer is not known")
            said = UnknownValue(because, None, at=origin)
        else:
            continue
        for seen in calls:
            _say(seen, said)


def _behind(run: Interpreter, tape: Instance, target: Value, sources: Value) -> tuple[list[CallSeen], bool]:
    """Return the recorded calls between the sources and the target of a gradient, and whether these are certain."""
    recorded = context_of(run).tapes.calls.get(tape.table, [])
    tensors = _tensors(run, target)
    if not tensors:
        return recorded, False
    ends = list(containers.elements(run, sources).items) if isinstance(sources, (Listing, Tuple)) else [sources]
    between = _between(run, tensors, ends)
    return [seen for seen in recorded if seen in between], True


def _between(run: Interpreter, tensors: list[Tensor], ends: list[Value]) -> list[CallSeen]:
    """Return the calls on the way from the ends to the tensors."""
    path = _Path(run, ends)
    found = [path.reaches(tensor) for tensor in tensors]
    if not any(found):  # weights, or something that is not followed: everything behind the target counts
        path = _Path(run, [])
        for tensor in tensors:
            path.reaches(tensor)
    return path.calls


def _same(value: Value, end: Value) -> bool:
    """Return whether a value on the way is one of the ends; tensors are the same where one call made them."""
    if isinstance(value, Tensor) and isinstance(end, Tensor):
        return value.source is not None and value.source is end.source
    return isinstance(value, UnknownValue) and equal(value, end)


class _Path:
    """Walks back from tensors, and collects the calls on the way to the ends (all calls, if there are none)."""

    def __init__(self, run: Interpreter, ends: list[Value]) -> None:
        self.run, self.ends = run, ends
        self.known: dict[Source, bool] = {}
        self.calls: list[CallSeen] = []

    def reaches(self, value: Value) -> bool:
        """Return whether a value leads back to one of the ends."""
        if any(_same(value, end) for end in self.ends):
            return True
        ways = [self._through(tensor.source) for tensor in tensors_in(value) if tensor.source is not None]
        return any(ways)

    def _through(self, source: Source) -> bool:
        if source not in self.known:
            self.known[source] = False
            ways = [self.reaches(value) for value in (*source.inputs, *(value for _, value in source.keywords))]
            self.known[source] = any(ways) or not self.ends
            event = context_of(self.run).events.get(id(source.inputs))
            if event is not None and self.known[source]:
                self.calls.append(event[2])
        return self.known[source]


def _tensors(run: Interpreter, value: Value) -> list[Tensor]:
    """Return the tensors of a target: one, or a list or dict of them."""
    if isinstance(value, Listing):
        value = Tuple(containers.contents_of(value))
    if isinstance(value, Mapping):
        value = Tuple(Contents(tuple(entry for _, entry in value.table.items())))
    return [tensor for option in options(value) for tensor in tensors_in(option)]


def _roots(run: Interpreter, target: Value) -> tuple[set[Source], bool]:
    """Return the sources that a target is computed from with gradients, and whether these are all."""
    tensors = _tensors(run, target)
    waiting = [tensor.source for tensor in tensors if tensor.source is not None]
    seen: set[Source] = set()
    while waiting:
        source = waiting.pop()
        if source not in seen and source not in context_of(run).tapes.cuts:
            seen.add(source)
            inner = [
                one for value in (*source.inputs, *(value for _, value in source.keywords)) for one in tensors_in(value)
            ]
            waiting += [tensor.source for tensor in inner if tensor.source is not None]
    return seen, bool(tensors)


def _open(run: Interpreter) -> tuple[Instance, ...]:
    found = context_of(run).scope.get(OPEN)
    items = found.contents.items if isinstance(found, Tuple) else ()
    return tuple(item for item in items if isinstance(item, Instance))


def _is_tape(value: Instance) -> bool:
    return isinstance(value.kind, Library) and value.kind.name.endswith("GradientTape")
