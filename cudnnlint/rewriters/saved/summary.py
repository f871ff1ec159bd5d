"""The summary of a rewrite."""

from __future__ import annotations

from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass


@dataclass
class Summary:
    """What a rewrite changed, and what a reader must know; one sentence each."""

    changes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
