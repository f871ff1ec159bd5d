"""The result cache: a second run says the same, and what a result rests on makes it void."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from shell_run import Run

from cudnnlint.check import read_all
from cudnnlint.check.check_file import CheckedFile
from cudnnlint.files import cache
from cudnnlint.fix import ways
from cudnnlint.fix.candidates import Candidate
from cudnnlint.rulebook import loader

Command = Callable[..., Run]
LAYER = "import keras\nlayer = keras.layers.LSTM(8, recurrent_dropout=0.5)\n"
IMPORTING = "import keras\nfrom settings import DROPOUT\nlayer = keras.layers.LSTM(8, recurrent_dropout=DROPOUT)\n"
ASKING = """import tensorflow as tf
if tf.__version__ < '2':
    tf.keras.layers.LSTM(8)
else:
    tf.keras.layers.GRU(8)
"""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that were read and not remembered, in their order."""
    seen: list[str] = []
    real = read_all._fresh

    def recorded(run: read_all._Run, found: read_all.Found) -> read_all.KeptReading:
        seen.append(found.path)
        return real(run, found)

    monkeypatch.setattr(read_all, "_fresh", recorded)
    return seen


@pytest.fixture
def check(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """A run of the command line with a cache of its own."""
    monkeypatch.delenv("CUDNNLINT_NO_CACHE")
    return lambda *words: run("--cache-dir", str(tmp_path / "kept"), "--output-format", "report", *words)


@pytest.fixture
def read_once(fresh: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No fix is written out, so that a file is read once in a run."""
    monkeypatch.setattr("cudnnlint.cli.check_run.WITH_EDITS", frozenset())


@pytest.mark.parametrize("text", [LAYER, ASKING, "import keras\n# no layer\n", "x = 1\n"])
def test_a_second_run_says_the_same_and_reads_nothing_again(check: Command, fresh: list[str], text: str) -> None:
    Path("model.py").write_text(text)
    first = check("model.py")
    times = len(fresh)
    assert times > 0
    assert check("model.py") == first
    assert len(fresh) == times
    assert check("--no-cache", "model.py") == first
    assert len(fresh) == 2 * times


@pytest.mark.usefixtures("read_once")
def test_another_text_is_read(check: Command, fresh: list[str]) -> None:
    Path("model.py").write_text(LAYER)
    assert '"found": "0.5"' in check("model.py").out
    Path("model.py").write_text(LAYER.replace("0.5", "0.25"))
    assert '"found": "0.25"' in check("model.py").out
    assert len(fresh) == 2


@pytest.mark.usefixtures("read_once")
def test_a_file_that_imports_a_changed_file_is_read_again(check: Command, fresh: list[str]) -> None:
    Path("settings.py").write_text("DROPOUT = 0.5\n")
    Path("model.py").write_text(IMPORTING)
    assert '"found": "0.5"' in check("model.py").out
    Path("settings.py").write_text("DROPOUT = 0.0\n")
    assert check("model.py").status == 0
    Path("settings.py").unlink()
    assert '"unknown": 1' in check("model.py").out
    assert fresh == ["model.py"] * 3


def test_a_module_that_appears_is_noticed(check: Command) -> None:
    Path("model.py").write_text(IMPORTING)
    assert '"unknown": 1' in check("model.py").out
    Path("settings.py").write_text("DROPOUT = 0.5\n")
    assert '"fallback": 1' in check("model.py").out


def test_another_target_or_configuration_counts(check: Command, tmp_path: Path) -> None:
    Path("model.py").write_text(ASKING)
    new = check("--target", "tensorflow@2.12", "model.py")
    old = check("--target", "tensorflow@2.4", "model.py")
    assert '"class_name": "GRU"' in new.out
    assert '"keras": "2.4' in old.out
    Path("cudnnlint.toml").write_text('target = "tensorflow@2.9"\n')
    assert '"keras": "2.9' in check("model.py").out
    Path("cudnnlint.toml").write_text('target = "tensorflow@2.10"\n')
    assert '"keras": "2.10' in check("model.py").out


def test_another_rulebook_makes_every_result_void(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    shutil.copytree(loader.folder(), rules)
    before = cache.program(rules)
    cache.program.cache_clear()
    assert cache.program(rules) == before
    with (rules / "tables" / "routes.toml").open("a") as table:
        table.write("# one more line\n")
    cache.program.cache_clear()
    assert cache.program(rules) != before


@pytest.mark.usefixtures("read_once")
def test_nothing_is_kept_of_a_file_with_an_error(check: Command, fresh: list[str]) -> None:
    Path("broken.py").write_text("import keras\nkeras.layers.LSTM(\n")
    assert check("broken.py") == check("broken.py")
    assert fresh == ["broken.py"] * 2


def test_a_fix_is_proved_on_the_text_that_it_makes(check: Command) -> None:
    Path("model.py").write_text("import keras\nlayer = keras.layers.LSTM(8, unroll=True)\n")
    assert check("model.py") == check("model.py")
    assert check("--fix", "model.py").status == 0
    assert Path("model.py").read_text() == "import keras\nlayer = keras.layers.LSTM(8)\n"
    assert '"cudnn": 1' in check("model.py").out


def test_fixes_are_written_out_once_for_a_text(check: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    real = ways.candidates

    def counted(results: Sequence[CheckedFile], others: Sequence[str]) -> Iterator[Candidate]:
        written.append(len(results))
        return real(results, others)

    monkeypatch.setattr(ways, "candidates", counted)
    Path("model.py").write_text("import keras\nlayer = keras.layers.LSTM(8, unroll=True)\n")
    first = check("model.py")
    assert '"content": ""' in first.out
    assert check("model.py") == first
    assert written == [1]
    Path("model.py").write_text("import keras\nlayer = keras.layers.LSTM(16, unroll=True)\n")
    assert check("model.py").status == first.status
    assert written == [1, 1]


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_cache_is_dropped(check: Command, fresh: list[str], tmp_path: Path, damage: bytes) -> None:
    Path("model.py").write_text(LAYER)
    first = check("model.py")
    cache._cache.cache_clear()
    for file in (tmp_path / "kept").glob("results*"):
        file.unlink()
    (tmp_path / "kept" / cache.NAME).write_bytes(damage)
    assert check("model.py") == first
    assert check("model.py") == first
    assert len(fresh) == 2


@pytest.mark.usefixtures("read_once")
def test_a_damaged_result_is_read_again(check: Command, fresh: list[str], tmp_path: Path) -> None:
    Path("model.py").write_text(LAYER)
    first = check("model.py")
    with sqlite3.connect(tmp_path / "kept" / cache.NAME) as database:
        database.execute("UPDATE results SET value = ?", (b"damaged",))
    assert check("model.py") == first
    assert len(fresh) == 2


def test_two_runs_at_once_share_one_cache(check: Command, tmp_path: Path) -> None:
    Path("model.py").write_text(LAYER)
    other = cache.Cache(tmp_path / "kept")
    mine = cache.Cache(tmp_path / "kept")
    for number in range(20):
        mine.put(f"mine {number}", b"1")
        other.put(f"theirs {number}", b"2")
    assert [mine.get(f"theirs {number}") for number in range(20)] == [b"2"] * 20
    assert [other.get(f"mine {number}") for number in range(20)] == [b"1"] * 20
    assert check("model.py") == check("model.py")


def test_a_cache_that_another_run_holds_locked_costs_nothing_but_time(
    check: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_WAIT", 0.0)
    Path("model.py").write_text(LAYER)
    first = check("--no-cache", "model.py")
    holder = cache.Cache(tmp_path / "kept")
    assert holder.connection is not None
    holder.connection.execute("BEGIN EXCLUSIVE")
    assert check("model.py") == first
    holder.connection.execute("COMMIT")
    assert check("model.py") == first


def test_a_cache_that_grows_too_large_loses_its_older_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cache.Cache(tmp_path / "kept")
    names = [f"key {number}" for number in range(20)]
    for name in names:
        kept.put(name, os.urandom(50_000))
    monkeypatch.setattr(cache, "LARGEST", kept.file.stat().st_size // 2)
    kept.put("the last", b"new")
    assert kept.get("the last") == b"new"
    assert [name for name in names if kept.get(name) is not None] == names[11:]
    assert kept.file.stat().st_size < 15 * 50_000


def test_where_nothing_can_be_written_nothing_is_kept(check: Command, tmp_path: Path, run: Command) -> None:
    Path("model.py").write_text(LAYER)
    (tmp_path / "kept").write_text("a file, and no folder")
    assert check("model.py") == check("--no-cache", "model.py")


@pytest.mark.usefixtures("read_once")
def test_clean_empties_it(check: Command, run: Command, fresh: list[str], tmp_path: Path) -> None:
    Path("model.py").write_text(LAYER)
    check("model.py")
    assert sorted(os.listdir(tmp_path / "kept"))[:2] == [".gitignore", "CACHEDIR.TAG"]
    cache._cache.cache_clear()
    assert run("clean", "--cache-dir", str(tmp_path / "kept")).status == 0
    assert not (tmp_path / "kept").exists()
    assert run("clean", "--cache-dir", str(tmp_path / "kept")).status == 0
    check("model.py")
    assert len(fresh) == 2


def test_results_are_kept_for_the_user_and_not_in_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache.default_folder() == tmp_path / "user" / "cudnnlint"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.default_folder() == tmp_path / ".cache" / "cudnnlint"
