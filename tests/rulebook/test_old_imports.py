"""The imports that prove old Keras: until when each was there, as the wheels show (tests/oracle/old_imports.py)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.rulebook import loader
from cudnnlint.targets import releases

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "old_imports.json"
ASKED = {Version(one["keras"]): set(one["has"]) for one in map(json.loads, EVIDENCE.read_text().splitlines())}
KNOWN = releases.load(loader.folder() / "tables", {})
TABLE = {name: until for name, (of, until) in {**KNOWN.old_imports, **KNOWN.later_imports}.items() if of == "keras"}


@pytest.mark.parametrize("name", TABLE)
def test_an_old_import_is_there_until_the_release_of_the_table(name: str) -> None:
    there = {release for release, has in ASKED.items() if name in has}
    assert there == {release for release in ASKED if min(there) <= release < TABLE[name]}


def test_every_bound_lies_between_neighbours() -> None:
    """The last release before a bound and the first from it on were both looked at."""
    assert all(min(ASKED) < until <= max(ASKED) for until in TABLE.values())
    assert {name for has in ASKED.values() for name in has} == set(TABLE)
