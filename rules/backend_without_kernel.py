"""The backend has no cuDNN kernel for this layer in this release."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN402"
NEEDED = "a backend with a kernel for this layer"
SAYS = "Keras {detail} runs a {class} on the {found} backend without cuDNN"
ADVICE = "Move to a release or backend with a kernel."


def find(case: Case) -> Finding:
    """YES: the row for this backend has no kernel."""
    return Finding(Truth.YES, case.point.backend, None, "default", detail=str(case.point.keras))
