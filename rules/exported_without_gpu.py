"""The saved program was traced without a GPU and holds the loop."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN403"
NEEDED = "an export made where a GPU is visible"
SAYS = "the export holds the loop ({found}); it was traced where no GPU was visible"
ADVICE = "Export on a machine with a GPU."


def find(case: Case) -> Finding:
    """YES where the saved program has the loop baked in."""
    return judge_fact(case.around("exported"), lambda how: how == "loop")
