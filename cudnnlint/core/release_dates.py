"""The releases in which packages become something else (rules/tables/milestones.toml)."""

from __future__ import annotations

from collections.abc import Mapping

from packaging.version import Version

from cudnnlint.core.quick_dataclass import dataclass


@dataclass(frozen=True)
class Milestones:
    """Where the packages become something else: `dates` by name, and the first release and the end of a framework."""

    dates: Mapping[str, Version]
    first: Mapping[str, Version]
    end: Mapping[str, Version]
