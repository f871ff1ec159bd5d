"""Compiled tables say what the TOML says, and are passed over where they do not belong to it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cudnnlint.rulebook import compiled_tables, loader, table_loader

TABLES = sorted((loader.folder() / "tables").glob("*.toml"))


def test_every_table_is_compiled_and_says_what_its_toml_says() -> None:
    assert len(TABLES) > 5
    for path in TABLES:
        found = compiled_tables.recalled(path, path.read_bytes())
        assert repr(found) == repr(table_loader.parsed(path.read_bytes())), "run python -m cudnnlint.dev.docs"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a copy of a table that is compiled."""
    shutil.copytree(loader.folder() / "tables", tmp_path / "tables")
    path = tmp_path / "tables" / "milestones.toml"
    assert compiled_tables.recalled(path, path.read_bytes()) is not None
    return path


def test_a_table_that_was_changed_since_is_read_as_it_is_now(table: Path) -> None:
    table.write_text(table.read_text(encoding="utf-8") + "[another]\nversion = '9.9'\n", encoding="utf-8")
    assert table_loader.read(table)["another"] == {"version": "9.9"}


@pytest.mark.parametrize("damaged", ["", "{", "[]", '"of"', '{"of": 1}', "{'of'}", "\x00", '{"table": {}}'])
def test_a_compiled_table_that_is_damaged_is_passed_over(damaged: str, table: Path) -> None:
    wanted = table_loader.parsed(table.read_bytes())
    compiled_tables.place(table).write_text(damaged, encoding="utf-8")
    assert table_loader.read(table) == wanted


def test_a_table_that_is_not_compiled_is_read_all_the_same(table: Path) -> None:
    wanted = table_loader.parsed(table.read_bytes())
    compiled_tables.place(table).unlink()
    assert table_loader.read(table) == wanted


def test_a_compiled_table_that_holds_no_table_is_passed_over(table: Path) -> None:
    place = compiled_tables.place(table)
    text = place.read_text(encoding="utf-8")
    place.write_text(text[: text.index('"table":')] + '"table": []}', encoding="utf-8")
    assert table_loader.read(table) == table_loader.parsed(table.read_bytes())
