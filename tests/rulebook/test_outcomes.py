"""A table that changes shows what it changes: what each release makes of each situation and value, as recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from outcomes import RECORDED


@pytest.mark.parametrize(("name", "lines"), RECORDED.items())
def test_each_release_makes_of_each_situation_what_is_recorded(name: str, lines: Callable[[], Iterator[str]]) -> None:
    recorded = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    found = list(lines())
    assert [line for line in found if line not in recorded] == []
    assert found == recorded
