"""A subclass replaces the loop that would hand the layer to cuDNN."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN113"
NEEDED = "Keras's own inner_loop and call"
SAYS = "the class replaces {found}, where Keras would choose cuDNN"
ADVICE = "Call the method of the base class."


def find(case: Case) -> Finding:
    """YES where `inner_loop` is replaced; UNKNOWN where `call` is, without a call of super's."""
    made = case.construction
    replaced = [name for name in made.overrides if name not in made.calls_super]
    if "inner_loop" in replaced:
        return Finding(Truth.YES, "inner_loop", made.place, "written")
    if "call" in replaced:
        because = f"the class {made.subclass} replaces call, and it is not seen that it reaches Keras's own"
        return Finding(Truth.UNKNOWN, "call", made.place, "unknown", because=because)
    return Finding(Truth.NO)
