"""The saved program holds the cuDNN operation and stops on a machine without a GPU."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN207"
NEEDED = "an export made for any machine"
SAYS = "the export holds the cuDNN operation ({found}), which no CPU can run"
ADVICE = "Export with use_cudnn=False, or with the GPU hidden."


def find(case: Case) -> Finding:
    """YES where the saved program has the operation baked in."""
    return judge_fact(case.around("exported"), lambda how: how == "op")
