"""Fixing where it is not easy: files of others, names that are no text, files that move, and another run at work."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from newest_releases import NEWEST
from shell_run import Run

from cudnnlint.files import discovery
from cudnnlint.files.found import Found

Command = Callable[..., Run]
PROGRAM = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)  # short\n"
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
NOBODY = 65534
DENIED = os.strerror(errno.EACCES)
posix = pytest.mark.skipif(sys.platform == "win32", reason="users, pipes and names of bytes are those of POSIX")


def is_fixed(path: Path) -> bool:
    return "unroll" not in path.read_text()


# ---------------------------------------------------------------- another user


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that every user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="shared"))
    folder.chmod(0o755)
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    yield folder
    for path in folder.rglob("*"):
        path.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def as_another_user() -> Iterator[None]:
    """Be another user than root until the end."""
    os.setresgid(NOBODY, NOBODY, 0)  # type: ignore[attr-defined, unused-ignore]
    os.setresuid(NOBODY, NOBODY, 0)  # type: ignore[attr-defined, unused-ignore]
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)  # type: ignore[attr-defined, unused-ignore]
        os.setresgid(0, 0, 0)  # type: ignore[attr-defined, unused-ignore]


def written(path: Path, owner: int, mode: int, content: bytes = PROGRAM.encode()) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    os.chown(path, owner, owner)
    path.chmod(mode)
    return path


@pytest.mark.skipif(not hasattr(os, "setresuid") or os.geteuid() != 0, reason="only root can be another user")
def test_a_user_changes_what_is_theirs_and_nothing_else(shared: Path, run: Command) -> None:
    run("--fix", *KERAS, str(written(shared / "warm.py", 0, 0o644)))  # what is imported may be out of the other's reach
    (shared / "warm.py").unlink()
    own = written(shared / "own.py", NOBODY, 0o600)
    theirs = [
        written(shared / "of_root.py", 0, 0o644),
        written(shared / "read_only.py", NOBODY, 0o444),
        written(shared / "closed" / "inside.py", NOBODY, 0o644),
    ]
    hidden = written(shared / "unreadable.py", 0, 0o600)
    os.chown(shared, NOBODY, NOBODY)
    (shared / "closed").chmod(0o555)
    before = {path: (path.read_bytes(), path.stat()) for path in [*theirs, hidden]}
    with as_another_user():
        done = run("--fix", *KERAS, ".")
    assert is_fixed(own)
    assert (own.stat().st_uid, stat.S_IMODE(own.stat().st_mode)) == (NOBODY, 0o600)
    assert {path: (path.read_bytes(), path.stat()) for path in before} == before
    assert done.status == 2
    said = [f"cudnnlint: Cannot write {path.relative_to(shared)}: {DENIED}." for path in theirs]
    assert sorted(done.err.splitlines()) == sorted(["Wrote 1 other file.", *said])
    assert sorted(path.name for path in shared.iterdir() if path.name.startswith(".")) == [".git"]


@pytest.mark.skipif(not hasattr(os, "setresuid") or os.geteuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("mode", [0o000, 0o200])
def test_what_a_user_may_not_read_is_a_finding_and_the_others_go_on(mode: int, shared: Path, run: Command) -> None:
    run(*KERAS, str(written(shared / "own.py", NOBODY, 0o644)))
    written(shared / "hidden.py", 0, mode)
    written(shared / "closed" / "inside.py", NOBODY, 0o644)
    (shared / "closed").chmod(mode)
    with as_another_user():
        done = run("--output-format", "json", *KERAS, ".")
    found = {one["path"]: one["code"] for one in json.loads(done.out)}
    assert found.pop("own.py") == "CDN105"
    assert found == {"hidden.py": "CDN001", "closed": "CDN001"}


# ---------------------------------------------------------------- names and files that move


@pytest.fixture
def nameless(tmp_path: Path) -> Path:
    """A program whose name is no text in UTF-8."""
    name = os.fsdecode(b"gr\xf6\xdfe.py")
    try:
        (tmp_path / name).write_text(PROGRAM)
    except OSError:
        pytest.skip("names are text here")
    return tmp_path / name


@posix
@pytest.mark.parametrize("form", ["text", "json", "sarif", "html", "junit", "github", "gitlab", "markdown", "rdjson"])
def test_a_name_that_is_no_text_is_written_out(form: str, nameless: Path, run: Command) -> None:
    done = run("--output-format", form, *KERAS, ".")
    assert (done.status, done.err) == (1, "")
    assert "gr" in done.out
    done.out.encode()  # no lone surrogate


@posix
def test_a_file_whose_name_is_no_text_is_fixed_and_its_findings_can_be_kept(nameless: Path, run: Command) -> None:
    assert run("--write-baseline", "base.json", *KERAS, ".").status == 0
    assert run("--baseline", "base.json", *KERAS, ".").status == 0
    assert run("--fix", "--diff", "--output-file", "fix.patch", *KERAS, ".").status == 1
    assert os.fsencode(f"--- {nameless.name}\n") in Path("fix.patch").read_bytes()
    assert run("--fix", *KERAS, ".").status == 0
    assert is_fixed(nameless)


def gone(path: Path) -> None:
    path.unlink()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


@posix
@pytest.mark.parametrize("becomes", [gone, a_pipe, a_folder, a_loop])
@pytest.mark.parametrize("name", ["b.py", "b.keras", "b.ipynb"])
def test_a_file_that_moves_after_it_was_found_is_a_finding_and_the_others_are_fixed(
    name: str, becomes: Callable[[Path], None], run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in ("a.py", name, "c.py"):
        Path(one).write_text(PROGRAM)
    discover = discovery.discover

    def meanwhile(*given: Any) -> Iterator[Found]:
        found = list(discover(*given))
        becomes(Path(name))
        monkeypatch.setattr(discovery, "discover", discover)
        return iter(found)

    monkeypatch.setattr(discovery, "discover", meanwhile)
    done = run("--fix", "--output-format", "json", *KERAS, ".")
    assert [(one["path"], one["code"]) for one in json.loads(done.out)] == [(name, "CDN001")]
    assert (done.status, done.err) == (1, "Fixed 2 findings.\n")
    assert is_fixed(Path("a.py"))
    assert is_fixed(Path("c.py"))


# ---------------------------------------------------------------- two runs at once


def test_two_runs_over_one_tree_fix_all_of_it_and_leave_nothing(tmp_path: Path) -> None:
    names = [f"p{number:02}.py" for number in range(20)]
    for name in names:
        (tmp_path / name).write_text(PROGRAM)
    command = [sys.executable, "-m", "cudnnlint", "--fix", "--jobs", "1", "-q", *KERAS, "."]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate() for one in runs]
    changed = [err for _, err in said if "was changed while it was checked" in err]
    # 1: the other run changed a file while a fix for it was proved, which is then not offered
    assert {one.returncode for one in runs} <= {0, 1, 2}, said
    assert len(changed) == [one.returncode for one in runs].count(2)
    assert all(is_fixed(tmp_path / name) for name in names)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", *names]


def test_a_fix_that_another_run_made_meanwhile_is_not_said_to_be_wrong(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was: "the edit would leave the finding, or cause another one"."""
    from cudnnlint.fix import jobs

    work = jobs.work

    def meanwhile(*given: Any) -> Any:
        Path("a.py").write_text(PROGRAM.replace(", unroll=True", ""))
        return work(*given)

    Path("a.py").write_text(PROGRAM)
    monkeypatch.setattr(jobs, "work", meanwhile)
    done = run("--fix", "--jobs", "1", *KERAS, "a.py")
    assert "the file was changed while it was checked" in " ".join(done.out.split())
    assert (done.status, "a.py was changed while it was checked. Run the command again." in done.err) == (2, True)
