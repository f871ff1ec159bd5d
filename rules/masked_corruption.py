"""A mask together with this cuDNN corrupts results."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN604"
NEEDED = "no mask, or cuDNN 8.9.2 and later"
SAYS = "a mask reaches the layer ({found}); the cuDNN of this TensorFlow release corrupts masked sequences"
ADVICE = "Install cuDNN 8.9.2 or later."


def find(case: Case) -> Finding:
    """YES where a mask arrives."""
    return judge_fact(case.around("mask"), lambda mask: mask != "none")
