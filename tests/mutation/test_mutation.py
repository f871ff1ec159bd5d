"""The mutation run itself: its mutants are whole programs, it puts them into a running process, and what is explained
is there."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from packaging.version import Version

from cudnnlint.core.tables import RowScope
from cudnnlint.core.target import Point
from cudnnlint.rulebook import compiled_tables, loader, table_loader

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import kept_outcomes  # noqa: E402
import trial  # noqa: E402
from mutants import of_python, of_table  # noqa: E402
from rows import Rows  # noqa: E402
from swap import Held, NeedsImport, parse_once, put  # noqa: E402
from trial import Outcome, explained, of_file, targets, tomllib, trials  # noqa: E402

SOURCE = """\
LIMIT = 3

def outer(value):
    def inner():
        return value > 2
    return inner()

class Kept:
    factor: int = 5

    def times(self, value):
        return value * self.factor
"""
TABLE = """\
[[row]]
names = ["a", "b"]
since = "2.1"  # "2.0"
sure = true
source = "somewhere"
[row.more]
rate = 0.0

[[row]]
names = [
  "c", "d",
]
"""


def test_each_mutant_of_a_module_is_a_program_that_keeps_its_lines() -> None:
    for name in ("engine/fold.py", "core/truth.py"):
        source = (HERE.parents[1] / "cudnnlint" / name).read_text(encoding="utf-8")
        found = list(of_python(source))
        assert len(found) >= 10
        for mutant in found[::5]:
            compile(mutant.text, name, "exec")
            assert mutant.text != source
            assert mutant.text.count("\n") == source.count("\n")


def test_each_mutant_of_a_table_is_a_table_with_one_change() -> None:
    changed = [tomllib.loads(mutant.text)["row"] for mutant in of_table(TABLE)]
    first, second = tomllib.loads(TABLE)["row"]
    assert changed == [
        [second], [first],
        *([{**first, "names": names}, second] for names in (["b"], ["a"])),
        [{**first, "since": "2.2"}, second], [{**first, "sure": False}, second],
        [{**first, "more": {"rate": 1.0}}, second],
        *([first, {"names": names}] for names in (["d"], ["c"])),
    ]  # fmt: skip


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    """SOURCE, imported."""
    path = tmp_path / "subject.py"
    path.write_text(SOURCE, encoding="utf-8")
    specification = importlib.util.spec_from_file_location("subject", path)
    assert specification is not None
    assert specification.loader is not None
    made = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(made)
    return made


def test_a_function_is_changed_where_it_is(module: ModuleType) -> None:
    outer, kept = module.outer, module.Kept()
    changed = SOURCE.replace("value > 2", "value > 3").replace("value * self", "value + 1 + self")
    put(Held.now(), Path(str(module.__file__)), SOURCE, changed)
    assert (outer(3), kept.times(3)) == (False, 9)


def test_what_is_done_at_import_needs_an_import(module: ModuleType) -> None:
    with pytest.raises(NeedsImport):
        put(Held.now(), Path(str(module.__file__)), SOURCE, SOURCE.replace("factor: int = 5", "factor: int = 6"))


def test_a_constant_is_changed_where_it_is_held(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    other = ModuleType("other")
    vars(other).update(LIMIT=module.LIMIT)
    for one in (module, other):
        monkeypatch.setitem(sys.modules, one.__name__, one)
    put(Held.now(), Path(str(module.__file__)), SOURCE, SOURCE.replace("LIMIT = 3", "LIMIT = 4"))
    assert (module.LIMIT, vars(other)["LIMIT"]) == (4, 4)


@pytest.mark.parametrize("line", ["TWICE = LIMIT * 2", "def times(by=LIMIT): ...", "class A:\n    limit = LIMIT"])
def test_a_constant_of_which_more_is_made_at_import_needs_an_import(
    line: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module.__name__, module)
    before, path = f"{SOURCE}\n{line}\n", Path(str(module.__file__))
    path.write_text(before, encoding="utf-8")
    with pytest.raises(NeedsImport):
        put(Held.now(), path, before, before.replace("LIMIT = 3", "LIMIT = 4"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the run needs fork")
def test_what_is_explained_is_a_mutant_still() -> None:
    known = explained()
    every = {trial.key for name in targets() for trial in trials(name)} if known else set()
    assert set(known) <= every
    assert all(len(reason) > 20 for reason in known.values())


def test_a_table_is_parsed_again_where_its_text_is_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(table_loader, "parsed", table_loader.parsed)  # restored afterwards
    monkeypatch.setattr(compiled_tables, "recalled", compiled_tables.recalled)
    parse_once()
    table = tmp_path / "rows.toml"
    for number in (1, 1, 2):
        table.write_text(f"[[row]]\nnumber = {number}\n", encoding="utf-8")
        first, second = table_loader.read(table), table_loader.read(table)
        assert first == {"row": [{"number": number}]}
        assert first is second


def test_a_row_is_known_by_the_tests_for_which_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_loader, "read", table_loader.read)  # restored afterwards
    monkeypatch.setattr(table_loader, "scopes_of", table_loader.scopes_of)
    monkeypatch.setattr(RowScope, "holds", RowScope.holds)
    tables = loader.folder() / "tables"
    rows = Rows(tables)
    rows.context = 7
    loaded = table_loader.load(tables)
    row = loaded.row("LSTM", Point("keras", Version("3.15.1"), "tensorflow", None))
    assert row is not None
    lines = (tables / "routes.toml").read_text(encoding="utf-8").splitlines()
    held = {number for number, tests in rows.by_line()["rules/tables/routes.toml"].items() if 7 in tests}
    assert min(held) == next(number for number, line in enumerate(lines, 1) if line.startswith("[[route]]"))
    assert any(lines[number - 1].startswith("own-loop") for number in held)


@pytest.mark.parametrize(
    ("name", "text", "moved", "changed", "again"),
    [
        ("a.toml", TABLE, f"[[row]]\nsince = '2.1'\n\n# a note\n{TABLE}", TABLE.replace("rate = 0.0", "rate = 0.5"), 6),
        ("a.py", SOURCE, f"MORE = 3\n\n{SOURCE}", SOURCE.replace("value * self", "self.factor * value * self"), 1),
    ],
)
def test_what_only_moved_is_known_and_what_changed_is_tried_again(
    name: str, text: str, moved: str, changed: str, again: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(trial, "ROOT", tmp_path)
    source, stored = tmp_path / name, tmp_path / "record.xz"
    source.write_text(text, encoding="utf-8")
    before = list(of_file(source))
    kept_outcomes.write(before, {one.key: Outcome(one.key, 1, None, 0.0) for one in before}, stored)
    known = []
    for now in (text, moved, changed):
        source.write_text(now, encoding="utf-8")
        known.append(len(list(kept_outcomes.read(of_file(source), stored))))
    assert known == [len(before), len(before), len(before) - again]


def test_an_outcome_counts_as_long_as_its_test_is_there(tmp_path: Path) -> None:
    here = Path(__file__).relative_to(kept_outcomes.ROOT).as_posix()
    own = "test_an_outcome_counts_as_long_as_its_test_is_there"
    there = [f"{here}::{own}[one]", "the program does not start", None]
    noticed = [*there, f"{here}::{own}_too", f"no/{here}::{own}"]
    some = list(trials("log"))[: len(noticed)]
    seen = {one.key: Outcome(one.key, one.mutant.line, test, 0.0) for one, test in zip(some, noticed, strict=True)}
    kept_outcomes.write(some, seen, tmp_path / "record.xz")
    found = {outcome.key: outcome.noticed_by for outcome in kept_outcomes.read(some, tmp_path / "record.xz")}
    assert found == {one.key: test for one, test in zip(some, there, strict=False)}


def test_no_two_mutants_have_the_same_mark() -> None:
    marks = [one.mark for name in targets() for one in trials(name)]
    assert len(marks) == len({*marks})
