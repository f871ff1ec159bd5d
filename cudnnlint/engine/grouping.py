"""One diagnostic for each place, however many layers it covers."""

from __future__ import annotations

import re

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Fix
from cudnnlint.core.quick_dataclass import replace


def group(found: list[Diagnostic]) -> list[Diagnostic]:
    """Return one diagnostic for each place, code and target, however many layers it covers."""
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in found:
        where = diagnostic.location or diagnostic.layer_path
        key = (diagnostic.path, where, diagnostic.code, diagnostic.target, diagnostic.requirement)
        if key in kept:
            layers = tuple(dict.fromkeys((*kept[key].layers, *diagnostic.layers)))
            both = replace(kept[key], layers=layers, fix=_common(kept[key].fix, diagnostic.fix))
            kept[key] = _speaking_of(both, tuple(dict.fromkeys((*kept[key].subjects, *diagnostic.subjects))))
        else:
            kept[key] = diagnostic
    return list(kept.values())


def _speaking_of(diagnostic: Diagnostic, subjects: tuple[str, ...]) -> Diagnostic:
    """Return a finding whose sentences name the classes of all layers that it covers: "this GRU" is "this GRU/LSTM"."""
    if subjects == diagnostic.subjects:
        return diagnostic
    told, tells = ("/".join(names) for names in (diagnostic.subjects, subjects))
    spoken = re.compile(rf"(^|this ){re.escape(told)} ")
    reason, outcome = (spoken.sub(rf"\g<1>{tells} ", text) for text in (diagnostic.reason, diagnostic.outcome))
    return replace(
        diagnostic, reason=reason, outcome=outcome, message=f"{reason} {outcome}".rstrip(), subjects=subjects
    )


def _common(left: Fix | None, right: Fix | None) -> Fix | None:
    """Return the fix of a finding that covers several layers.

    It is the one that all of them call for, no safer than for any of them; None where they differ.
    """
    if left is None or right is None or left.intent is None or right.intent is None:
        return None
    if left.intent.steps != right.intent.steps:
        return None
    return min(left, right, key=lambda fix: fix.applicability.boldness)
