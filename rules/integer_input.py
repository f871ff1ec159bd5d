"""Integers or booleans reach the layer."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN211"
NEEDED = "floating-point input"
SAYS = "the input is {found}; the kernel takes floating-point numbers only"
ADVICE = "Cast the input."


def find(case: Case) -> Finding:
    """YES where the tensor that arrives holds integers or booleans."""
    return judge_fact(case.around("input_dtype"), lambda dtype: str(dtype).startswith(("int", "uint", "bool")))
