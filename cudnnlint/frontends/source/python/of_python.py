"""A value that Python itself puts somewhere, whatever it is."""

from __future__ import annotations

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python.values import UnknownValue


@record(frozen=True, eq=False)
class OfPython(UnknownValue):
    """What Python puts into a class: no object of a class of the program."""
