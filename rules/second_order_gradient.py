"""A gradient of a gradient is taken through the layer."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN210"
NEEDED = "first-order gradients only"
SAYS = "a gradient of a gradient is taken through the layer ({found}); the kernel has none"
ADVICE = "Give the layer use_cudnn=False."


def find(case: Case) -> Finding:
    """YES where second-order gradients are taken."""
    return judge_fact(case.around("second_order"), lambda value: value is True)
