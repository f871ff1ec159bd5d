"""The cell was replaced after construction, and the kernel does not know."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN605"
NEEDED = "the cell of the constructor"
SAYS = "layer.cell is replaced ({found}); the kernel computes the standard cell all the same"
ADVICE = "Use RNN around the cell."


def find(case: Case) -> Finding:
    """YES where `layer.cell` is assigned."""
    return judge_fact(case.around("cell_replaced"), lambda value: value is True)
