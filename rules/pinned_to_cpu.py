"""The layer is pinned to a CPU."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN404"
NEEDED = "no CPU device scope"
SAYS = "the layer is pinned to the device {found}"
ADVICE = "Take the layer out of the device scope."


def find(case: Case) -> Finding:
    """YES where a device scope names a CPU."""
    return judge_fact(case.around("device"), lambda device: device == "cpu")
