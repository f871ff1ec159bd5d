"""Which runs of a model stop where eager execution is off: fit() of Keras 3 reads its data eagerly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context import execution_context
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Value, choice, join, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The methods of a model that run it, and the kind of stop (tables/defaults.toml).
KINDS = {
    **dict.fromkeys(("fit", "evaluate", "predict"), "fit(), evaluate() or predict() with eager execution off"),
    "predict_on_batch": "predict_on_batch() with eager execution off",
    **dict.fromkeys(
        ("train_on_batch", "test_on_batch"), "train_on_batch() or test_on_batch() with eager execution off"
    ),
}


def of_run(run: Interpreter, method: str) -> dict[str, Value]:
    """Return the surrounding "run_stops" of the layers that a method of a model calls; nothing if nothing stops it."""
    off = execution_context.now(run, "eager_disabled")
    if off is None or method not in KINDS:
        return {}
    kind = KINDS[method]
    found = [_stop(kind, option) for option in options(off)]
    return {"run_stops": join(found, choice(off))}


def _stop(kind: str, off: Value) -> Value:
    if isinstance(off, Const):
        return Const(kind, at=off.at, assumed=off.assumed) if off.value else UNBOUND
    return UNBOUND if off is UNBOUND else join([Const(kind), UNBOUND])
