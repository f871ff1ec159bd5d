"""Functions that are called in a scope: jitted by TensorFlow, compiled by torch, differentiated by JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.context import execution_context, late_weights
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.scoped import cell, is_quiet, scope
from cudnnlint.frontends.source.python import signatures
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Const,
    Function,
    Instance,
    Library,
    Partial,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Calls a function in a scope: the scope and the function are its first arguments.
WITHIN = "·within"
#: What compiles a function: by its name, the entry of the execution context that it sets and the arguments that decide.
_COMPILERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "tensorflow.function": ("xla", ("jit_compile", "experimental_compile")),
    "torch.compile": ("torch_compiled", ()),
}
#: What differentiates a function, and how often.
_ORDERS = {
    **dict.fromkeys(("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "vjp", "jvp", "linearize"), 1),
    "hessian": 2,
}
#: What hands a function on as it is, as far as this matters.
_SAME = frozenset({"jax.jit", "jax.checkpoint", "tensorflow.recompute_grad", "tensorflow.autograph.to_graph"})
ESTIMATORS = ("tensorflow.estimator.Estimator", "tensorflow.estimator.tpu.TPUEstimator")


def call(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call what makes a function of a function; None if it is none of these."""
    if name == WITHIN:
        return _within(run, arguments, origin)
    if name in ESTIMATORS:
        return _estimate(run, arguments, origin)
    callee = arguments.get(0, "func") or arguments.get(0, "fun") or arguments.get(0, "model")
    if name in _COMPILERS and callee is None:
        return Partial(Library(name), (), dict(arguments.keywords))
    if callee is None or not _callable(callee):
        return None
    if name in _SAME:
        return callee
    made = scope_of(run, name, arguments, origin)
    if made is None:
        return callee if name in _COMPILERS else None
    _offer(run, callee, made)
    return Partial(Library(WITHIN), (made, callee), {}, at=origin)


def scope_of(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Instance | None:
    """Return the scope in which a library's decorator runs a function; None if it is none that matters."""
    package, _, last = name.rpartition(".")
    if package == "jax" and last in _ORDERS:
        return scope(run, name, origin, order=Const(_ORDERS[last], at=origin))
    surrounding, switches = _COMPILERS.get(name, ("", ()))
    if not surrounding:
        return None
    given = [arguments.keywords[switch] for switch in switches if switch in arguments.keywords]
    value: Value = given[0] if given else NONE if switches else Const(True)
    said = late_weights.of_traced(name)
    if not is_quiet(value):
        said[surrounding] = value if value.at is not None else replace(value, at=origin)
    return scope(run, name, origin, **said) if said else None


def wrapped(value: Value) -> Value | None:
    """Return the function that a value calls in a scope; None where the value is no such call."""
    if isinstance(value, Partial) and isinstance(value.function, Library) and value.function.name == WITHIN:
        return value.positional[1]
    return None


def _callable(value: Value) -> bool:
    return any(isinstance(option, (Function, Bound, Partial, Instance)) for option in options(value))


def _offer(run: Interpreter, callee: Value, made: Instance) -> None:
    """Let a function that no code here calls be entered in the scope, since other code may call it."""
    function = callee.function if isinstance(callee, Bound) else callee
    if isinstance(function, Function):
        context_of(run).offered.setdefault(id(function.node), made)


def _within(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    made, callee, *given = arguments.positional
    with execution_context.entered(run, made):
        result = run.call(callee, replace(arguments, positional=given), origin)
    if isinstance(made, Instance) and made.table.get(cell("order")) is not None:  # a gradient
        return UnknownValue(Sentence("is the result of `", origin, "`"), mask="none", at=origin)
    return result


def _estimate(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate an Estimator, which calls its model function in a graph of its own."""
    function = arguments.get(0, "model_fn")
    if not isinstance(function, Function):
        return None
    made = scope(run, "tensorflow.Graph", origin, eager_disabled=Const(True, at=origin))
    passed = Arguments(list(signatures.parameters_unknown(run, function, None).values()))
    with execution_context.entered(run, made):
        run.call(function, passed, origin)
    return None
