"""Loads the rulebook, `rules/`, and proves that it holds together before any file is read.

The folder is the list: every `.py` in it is a rule, loaded under the import name `cudnnlint.rules`
wherever it is (inside the package in a wheel, beside it in a checkout or an editable install).
A rule that does not load, or a row that names no rule, is fatal: a run with fewer rules would say
"clean" of what it never asked.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from cudnnlint.core.book import Rule, Rulebook
from cudnnlint.core.errors import RulebookError
from cudnnlint.core.report import RulePage
from cudnnlint.rulebook.table_loader import load as load_tables

URL = "https://cudnnlint.readthedocs.io/rules/{name}/"


def folder() -> Path:
    """Return where the rules are: in the package (a wheel), else beside it (a checkout)."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


def pages(codes: Collection[str]) -> tuple[RulePage, ...]:
    """Return the pages of the rules with these codes, in the order of the codes."""
    return tuple(
        RulePage(rule.code, rule.name, rule.summary, rule.page, URL.format(name=rule.name))
        for rule in sorted(load().rules.values(), key=lambda rule: rule.code)
        if rule.code in codes
    )


@lru_cache(maxsize=1)
def load() -> Rulebook:
    """Load and prove the rulebook; the result is kept.

    Raises RulebookError, which names the rule or row at fault.
    """
    where = folder()
    package = sys.modules.get("cudnnlint.rules")
    if package is None:
        package = ModuleType("cudnnlint.rules")
        package.__path__ = [str(where)]
        sys.modules["cudnnlint.rules"] = package
    names = sorted(path.stem for path in where.glob("*.py") if path.stem != "__init__")
    rules = {rule.name: rule for rule in (_rule(name) for name in names)}
    book = Rulebook(rules, load_tables(where / "tables"))
    prove(book)
    return book


def _rule(stem: str) -> Rule:
    try:
        module = importlib.import_module(f"cudnnlint.rules.{stem}")
    except (ImportError, SyntaxError, NameError, AttributeError, TypeError, ValueError) as error:
        raise RulebookError(f"The rule {stem} cannot be loaded: {error}.") from error
    page = (module.__doc__ or "").strip()
    missing = [name for name in ("CODE", "NEEDED", "SAYS", "ADVICE") if not hasattr(module, name)]
    if missing or not page:
        raise RulebookError(f"The rule {stem} has no {', '.join(missing) or 'page (module docstring)'}.")
    return Rule(
        code=module.CODE,
        name=stem.replace("_", "-"),
        summary=page.splitlines()[0].strip(),
        page=page,
        needed=module.NEEDED,
        says=module.SAYS,
        advice=module.ADVICE,
        find=getattr(module, "find", None),
        fix=getattr(module, "fix", None),
        requirement=getattr(module, "REQUIREMENT", stem.replace("_", "-")),
        advise=getattr(module, "advise", None),
        may_stay=getattr(module, "MAY_STAY", False),
        otherwise=getattr(module, "otherwise", None),
    )


def prove(book: Rulebook) -> None:
    """Hold rules and rows against each other.

    Raises RulebookError for a code that is used twice or has the wrong shape, and for a row that names no rule.
    """
    seen: dict[str, str] = {}
    for rule in book.rules.values():
        if not re.fullmatch(r"CDN\d{3}", rule.code):
            raise RulebookError(f"The rule {rule.name} has the code {rule.code!r}; it has to be CDN and three digits.")
        if rule.code in seen:
            raise RulebookError(f"The rules {seen[rule.code]} and {rule.name} have the same code {rule.code}.")
        seen[rule.code] = rule.name
    tables = book.tables
    named = {name for row in tables.rows for name in [*row.blocked_by, *row.insisted, row.because] if name}
    named |= {concern.rule for concern in (*tables.gates, *tables.defects, *tables.notes)}
    for name in sorted(named):
        if name not in book.rules:
            raise RulebookError(f"A row of the tables names the rule {name}, which has no file in rules/.")
        if book.rules[name].find is None:
            raise RulebookError(f"A row of the tables names the rule {name}, which has no function find().")
