"""The page on limits says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cudnnlint.core.file_limits import DEFAULT, KEYS
from cudnnlint.files import cache, discovery
from cudnnlint.fix import search
from cudnnlint.formats import limits
from cudnnlint.frontends.serialized import trace, tree
from cudnnlint.frontends.source.lower import lower
from cudnnlint.frontends.source.python import budget, modules
from cudnnlint.frontends.source.syntax import guard
from cudnnlint.rewriters.saved import isolation
from cudnnlint.settings import baseline, config, globs
from cudnnlint.targets import lockfiles, readings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "limits.md"
ROWS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", PAGE.read_text("utf-8"), re.M))
MIB = 1 << 20
SAID = {
    "a Python file": [DEFAULT.source_bytes // MIB],
    "a notebook": [DEFAULT.notebook_bytes // MIB],
    "the configuration of a saved model (JSON)": [
        limits.MAX_TEXT // MIB, limits.MAX_CONTAINERS, limits.MAX_NESTING],
    "layers of a saved model; calls of layers": [tree.MAX_LAYERS, trace.MAX_CALLS],
    "brackets inside one another in source": [guard.DEEPEST],
    f"brackets, commas and texts more than {guard.DEEP} brackets deep, each counted for every bracket beyond": [
        guard.MOST_DEEP],
    "layers inside the wrappers of one layer": [lower.MOST_INSIDE],
    "operators, dots and calls in one expression": [guard.LONGEST],
    "steps that a source file is followed for": [DEFAULT.steps],
    "steps of one function that nothing calls": [DEFAULT.steps // budget.ENTRY_PART],
    "steps of all readings of a file that asks which release it runs on": [readings.MOST_STEPS],
    "readings of a file, or of files that share layers, in which fixes are tried": [
        search.TRIALS, search.LEAST_TRIALS, search.TRIAL_STEPS],
    "calls inside one another that are followed": [budget.DEPTH],
    "files that one file imports and that are followed": [modules.MOST_FILES],
    "folders inside one another that are walked": [discovery.DEEPEST],
    "a configuration, a .gitignore, a lock file": [config.LARGEST // MIB],
    "stars in one name of a path pattern, and `**` in one pattern": [globs.MOST_STARS, globs.MOST_LEVELS],
    "requirements files that include one another": [lockfiles.MOST_INCLUDED],
    "a baseline": [baseline.LARGEST // MIB],
    "rewriting a saved model": [int(isolation.PATIENCE), isolation.PACE // MIB],
    "the result cache": [cache.LARGEST // MIB],
}  # fmt: skip


@pytest.mark.parametrize("what", SAID)
def test_the_page_names_the_limit_that_the_code_has(what: str) -> None:
    numbers = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", ROWS[what])]
    assert numbers == SAID[what]


def test_the_page_names_the_limits_that_can_be_set() -> None:
    text = PAGE.read_text("utf-8")
    assert [key for key in KEYS if f"`{key}`" not in text] == []
    assert set(re.findall(r"^([a-z-]+) = [\d_]+$", text, re.M)) == set(KEYS)


def test_every_row_is_held_to_the_code() -> None:
    assert set(ROWS) - {"what", "---"} == set(SAID)
    assert lockfiles.LIMIT == config.LARGEST
