"""One diagnostic for each place, however many layers it covers."""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Fix


def group(found: list[Diagnostic]) -> list[Diagnostic]:
    """Return one diagnostic for each place, code and target, however many layers it covers."""
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in found:
        where = diagnostic.location or diagnostic.layer_path
        key = (diagnostic.path, where, diagnostic.code, diagnostic.target, diagnostic.requirement)
        if key in kept:
            layers = tuple(dict.fromkeys((*kept[key].layers, *diagnostic.layers)))
            kept[key] = replace(kept[key], layers=layers, fix=_common(kept[key].fix, diagnostic.fix))
        else:
            kept[key] = diagnostic
    return list(kept.values())


def _common(left: Fix | None, right: Fix | None) -> Fix | None:
    """Return the fix of a finding that covers several layers.

    It is the one that all of them call for, no safer than for any of them; None where they differ.
    """
    if left is None or right is None or left.intent is None or right.intent is None:
        return None
    if left.intent.steps != right.intent.steps:
        return None
    return min(left, right, key=lambda fix: fix.applicability.boldness)
