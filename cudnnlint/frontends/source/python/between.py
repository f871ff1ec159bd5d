"""A number of which only the least and the greatest value is known."""

from __future__ import annotations

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python.values import NONE, Either, UnknownValue, Value


@record(frozen=True, eq=False)
class Between(UnknownValue):
    """A number from `low` to `high`, both of which it may be.

    A program that asks about it gets no answer. What depends on how great it is alone, is the same for all if it is
    the same for both.
    """

    low: Value = NONE
    high: Value = NONE


def ends(value: Value) -> Value:
    """Return the least or the greatest of such a number; another value as it is."""
    return Either((value.low, value.high), value.because) if isinstance(value, Between) else value
