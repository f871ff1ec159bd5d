"""What a run of the command line left behind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """What a run of the command line left behind."""

    status: int
    out: str
    err: str
