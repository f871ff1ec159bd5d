"""The milestones (tables/milestones.toml) go with the releases that the other tables know."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.target import Span
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLES = loader.load().tables
KNOWN = environment.known()
EVERY = sorted(loader.folder().glob("tables/*.toml"))
#: How many releases the package index had up to one of them (2026-11); later ones are added behind.
COUNTED = {"keras": ("3.15.1", 94), "tf_keras": ("2.21.0", 8), "tensorflow": ("2.21.0", 93)}


def oldest(framework: str) -> Version:
    """The oldest Keras 2 of a package that the table of releases knows; TensorFlow 1 had one of another kind."""
    return min(Version(f"{major}.{minor}.0") for major, minor in KNOWN.minors(framework) if major == 2)


@pytest.mark.parametrize("framework", ["tensorflow", "tf_keras"])
def test_a_package_begins_with_its_oldest_release(framework: str) -> None:
    assert TABLES.milestones.first[framework] == oldest(framework)
    assert TABLES.milestones.first["keras"] == TABLES.milestones.dates["packaged"]


def test_keras_3_runs_on_what_its_first_wheel_runs_on() -> None:
    assert TABLES.milestones.dates["beneath_keras_3"] == Version("2.15.0")


@pytest.mark.parametrize("framework", COUNTED)
def test_no_release_is_left_out(framework: str) -> None:
    last, number = COUNTED[framework]
    assert sum(release <= Version(last) for release in KNOWN.known[framework]) == number


def checked(data: Any, row: Mapping[str, Any] = MappingProxyType({})) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """What a part of a table says it was checked up to: the framework, "" where it is not said, the release, the row.

    A row has the bounds of the part around it.
    """
    if isinstance(data, dict):
        row = {**row, **{key: data[key] for key in ("framework", "since", "until") if key in data}}
    parts = data.items() if isinstance(data, dict) else [("", one) for one in data] if isinstance(data, list) else []
    for key, value in parts:
        if key != "checked":
            yield from checked(value, row)
        else:
            given = value if isinstance(value, dict) else {row.get("framework", ""): value}
            yield from ((framework, release, row) for framework, release in given.items())


def read(table: Path) -> dict[str, Any]:
    return tomllib.loads(table.read_text(encoding="utf-8"))


@pytest.mark.parametrize("table", EVERY, ids=lambda path: path.stem)
def test_what_was_checked_is_a_release_that_exists(table: Path) -> None:
    for framework, release, _ in checked(read(table)):
        known = [KNOWN.known[framework]] if framework else KNOWN.known.values()
        assert release == "read" or any(Version(release) in releases for releases in known), release


@pytest.mark.parametrize("table", EVERY, ids=lambda path: path.stem)
def test_what_was_checked_is_a_release_for_which_the_row_holds(table: Path) -> None:
    """A release from which on the package has no Keras of its own is none of its framework."""
    for framework, release, row in checked(read(table)):
        spans = (Span.of(row.get("since"), row.get("until")), Span(None, TABLES.milestones.end.get(framework)))
        assert release == "read" or all(Version(release) in span for span in spans), (release, row)


def bounds(data: Any, framework: Any = None) -> Iterator[tuple[str, Any]]:
    """Where the rows of a part of a table begin and end: the release, and the framework or frameworks."""
    if isinstance(data, list):
        for one in data:
            yield from bounds(one, framework)
    elif isinstance(data, dict):
        framework = data.get("framework", framework)
        for key, value in data.items():
            if key in ("since", "until"):
                yield value, framework
            elif key in ("tensorflow_since", "tensorflow_until"):
                yield value, "tensorflow"
            else:
                yield from bounds(value, framework)


@pytest.mark.parametrize("table", [path for path in EVERY if path.stem != "machine"], ids=lambda path: path.stem)
def test_rows_begin_and_end_at_a_release_that_exists(table: Path) -> None:
    """Or at the first of a minor, some of which were never released."""
    for release, framework in bounds(read(table)):
        names = [framework] if isinstance(framework, str) else framework or [*KNOWN.known]
        minors = {one.release[:2] for name in names for one in KNOWN.known[name]}
        known = {one for name in names for one in KNOWN.known[name]}
        bound = Version(release)
        assert bound in known or (bound.release[:2] in minors and bound.micro == 0), (release, framework)
