"""A file that Keras 2 wrote does not load in Keras 3."""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN206"
NEEDED = "a file written by Keras 3"
SAYS = "{found} was written by Keras 2, which Keras 3 does not load"
ADVICE = "Load it with tf_keras, or rewrite the file."


def find(case: Case) -> Finding:
    """YES where the file carries `time_major`, which only Keras 2 writes."""
    if not case.layer.saved:
        return ABSENT_FAULT
    place = case.construction.place
    if "time_major" in case.construction.arguments:
        return Finding(Truth.YES, "the file", place, "written")
    if (case.file_keras or "").startswith("2."):
        because = f"the file was written by Keras {case.file_keras}, and not every such file loads in Keras 3"
        return Finding(Truth.UNKNOWN, "the file", place, "unknown", because=because)
    return ABSENT_FAULT
