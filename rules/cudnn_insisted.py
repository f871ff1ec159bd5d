"""The layer insists on cuDNN, which it cannot have."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN202"
NEEDED = 'use_cudnn="auto"'
SAYS = "use_cudnn is {found}, and this layer cannot run in cuDNN"
ADVICE = "Mend the other fault, or leave use_cudnn out."


def find(case: Case) -> Finding:
    """YES where `use_cudnn` is True itself; 1 passes and never raises."""
    return judge_argument(case, "use_cudnn", lambda value: value is True)
