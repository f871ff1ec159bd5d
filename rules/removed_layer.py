"""The target has no such class."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN203"
NEEDED = "a class that the target has"
SAYS = "{found} does not exist in this target"
ADVICE = "Use the LSTM or GRU layer."


def find(case: Case) -> Finding:
    """YES where the tables say that the class is gone."""
    return Finding(Truth.of(case.missing), case.construction.class_name, case.construction.place, "written")
