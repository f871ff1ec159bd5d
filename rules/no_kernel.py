"""cuDNN has no kernel for this class of layer as Keras uses it."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN111"
NEEDED = "an LSTM or GRU layer"
SAYS = "{class} is a layer for which Keras has no cuDNN kernel"
ADVICE = "Use an LSTM or GRU where the model allows it, or accept the loop."


def find(case: Case) -> Finding:
    """YES: the row for this class has no kernel."""
    return Finding(Truth.YES, case.construction.class_name, case.construction.place, "written")
