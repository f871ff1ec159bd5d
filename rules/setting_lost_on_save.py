"""A setting is lost when the layer is saved or wrapped."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN302"
NEEDED = "a setting that is kept"
SAYS = "{found} is lost"
ADVICE = "Set it again after loading."


def find(case: Case) -> Finding:
    """YES where a written setting does not survive."""
    return Finding(Truth.NO)
