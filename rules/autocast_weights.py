"""Mixed precision wraps the weights of a GRU, which this release then keeps from cuDNN."""

from __future__ import annotations

from cudnnlint.core.fact import Absent
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN114"
NEEDED = "plain variables as weights"
SAYS = "the policy {found} wraps the weights of a GRU, and this TensorFlow takes only plain variables to cuDNN"
ADVICE = "Use TensorFlow 2.5 or later, or float32 for this layer."


def find(case: Case) -> Finding:
    """YES for a GRU under a mixed policy; UNKNOWN where only a half compute dtype is seen."""
    if case.operation != "GRU":
        return ABSENT_FAULT
    own = case.argument("dtype")
    fact = case.around("dtype") if isinstance(own, Absent) or getattr(own, "value", "") is None else own
    return judge_fact(fact, mixed)


def mixed(value: object) -> Truth:
    """Is this a policy whose variables and computations differ in dtype?"""
    text = str(value)
    if text.startswith("mixed_"):
        return Truth.YES
    return Truth.UNKNOWN if text in ("float16", "bfloat16") else Truth.NO
