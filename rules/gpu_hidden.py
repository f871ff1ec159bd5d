"""The file hides every GPU."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN406"
NEEDED = "a visible GPU"
SAYS = "CUDA_VISIBLE_DEVICES is set to nothing ({found}); no GPU is visible"
ADVICE = "Take the line out."


def find(case: Case) -> Finding:
    """YES where the file hides the GPUs."""
    return judge_fact(case.around("device"), lambda device: device == "hidden")
