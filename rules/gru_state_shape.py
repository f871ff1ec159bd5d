"""A GRU returns a state of the wrong shape from the cuDNN path."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN602"
NEEDED = "return_state=False"
SAYS = "return_state is {found}; the kernel path of this release returns the state in the wrong shape"
ADVICE = "Move to Keras 3.11.3 or later."


def find(case: Case) -> Finding:
    """YES where the state is returned."""
    return judge_argument(case, "return_state", bool)
