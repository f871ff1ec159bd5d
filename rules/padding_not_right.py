"""A mask that is not right-padded reaches the layer."""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.fact import Known, Unknown, alternatives
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN201"
NEEDED = "a right-padded mask without empty rows"
SAYS = "the mask that reaches the layer is {found}; cuDNN takes right padding only"
ADVICE = "Pad on the right."


CONDITION = "a mask that is not right-padded or has an empty row"


def find(case: Case) -> Finding:
    """YES for left padding or an empty row, decided at run time where the data pad."""
    mask = case.around("mask")
    finding = judge_fact(mask, wrong)
    if finding.truth is Truth.NO and mask != Known("none"):
        empty = judge_fact(case.around("mask_with_empty_row"), bool)
        if empty.truth is Truth.YES:
            return replace(empty, found="a mask with an empty row")
    if finding.truth is Truth.UNKNOWN and not any(isinstance(f, Unknown) for f in alternatives(mask)):
        return replace(finding, run_time=True, condition=CONDITION)
    return finding


def wrong(mask: object) -> Truth:
    """Is a mask with this padding one that cuDNN does not take?"""
    return {"left": Truth.YES, "data": Truth.UNKNOWN}.get(str(mask), Truth.NO)
