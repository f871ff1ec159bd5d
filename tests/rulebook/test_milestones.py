"""The milestones (tables/milestones.toml) go with the releases that the other tables know."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.rulebook import loader
from cudnnlint.targets import environment

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLES = loader.load().tables
KNOWN = environment.known()
ROWS: dict[str, dict[str, Any]] = tomllib.loads(
    (loader.folder() / "tables" / "milestones.toml").read_text(encoding="utf-8")
)


def oldest(framework: str) -> Version:
    """The oldest Keras 2 of a package that the table of releases knows; TensorFlow 1 had one of another kind."""
    return min(Version(f"{major}.{minor}.0") for major, minor in KNOWN.minors(framework) if major == 2)


@pytest.mark.parametrize("framework", ["tensorflow", "tf_keras"])
def test_a_package_begins_with_its_oldest_release(framework: str) -> None:
    assert TABLES.milestones.first[framework] == oldest(framework)
    assert TABLES.milestones.first["keras"] == TABLES.milestones.dates["packaged"]


def test_keras_3_runs_on_what_its_first_wheel_runs_on() -> None:
    assert TABLES.milestones.dates["beneath_keras_3"] == Version("2.15.0")


def test_what_was_checked_is_a_release_that_exists() -> None:
    releases = {f"{major}.{minor}.0" for major, minor in KNOWN.minors("tensorflow")}
    assert {row["checked"] for row in ROWS.values()} <= {"read", *releases}
