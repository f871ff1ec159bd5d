"""The layer is the TensorFlow 1 class, which never uses cuDNN."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN112"
NEEDED = "the class of tf.keras.layers"
SAYS = "{found} is the TensorFlow 1 class of this name, which never reaches cuDNN"
ADVICE = "Import the class from tf.keras.layers; its defaults differ."


def find(case: Case) -> Finding:
    """YES: the row for this class has no kernel."""
    return Finding(Truth.YES, case.construction.path or case.operation, case.construction.place, "written")
