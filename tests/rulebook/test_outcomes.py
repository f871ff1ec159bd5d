"""A table that changes shows what it changes: what each release makes of each situation, as recorded."""

from __future__ import annotations

import pytest
from outcomes import FILE, lines


@pytest.fixture(scope="module")
def recorded() -> list[str]:
    return FILE.read_text(encoding="utf-8").splitlines()


def test_each_release_makes_of_each_situation_what_is_recorded(recorded: list[str]) -> None:
    found = list(lines())
    assert [line for line in found if line not in recorded] == []
    assert found == recorded
