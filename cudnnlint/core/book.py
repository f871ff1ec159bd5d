"""The rulebook as it is loaded: rules and tables, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cudnnlint.core.edit import Intent
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.tables import Tables


@dataclass(frozen=True)
class Rule:
    """One rule file. `find` is None where the machine itself gives the code (unreadable input, ...).

    `advise` gives another advice for a case, None for the usual one. `may_stay`: the user may have a reason for what it
    finds, and is then told how to make the loop faster. `otherwise` is another way than the fix.
    """

    code: str
    name: str
    summary: str
    page: str
    needed: str
    says: str
    advice: str
    find: Callable[[Case], Finding] | None
    fix: Callable[[Case], Intent | None] | None
    requirement: str
    advise: Callable[[Case], str | None] | None
    may_stay: bool
    otherwise: Callable[[Case], str | None] | None


@dataclass(frozen=True)
class Rulebook:
    """All rules by name, and the tables."""

    rules: Mapping[str, Rule]
    tables: Tables

    def by_code(self, code: str) -> Rule | None:
        """Return the rule with this code."""
        return next((rule for rule in self.rules.values() if rule.code == code), None)
