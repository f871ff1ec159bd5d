"""A ragged tensor reaches the layer."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN209"
NEEDED = "a dense tensor"
SAYS = "a RaggedTensor reaches the layer ({found})"
ADVICE = "Turn it into a dense tensor."


def find(case: Case) -> Finding:
    """YES where a RaggedTensor arrives."""
    return judge_fact(case.around("ragged"), lambda value: value is True)
