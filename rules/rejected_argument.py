"""The constructor does not take an argument that is given."""

from __future__ import annotations

from cudnnlint.core.fact import place_of, shown
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN208"
NEEDED = "arguments that the class takes"
SAYS = "{class} does not take {found}"
ADVICE = "Leave the argument out."


def find(case: Case) -> Finding:
    """YES where an argument is not one of the class's."""
    names = [name for name in case.rejected if not (case.layer.saved and name == "time_major")]
    if not names:
        return ABSENT_FAULT
    facts = {name: case.construction.argument(name) for name in names}
    found = ", ".join(f"{name}={shown(fact)}" for name, fact in facts.items())
    return Finding(Truth.YES, found, place_of(facts[names[0]]), "written")
