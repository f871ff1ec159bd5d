"""From what a rule intends to a fix: what it says, and when it may be applied."""

from __future__ import annotations

from cudnnlint.core.edit import Applicability, Effect, Fix, Intent
from cudnnlint.core.text import sentence

APPLICABILITY = {
    Effect.SAME_NUMBERS: Applicability.SAFE,
    Effect.SAME_AT_INFERENCE: Applicability.UNSAFE,
    Effect.CHANGES_NUMBERS: Applicability.UNSAFE,
    Effect.NEEDS_NEW_WEIGHTS: Applicability.UNSAFE,
}


def written(intent: Intent, saved: bool) -> Fix:
    """Return the fix that an intent means, not yet written out."""
    return Fix(applicability(intent, saved), _fix_text(intent), (), intent)


def applicability(intent: Intent, saved: bool) -> Applicability:
    """Return when a fix may be applied; only one that keeps the numbers is safe."""
    if intent.suggestion or (saved and intent.effect is Effect.NEEDS_NEW_WEIGHTS):
        return Applicability.DISPLAY_ONLY
    return APPLICABILITY[intent.effect]


def _fix_text(intent: Intent) -> str:
    return f"{sentence(intent.says)} Effect: {intent.effect.value}."
