"""The layer is told not to use cuDNN."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN110"
NEEDED = 'use_cudnn="auto"'
SAYS = "use_cudnn is {found}; the layer was told to stay away from cuDNN"
ADVICE = "Leave use_cudnn out, unless the refusal is meant."


def find(case: Case) -> Finding:
    """YES where `use_cudnn` equals False; 0 does, and Keras takes it."""
    return judge_argument(case, "use_cudnn", lambda value: value in (False,))
