"""The rules, asked of one layer: each once, for graph mode and eager calls alike."""

from __future__ import annotations

from cudnnlint.core.book import Rule, Rulebook
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth


class RulesAsked:
    """Asks rules of one case, each once, and keeps the faults of those that crash.

    No rule reads the mode (tests/test_laws.py), so what was found holds in graph mode and in eager calls.
    """

    def __init__(self, case: Case, book: Rulebook) -> None:
        self.case, self.book = case, book
        self.faults: list[tuple[str, str]] = []
        self._asked: dict[str, tuple[Rule, Finding]] = {}

    def ask(self, name: str) -> tuple[Rule, Finding]:
        """Return a rule and what it finds."""
        if name not in self._asked:
            rule = self.book.rules[name]
            self._asked[name] = rule, self._find(rule)
        return self._asked[name]

    def _find(self, rule: Rule) -> Finding:
        assert rule.find is not None
        try:
            return rule.find(self.case)
        except Exception as error:  # one rule on one layer may fail; it is reported as CDN003 and the others go on
            self.faults.append((rule.name, f"{type(error).__name__}: {error}"))
            return Finding(Truth.UNKNOWN, because=f"the rule {rule.name} crashed")
