"""What is written takes the place of the old file at once, and what killed runs have left goes away."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST
from shell_run import Run

from cudnnlint.files import atomic

PROGRAM = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)  # short\n"
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners, locks and modes are those of POSIX")


@posix
def test_what_a_killed_run_left_goes_away_and_what_a_live_one_has_stays(tmp_path: Path) -> None:
    left = tmp_path / ".a.txt.cudnnlint-0123"
    left.mkdir()
    (left / "new").write_text("half")
    with atomic.scratch(tmp_path / "a.txt") as live:
        atomic.write(tmp_path / "a.txt", b"whole")
        assert live.is_dir()
    assert [path.name for path in tmp_path.iterdir() if path.name != ".git"] == ["a.txt"]


@posix
def test_the_owner_and_the_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 1234, 2345)
    before = path.stat()
    atomic.write(path, b"new")
    after = path.stat()
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


def test_a_file_that_may_not_be_written_to_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(stat.S_IRUSR)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may write everywhere
    with pytest.raises(PermissionError):
        atomic.write(path, b"new")
    assert path.read_text() == "old"


@posix
def test_a_link_stays_a_link_and_one_to_itself_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    atomic.write(tmp_path / "link", b"new")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "real").read_text()) == (True, "new")
    with pytest.raises(OSError, match="symbolic links"):
        atomic.write(tmp_path / "loop", b"new")


@posix
def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    atomic.write(tmp_path / ("\N{SNOWMAN}" * 80 + "n" * 15), b"new")


@pytest.mark.parametrize("becomes", [PROGRAM + "# more\n", None])
def test_a_file_that_changes_while_it_is_fixed_is_not_written(
    becomes: str | None, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cudnnlint import pipeline

    fix = pipeline.fix

    def meanwhile(*given: object) -> pipeline.Fixed:
        done = fix(*given)  # type: ignore[arg-type]
        Path("a.py").unlink() if becomes is None else Path("a.py").write_text(becomes)
        return done

    for name in ("a.py", "b.py"):
        Path(name).write_text(PROGRAM)
    monkeypatch.setattr(pipeline, "fix", meanwhile)
    done = run("--fix", *KERAS, "a.py", "b.py")
    said = "Wrote 1 other file.\ncudnnlint: a.py was changed while it was checked. Run the command again.\n"
    assert done == Run(2, "", said)
    assert (Path("a.py").read_text() if becomes else None, Path("a.py").exists()) == (becomes, becomes is not None)
    assert "unroll" not in Path("b.py").read_text()


def test_two_runs_that_fix_the_same_file_at_once_both_succeed(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cudnnlint import pipeline

    fix = pipeline.fix

    def meanwhile(*given: object) -> pipeline.Fixed:
        done = fix(*given)  # type: ignore[arg-type]
        Path("a.py").write_bytes(done.sources["a.py"][1])
        return done

    Path("a.py").write_text(PROGRAM)
    monkeypatch.setattr(pipeline, "fix", meanwhile)
    assert run("--fix", *KERAS, "a.py").status == 0


def test_comments_go_into_the_lines_that_were_checked_or_nowhere(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cudnnlint import pipeline

    check = pipeline.check

    def meanwhile(*given: object) -> pipeline.Outcome:
        done = check(*given)  # type: ignore[arg-type]
        Path("a.py").write_text("# a line before\n" + PROGRAM)
        return done

    Path("a.py").write_text(PROGRAM)
    monkeypatch.setattr(pipeline, "check", meanwhile)
    done = run("--add-noqa", *KERAS, "a.py")
    said = "cudnnlint: a.py was changed while it was checked. Run the command again.\n"
    assert done == Run(2, "", f"Added comments to 0 lines.\n{said}")
    assert Path("a.py").read_text() == "# a line before\n" + PROGRAM


def test_folders_of_another_run_are_passed_over(run: Callable[..., Run]) -> None:
    folder = Path(".model.keras.cudnnlint-0123")
    folder.mkdir()
    (folder / "model.py").write_text(PROGRAM)
    done = run(*KERAS, ".")
    assert (done.status, "no Python files" in done.out or "No" in done.out) == (0, True), done


def test_a_file_that_gets_no_comments_because_it_is_broken_is_named(run: Callable[..., Run]) -> None:
    Path("a.py").write_text("import keras\nkeras.layers.LSTM(")
    Path("b.py").write_text(PROGRAM)
    done = run("--add-noqa", *KERAS, ".")
    assert done.err.startswith("a.py: Its syntax is not valid Python")
    assert "noqa" in Path("b.py").read_text()
