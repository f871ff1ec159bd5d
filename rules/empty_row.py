"""A mask with an empty row reaches the layer, which this cuDNN call refuses."""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.fact import Known
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN213"
NEEDED = "no row that is masked throughout"
SAYS = "a row of the mask is empty ({found}); this release passes it on, and cuDNN stops with BAD_PARAM"
ADVICE = "Drop empty rows."


def find(case: Case) -> Finding:
    """YES where an empty row is shown; decided at run time where the data pad."""
    mask = case.around("mask")
    if mask == Known("none"):
        return ABSENT_FAULT
    empty = judge_fact(case.around("mask_with_empty_row"), bool)
    if empty.truth is not Truth.NO:
        return empty
    padding = judge_fact(mask, lambda value: Truth.UNKNOWN if value == "data" else Truth.NO)
    if padding.truth is Truth.UNKNOWN and padding.because is None:
        return replace(padding, run_time=True, condition="a mask with an empty row")
    return padding
