"""The releases at which the packages become something else, read once with this module (tables/milestones.toml)."""

from __future__ import annotations

from cudnnlint.rulebook import loader
from cudnnlint.rulebook.table_loader import milestones

MILESTONES = milestones(loader.folder() / "tables")
