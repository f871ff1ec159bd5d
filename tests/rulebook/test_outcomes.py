"""A table that changes shows what it changes: what each release makes of each situation and value, as recorded."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import by_release
import pytest
import tables_by_release
from outcomes import line, situations, told

SITUATIONS = {what: (given, targets) for what, given, targets in situations()}


@cache
def recorded(name: str) -> list[str]:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("what", SITUATIONS)
def test_each_release_makes_of_a_situation_what_is_recorded(what: str) -> None:
    given, targets = SITUATIONS[what]
    assert line(what, given, targets) in recorded("outcomes.txt")


def test_no_situation_is_recorded_that_is_not_asked() -> None:
    assert len(recorded("outcomes.txt")) == len(SITUATIONS)


def test_each_release_takes_the_values_and_has_the_traits_that_are_recorded() -> None:
    found, known = list(by_release.lines()), recorded("by_release.txt")
    assert [one for one in found if one not in known] == []
    assert found == known


def test_each_release_loads_the_files_and_has_the_names_and_masks_that_are_recorded() -> None:
    found, known = list(tables_by_release.lines()), recorded("tables_by_release.txt")
    assert [one for one in found if one not in known] == []
    assert found == known


def test_each_situation_is_told_in_the_words_that_are_recorded() -> None:
    assert list(told()) == recorded("wording.txt")
