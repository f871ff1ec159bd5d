"""A mask reaches the layer, and this target's kernel takes none."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN109"
NEEDED = "no mask"
SAYS = "a mask reaches the layer ({found}); this target's kernel takes none"
ADVICE = "Feed sequences without a mask."


def find(case: Case) -> Finding:
    """YES where a mask arrives, however it is padded."""
    return judge_fact(case.around("mask"), lambda mask: mask != "none")
