"""What users read about each situation: every sentence, advice and fix of the rules, each once.

A line is what one diagnostic says, and where it was met first. `outcomes.py --write` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.layer import FileHints, Layer

#: One release for each way of speaking: of old and new Keras, of each package and each backend.
TARGETS = (
    "keras 2.3.1 tensorflow 1.15.5", "tensorflow 2.0.0", "keras 2.13.1", "tf_keras 2.21.0", "keras 3.0.0",
    "keras 3.11.3", "keras 3.15.0 torch", "keras 3.15.0 jax",
)  # fmt: skip


def lines(situations: Iterable[tuple[str, tuple[Layer, str, FileHints]]], judge: Any) -> Iterator[str]:
    """Yield what the diagnostics say; `judge` returns those of a layer in a file of a kind, for a target."""
    seen = set[str]()
    for what, (layer, kind, hints) in situations:
        for where in TARGETS:
            for one in judge(layer, kind, hints, where):
                if (text := _told(one)) not in seen:
                    seen.add(text)
                    yield f"{text} [{what}; {where}]"


def _told(one: Diagnostic) -> str:
    told = {
        "found": one.found, "needed": one.needed, "help": one.advice, "or": one.instead, "then": one.consequence,
        "fix": f"{one.fix.applicability.value}: {one.fix.message}" if one.fix else None,
    }  # fmt: skip
    parts = [f"{name} {text}" for name, text in told.items() if text]
    return " | ".join([f"{one.code} {one.severity.value} {one.message.rpartition(' (')[0]}", *parts])
