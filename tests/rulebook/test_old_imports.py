"""What proves old Keras: until when each name was there, as the wheels show (tests/oracle/old_imports.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.rulebook import loader, table_loader
from cudnnlint.targets import releases
from cudnnlint.targets.releases import PACKAGED

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "old_imports.json"
KERAS_3_HAS = EVIDENCE.with_name("dropped_names.json")
KNOWN = releases.load(loader.folder() / "tables", dict)
TABLE = table_loader.read(loader.folder() / "tables" / "releases.toml")
DROPPED = table_loader.dropped_by_keras_3(TABLE)
ASKED_ELSEWHERE = {*DROPPED, *TABLE["last_packages"]}
BOUNDS = {**KNOWN.old_imports, **KNOWN.layer_names, **KNOWN.later_imports}
EVERY = {name: bound for name, bound in BOUNDS.items() if name not in ASKED_ELSEWHERE}


def asked(package: str) -> dict[Version, set[str]]:
    """Return what each release of a package has that was asked."""
    records = [json.loads(line) for line in EVIDENCE.read_text().splitlines()]
    return {Version(one[package]): set(one["has"]) for one in records if package in one}


def tables() -> Iterator[tuple[str, str, Version]]:
    """Yield each name with its package, and the first release that is without it; not what rests on another row."""
    for name, (package, until) in EVERY.items():
        if name != "tensorflow.keras.optimizers.*(lr)":  # keras.optimizers.*(lr), as TensorFlow brings it
            yield name, package, until


@pytest.mark.parametrize(("name", "package", "until"), list(tables()))
def test_an_old_name_is_there_until_the_release_of_the_table(name: str, package: str, until: Version) -> None:
    every = asked(package)
    there = {release for release, has in every.items() if name in has}
    expected = {release for release in every if min(there) <= release < until}
    handed_on = {one for one in every if KNOWN.standalone_until <= one < PACKAGED} if package == "keras" else set()
    assert there == expected if there & handed_on else there == expected - handed_on


def test_every_bound_lies_between_neighbours() -> None:
    """The last release before a bound and the first from it on were both looked at."""
    for package in ("keras", "tensorflow"):
        every = asked(package)
        bounds = {until for _, of, until in tables() if of == package and until <= max(every)}
        assert all(min(every) < until for until in bounds)
        assert {name for has in every.values() for name in has} == {name for name, of, _ in tables() if of == package}
    assert max(until for _, of, until in tables() if of == "keras") <= max(asked("keras"))


def test_what_keras_3_dropped_was_in_the_last_keras_2_and_is_in_no_keras_3() -> None:
    records = [json.loads(line) for line in KERAS_3_HAS.read_text().splitlines()]
    has = {Version(one["keras"]): one["has"] for one in records}
    assert has[max(release for release in has if release < releases.KERAS_3)] == DROPPED
    assert [names for release, names in has.items() if release >= releases.KERAS_3] == [[]] * (len(has) - 1)
    assert len(has) > 2


@pytest.mark.parametrize("name", DROPPED)
def test_a_name_that_keras_3_dropped_bounds_a_program_by_it(name: str) -> None:
    bounds = {"keras": releases.KERAS_3, "tensorflow": releases.TENSORFLOW_WITH_KERAS_3}
    assert BOUNDS[name] == (name.partition(".")[0], bounds[name.partition(".")[0]])
