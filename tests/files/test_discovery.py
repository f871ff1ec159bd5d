"""Which files are read, in which order, and which are never opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from shell_samples import write

from cudnnlint.files import discovery, ignore_files
from cudnnlint.files.left_out import left_out
from cudnnlint.formats.sniff import looks_like_config
from cudnnlint.settings import config


@pytest.fixture(autouse=True)
def _anew() -> None:
    config.forget()
    ignore_files.forget()


def paths(*given: str, force_exclude: bool = False) -> list[str]:
    return [found.path.replace(os.sep, "/") for found in discovery.discover(given, force_exclude)]


def test_a_folder_is_walked_for_what_can_hold_layers(tmp_path: Path) -> None:
    for name in ("b.py", "a.py", "n.ipynb", "m.keras", "m.h5", "m.hdf5", "M.H5", "sub/c.py", ".hidden.py"):
        write(tmp_path, name)
    for name in ("x.txt", "x.pb", "py", "x.pyc"):
        write(tmp_path, name)
    write(tmp_path, "model.json", '{"class_name": "Sequential", "config": {}}')
    write(tmp_path, "package.json", '{"name": "x"}')
    found = [".hidden.py", "M.H5", "a.py", "b.py", "m.h5", "m.hdf5", "m.keras", "model.json", "n.ipynb", "sub/c.py"]
    assert paths(".") == found
    assert paths(str(tmp_path)) == [str(tmp_path / name) for name in found]


def test_overlapping_paths_are_read_once_and_links_too(tmp_path: Path) -> None:
    write(tmp_path, "src/a.py")
    os.symlink(tmp_path / "src" / "a.py", tmp_path / "link.py")
    assert paths("src/a.py", "src", ".", "./src/a.py") == ["src/a.py"]


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    write(tmp_path, "a/b/m.py")
    os.symlink(tmp_path / "a", tmp_path / "a" / "b" / "again")
    os.symlink("loop.py", tmp_path / "loop.py")
    assert paths(".") == ["a/b/m.py"]


def test_what_is_no_regular_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "pipe.json")
    assert paths(".") == []
    (found,) = discovery.discover(("pipe.py",))
    assert found.problem == "Not a regular file, such as a pipe."
    (found,) = discovery.discover(("/dev/null",))
    assert found.problem == "Not a regular file, such as a pipe."


@pytest.mark.parametrize("name", ["absent.py", "absent/dir", "loop"])
def test_a_named_path_that_cannot_be_opened_is_told(name: str, tmp_path: Path) -> None:
    os.symlink("loop", tmp_path / "loop")
    (found,) = discovery.discover((name,))
    assert found.problem is not None
    assert found.problem.startswith("The file cannot be opened:")


def test_gitignore_counts_nested_and_with_exceptions(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "*.h5\n/out/\n!keep.h5\n")
    write(tmp_path, "sub/.gitignore", "!*.h5\nlocal.py\n")
    for name in ("a.h5", "keep.h5", "out/x.py", "sub/b.h5", "sub/local.py", "sub/out/y.py", "local.py"):
        write(tmp_path, name)
    assert paths(".") == ["keep.h5", "local.py", "sub/b.h5", "sub/out/y.py"]


def test_gitignore_above_the_walked_folder_counts_up_to_the_repository(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "*_old.py\n")
    write(tmp_path, ".git/info/exclude", "mine.py\n")
    for name in ("src/a.py", "src/a_old.py", "src/mine.py"):
        write(tmp_path, name)
    assert paths("src") == ["src/a.py"]


def test_a_folder_that_is_named_although_it_is_ignored_is_walked(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "data/\n")
    write(tmp_path, "data/a.py")
    write(tmp_path, "data/.gitignore", "b.py\n")
    write(tmp_path, "data/b.py")
    write(tmp_path, "venv/lib/c.py")
    assert paths("data") == ["data/a.py"]
    assert paths("data/b.py") == ["data/b.py"]
    assert paths("venv") == ["venv/lib/c.py"]
    assert paths(".") == []


def test_default_excludes_hold_below_the_named_folder(tmp_path: Path) -> None:
    for name in ("venv/a.py", "x/node_modules/b.py", "build/c.py", "src/__pycache__/d.py", "src/e.py"):
        write(tmp_path, name)
    assert paths(".") == ["src/e.py"]


def test_exclude_replaces_the_default_and_extend_exclude_adds_to_it(tmp_path: Path) -> None:
    for name in ("venv/a.py", "legacy/b.py", "c.py"):
        write(tmp_path, name)
    write(tmp_path, "cudnnlint.toml", 'extend-exclude = ["legacy/"]\n')
    assert paths(".") == ["c.py"]
    config.forget()
    write(tmp_path, "cudnnlint.toml", 'exclude = ["legacy/"]\n')
    assert paths(".") == ["c.py", "venv/a.py"]


def test_force_exclude_holds_for_what_is_named(tmp_path: Path) -> None:
    for name in ("venv/a.py", "legacy/b.py", "c.py"):
        write(tmp_path, name)
    write(tmp_path, "cudnnlint.toml", 'extend-exclude = ["legacy/"]\n')
    assert paths("venv/a.py", "legacy/b.py", "c.py") == ["venv/a.py", "legacy/b.py", "c.py"]
    assert paths("venv/a.py", "legacy/b.py", "legacy", "c.py", force_exclude=True) == ["c.py"]
    assert list(discovery.stdin("legacy/b.py", b"", True)) == []


def test_a_savedmodel_folder_is_one_thing(tmp_path: Path) -> None:
    write(tmp_path, "models/one/saved_model.pb")
    write(tmp_path, "models/one/assets/vocabulary.py")
    write(tmp_path, "models/two.py")
    found = list(discovery.discover((".",)))
    assert [(item.path, item.folder) for item in found] == [("models/two.py", False), ("models/one", True)]
    (named,) = discovery.discover(("models/one",))
    assert named.folder


@pytest.mark.parametrize(
    "head",
    [
        b'{"class_name": "Sequential", "config": {"name": "s"}}',
        b'\xef\xbb\xbf\n {"module": "keras", "class_name": "Functional", "config": {}}',
        b'"{\\"class_name\\": \\"Sequential\\", \\"config\\": {}}"',
    ],
)
def test_what_looks_like_a_keras_configuration(head: bytes) -> None:
    assert looks_like_config(head)


@pytest.mark.parametrize(
    "head",
    [
        b"", b"[1, 2]", b'{"name": "x"}', b'["class_name", "config"]', b"\x89PNG",
        b'{"files": [{"class_name": "LSTM"}], "config": 1}', b'{"class_name": "Tokenizer", "config": {"num_words": 9}}',
    ],
)  # fmt: skip
def test_what_does_not(head: bytes) -> None:
    assert not looks_like_config(head)


def test_a_name_that_no_file_can_have_is_a_file_that_cannot_be_opened() -> None:
    reason = "The file cannot be opened: its name holds a null character."
    assert [found.problem for found in discovery.discover(("a\0.py",))] == [reason]
    assert [found.problem for found in discovery.stdin("a\0.py", b"", False)] == [reason]


def test_what_is_left_out_is_known_with_its_reason(tmp_path: Path) -> None:
    for name in ("dist/a.py", "build/deep/b.keras", "own/c.py", "ignored/d.ipynb", "e.h5", ".git/hooks/x.sample"):
        write(tmp_path, name)
    write(tmp_path, "node_modules/x/package.json", "{}")
    write(tmp_path, ".gitignore", "ignored/\n*.h5\n")
    assert paths(".") == ["own/c.py"]
    assert left_out((".",)) == {"the default of exclude": ["build", "dist"], ".gitignore": ["e.h5", "ignored"]}
    write(tmp_path, "cudnnlint.toml", 'extend-exclude = ["own"]\n')
    config.forget()
    assert paths(".") == []
    assert left_out((".",))["exclude in cudnnlint.toml"] == ["build", "dist", "own"]
    assert left_out(("own/c.py", "dist")) == {}
