"""The limits that a configuration may set: what one file may cost. docs/reference/limits.md explains them.

They are in force for the work on one file (`held`), so that what reads it need not hand them on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.quick_dataclass import dataclass

MIB, GIB = 1 << 20, 1 << 30


@dataclass(frozen=True)
class Limits:
    """What one file may cost; each field is a key of `[tool.cudnnlint.limits]`, bounded by `BOUNDS`."""

    source_bytes: int = 32 * MIB  # the largest Python files known (generated tables) have 10 MB
    notebook_bytes: int = 256 * MIB  # notebooks with figures have 100 MB
    config_bytes: int = 64 * MIB  # vocabularies make some megabytes, an embedding matrix given as Constant tens of them
    config_items: int = 500_000
    config_depth: int = 100  # a nested model costs eight levels
    model_layers: int = 20_000
    model_calls: int = 50_000  # a model that calls a model that calls a model ... is exponential
    bracket_depth: int = 200  # CPython itself refuses more ("too many nested parentheses")
    deep_tokens: int = 300_000  # libcst copies what is inside brackets, some 3 microseconds for each bracket around it
    expression_parts: int = 1_000  # libcst needs 3 s for 1,000 chained calls (quadratic)
    steps: int = 150_000  # a file of 3,000 lines without helpers needs some 30,000
    release_steps: int = 600_000
    fix_readings: int = 100
    fix_steps: int = 600_000
    wrapped_layers: int = 256
    call_depth: int = 48  # real model code goes some ten deep
    imported_files: int = 60
    imported_bytes: int = 3 * MIB
    folder_depth: int = 100
    requirements_files: int = 50
    baseline_bytes: int = 256 * MIB  # a finding takes 150
    rewrite_seconds: int = 60
    seconds: int = 0  # no limit: a verdict should not hang on the machine

    def bytes_of(self, kind: str) -> int:
        """Return how many bytes a file of a kind (python, notebook) may have."""
        return self.notebook_bytes if kind == "notebook" else self.source_bytes


DEFAULT = Limits()


#: The least and the most that each key may be set to. Where recursion is limited, the most is safe for the stack of
#: every Python that is supported. 0 seconds are no limit.
BOUNDS: Mapping[str, tuple[int, int]] = {
    "source-bytes": (1, GIB),
    "notebook-bytes": (1, 4 * GIB),
    "config-bytes": (1, GIB),
    "config-items": (1, 10_000_000),
    "config-depth": (1, 400),
    "model-layers": (1, 1_000_000),
    "model-calls": (1, 5_000_000),
    "bracket-depth": (1, 200),
    "deep-tokens": (1, 10_000_000),
    "expression-parts": (1, 3_000),
    "steps": (1, 100_000_000),
    "release-steps": (1, 1_000_000_000),
    "fix-readings": (1, 10_000),
    "fix-steps": (1, 1_000_000_000),
    "wrapped-layers": (1, 2_000),
    "call-depth": (1, 100),
    "imported-files": (1, 10_000),
    "imported-bytes": (1, GIB),
    "folder-depth": (1, 1_000),
    "requirements-files": (1, 200),
    "baseline-bytes": (1, 4 * GIB),
    "rewrite-seconds": (1, 86_400),
    "seconds": (0, 86_400),
}
KEYS = tuple(BOUNDS)


@dataclass(frozen=True)
class _Held:
    """Limits in force; `late` says whether their time is over, None where there is no such limit."""

    limits: Limits = DEFAULT
    late: Callable[[], bool] | None = None


_BY_DEFAULT = _Held()
_held: ContextVar[_Held] = ContextVar("limits")


def in_force() -> Limits:
    """Return the limits of the file that is worked on."""
    return _held.get(_BY_DEFAULT).limits


def overdue() -> bool:
    """Return whether the file that is worked on has taken all the time that it may take."""
    late = _held.get(_BY_DEFAULT).late
    return late is not None and late()


def prove_in_time() -> None:
    """Raise UnreadableInput where the file is overdue, and a part of it would be worth nothing."""
    if overdue():
        seconds = in_force().seconds
        raise UnreadableInput(f"Reading it takes more processor time than the configuration allows ({seconds} s).")


@contextmanager
def held(limits: Limits, clock: Callable[[], float] | None = None) -> Iterator[None]:
    """Put limits in force for the work on one file, and its `seconds` by a clock; time that runs already goes on."""
    late = _held.get(_BY_DEFAULT).late
    if clock is not None and limits.seconds and late is None:
        end = clock() + limits.seconds

        def late() -> bool:
            return clock() > end

    token = _held.set(_Held(limits, late))
    try:
        yield
    finally:
        _held.reset(token)
