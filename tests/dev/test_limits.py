"""The page on limits says what the code does, and every limit that can be set has its bounds and its place in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudnnlint.core.file_limits import BOUNDS, DEFAULT, KEYS, Limits
from cudnnlint.core.quick_dataclass import field_names
from cudnnlint.dev import limit_table
from cudnnlint.files import cache
from cudnnlint.fix import search
from cudnnlint.frontends.source.syntax import guard
from cudnnlint.rewriters.saved import isolation
from cudnnlint.settings import config, globs
from cudnnlint.targets import small_texts

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "limits.md").read_text("utf-8")


def test_each_field_is_explained_once() -> None:
    assert tuple(name.replace("_", "-") for name in field_names(Limits)) == KEYS == tuple(limit_table.TEXTS)


@pytest.mark.parametrize("key", KEYS)
def test_the_default_is_within_the_bounds(key: str) -> None:
    least, most = BOUNDS[key]
    assert least <= getattr(DEFAULT, key.replace("-", "_")) <= most


#: What `core.file_limits` looks up itself, for those that ask it.
WITHIN = ("source-bytes", "notebook-bytes", "seconds")


def test_each_limit_is_asked_for_where_it_holds() -> None:
    files = [path for path in (ROOT / "cudnnlint").rglob("*.py") if path.name != "file_limits.py"]
    code = "\n".join(path.read_text("utf-8") for path in files)
    assert [key for key in KEYS if key not in WITHIN and f".{key.replace('-', '_')}" not in code] == []


def test_the_page_is_written_from_the_limits() -> None:
    assert limit_table.page(PAGE) == PAGE, "run python -m cudnnlint.dev.docs"


def test_what_the_page_says_besides_is_so() -> None:
    assert small_texts.LIMIT == config.LARGEST
    assert f"| a configuration, a .gitignore, a lock file | {config.LARGEST // limit_table.MIB} MiB |" in PAGE
    assert f"in one pattern | {globs.MOST_STARS}, {globs.MOST_LEVELS} |" in PAGE
    assert f"| {cache.LARGEST // limit_table.MIB} MiB |" in PAGE
    assert f"only {search.LEAST_TRIALS} of them" in PAGE
    assert f"more than {guard.DEEP} brackets deep" in PAGE
    assert f"each {isolation.PACE // limit_table.MIB} MiB" in PAGE
