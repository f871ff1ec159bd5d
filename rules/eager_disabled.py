"""Eager execution was switched off when the layer was made."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN401"
NEEDED = "eager execution at construction"
SAYS = "eager execution is off where the layer is made ({found})"
ADVICE = "Leave eager execution on."


def find(case: Case) -> Finding:
    """YES where TensorFlow 1 graph mode holds."""
    return judge_fact(case.around("eager_disabled"), lambda value: value is True)
