"""What the tables know of remedies: releases that have a kernel for a layer, and compilers for one that keeps its loop.

The rules know no release; their advice asks here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from packaging.version import Version

from cudnnlint.core.fact import Assumed, Known, alternatives
from cudnnlint.core.rule import Case
from cudnnlint.core.tables import Row, Tables
from cudnnlint.core.target import GENERATION
from cudnnlint.core.verdict import Route

KERNELS = (Route.CUDNN, Route.FUSED)
NONE_IN_GRAPHS = ("backend-without-kernel",)  # what fit and predict run has no kernel then
PROPER = {"tensorflow": "TensorFlow", "torch": "torch", "jax": "JAX"}
#: What the arguments of an LSTM or GRU have to be for its cell to be one that a kernel computes.
ELIGIBLE = {
    "activation": ("tanh",), "recurrent_activation": ("sigmoid",), "unroll": (False,), "use_bias": (True,),
    "reset_after": (True,), "use_cudnn": ("auto",),  # where cuDNN is insisted on, no loop is left
}  # fmt: skip
#: With which arguments a layer computes what the class for the kernel alone computes: its weights fit that one.
SAME = {
    "LSTM": 'LSTM(recurrent_activation="sigmoid")',
    "GRU": 'GRU(recurrent_activation="sigmoid", reset_after=True)',
}


def cures(case: Case, tables: Tables) -> str:
    """Return which releases have a kernel for a layer, those on its own backend first."""
    since = {backend: _since(case.operation, backend, tables.rows) for backend in PROPER}
    order = sorted(PROPER, key=lambda backend: backend != case.point.backend)
    there = [f"Keras {since[backend]} and later on {PROPER[backend]}" for backend in order if since[backend]]
    if case.point.framework in ("keras", "tensorflow") and case.point.keras.major < GENERATION:
        there.insert(0, f"tf.keras of TensorFlow {tables.milestones.first['tensorflow']} and later")
    never = [PROPER[backend] for backend in order if since[backend] is None]
    none = f", and on {' and '.join(never)} in no release" if never else ""
    return f"{_own_class(case, tables)}A cuDNN kernel for {case.operation} is in {', '.join(there)}{none}"


def _own_class(case: Case, tables: Tables) -> str:
    """Return a sentence on the class that this release has for the kernel alone; "" where it has none."""
    name = f"CuDNN{case.operation}"
    rows = [row for row in tables.rows if name in row.operations and row.scope.holds(case.point)]
    there = any(row.route in KERNELS for row in rows)
    if not there:
        return ""
    limits = "on a GPU only, and without dropout, masks and other activations"
    return f"In this release {name} runs in cuDNN, {limits}; it computes what {SAME[case.operation]} does. "


def _since(operation: str, backend: str, rows: Sequence[Row]) -> Version | None:
    """Return the release from which on Keras 3 has a kernel on a backend; None where the newest has none."""
    found: Version | None = None
    for row in sorted(_of_keras_3(operation, backend, rows), key=_start):
        kernel = row.route in KERNELS and not any(rule in row.blocked_by for rule in NONE_IN_GRAPHS)
        found = (found or row.scope.keras.since) if kernel else None
    return found


def _start(row: Row) -> tuple[int, ...]:
    since = row.scope.keras.since
    return since.release if since is not None else ()


def _of_keras_3(operation: str, backend: str, rows: Sequence[Row]) -> Iterator[Row]:
    for row in rows:
        scope = row.scope
        mine = operation in row.operations and scope.framework == "keras" and scope.backend == backend
        if mine and scope.keras.since is not None and scope.keras.since.major >= GENERATION:
            yield row


def loop(case: Case, tables: Tables) -> str | None:
    """Return how to make a loop faster that has to stay; None where no compiler is known to help."""
    by = next((one.then for one in tables.compilers if one.scope.holds(case.point)), None)
    if by == "asked":
        return "If the loop has to stay, compile(jit_compile=True) lets XLA compile it; that is usually much faster."
    if by is None:
        return None
    if not _eligible(case):
        return (
            "If the loop has to stay: Keras lets XLA compile it, unless another layer of the model uses cuDNN, or "
            "compile() is given jit_compile=False or run_eagerly=True."
        )
    if "use_cudnn" not in case.defaults:
        return None
    return (
        "If the loop has to stay, set use_cudnn=False: only then does Keras let XLA compile it, unless compile() is "
        "given jit_compile=False or run_eagerly=True."
    )


def _eligible(case: Case) -> bool:
    """Return whether the arguments are those of the kernel, so that Keras keeps XLA away from the model."""
    return case.operation in ("LSTM", "GRU") and all(
        isinstance(fact, (Known, Assumed)) and fact.value in wanted
        for name, wanted in ELIGIBLE.items()
        for fact in alternatives(case.argument(name))
        if name in case.defaults
    )
