"""What is remembered so that it is not told again: the baseline, and the comments that --add-noqa writes."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST_MINOR, NEWEST_TF_KERAS_MINOR
from shell_run import Run
from shell_samples import SOURCE, write

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.errors import UsageError
from cudnnlint.core.fingerprint import fingerprint
from cudnnlint.core.place import SourcePlace
from cudnnlint.files import atomic
from cudnnlint.settings import baseline, noqa

Command = Callable[..., Run]


def codes(run: Run) -> list[str]:
    return [diagnostic["code"] for diagnostic in json.loads(run.out)]


@pytest.mark.usefixtures("made_up")
def test_a_baseline_silences_what_it_knows_and_nothing_else(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "model.py", SOURCE)
    write(tmp_path, "model.keras")
    found = run("model.py", "--write-baseline", "known.json")
    assert (found.status, found.out) == (0, "")
    assert "3 findings" in found.err
    assert run("model.py", "--baseline", "known.json", "--fail-on", "info").status == 0
    left = run("model.py", "model.keras", "--baseline", "known.json", "--output-format", "json")
    assert codes(left) == ["CDN103"]


@pytest.mark.usefixtures("made_up")
def test_a_baseline_counts_for_any_target_and_from_any_folder(
    tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "src/model.keras")
    run("src", "--write-baseline", "known.json")
    write(tmp_path, "cudnnlint.toml", 'baseline = "known.json"\n')
    monkeypatch.chdir(tmp_path / "src")
    assert run("model.keras").status == 0
    assert run("model.keras", "--target", f"tf_keras@{NEWEST_TF_KERAS_MINOR},keras@{NEWEST_MINOR}").status == 0
    assert run("model.keras", "--baseline", "").status == 1


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{}]}'])
def test_a_baseline_that_is_none_is_wrong_use(text: str, tmp_path: Path, run: Command) -> None:
    write(tmp_path, "known.json", text)
    write(tmp_path, "model.keras")
    found = run("model.keras", "--baseline", "known.json")
    assert (found.status, found.out) == (2, "")


def a_diagnostic(row: int, found: str = "0.2") -> Diagnostic:
    place = SourcePlace("m.py", row, 1, row, 5)
    return Diagnostic("CDN103", "recurrent-dropout", "m", Severity.WARNING, "m.py", place, found=found)


def test_a_fingerprint_survives_moved_lines_and_indentation_and_nothing_more() -> None:
    digits = fingerprint(a_diagnostic(1), "m.py", ["x = LSTM()"])
    assert fingerprint(a_diagnostic(3), "m.py", ["", "if a:", "    x = LSTM()"]) == digits
    others = [
        fingerprint(a_diagnostic(1), "m.py", ["y = LSTM()"]),
        fingerprint(a_diagnostic(1, "0.3"), "m.py", ["x = LSTM()"]),
        fingerprint(a_diagnostic(1), "n.py", ["x = LSTM()"]),
    ]
    assert len({digits, *others}) == 4


def test_add_noqa_leaves_an_unused_suppression_as_it_is(tmp_path: Path, run: Command) -> None:
    path = write(tmp_path, "model.py", "from keras.layers import LSTM\nLSTM(4)  # noqa: CDN105\n")
    run("model.py", "--add-noqa")
    assert path.read_text(encoding="utf-8").endswith("LSTM(4)  # noqa: CDN105\n")


@pytest.mark.usefixtures("made_up")
def test_add_noqa_silences_everything_and_changes_nothing_else(tmp_path: Path, run: Command) -> None:
    path = write(tmp_path, "model.py", SOURCE)
    found = run("model.py", "--add-noqa")
    assert (found.status, found.out) == (0, "")
    assert "3 lines" in found.err
    changed = path.read_text(encoding="utf-8")
    assert ast.dump(ast.parse(changed)) == ast.dump(ast.parse(SOURCE))
    lines = changed.split("\n")
    assert [row for row, line in enumerate(lines, 1) if "noqa" in line] == [7, 11, 12]
    assert lines[10] == "    ),  # noqa: CDN101"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        (b"x = 1\n", b"x = 1  # noqa: CDN101, CDN103\n"),
        (b"x = 1  \r\n", b"x = 1  # noqa: CDN101, CDN103\r\n"),
        (b"x = 1", b"x = 1  # noqa: CDN101, CDN103"),
        (b"x = 1  # noqa: E501\n", b"x = 1  # noqa: E501, CDN101, CDN103\n"),
        (b"x = 1  # noqa: E501 long\n", b"x = 1  # noqa: E501, CDN101, CDN103 long\n"),
        (b"x = 1  # a comment\n", b"x = 1  # a comment  # noqa: CDN101, CDN103\n"),
        (b"x = '\xe4'\n", b"x = '\xe4'  # noqa: CDN101, CDN103\n"),
    ],
)
def test_a_comment_is_added_to_a_line_of_any_kind(line: bytes, changed: bytes) -> None:
    assert noqa.added(line, {1: ["CDN103", "CDN101"]}) == changed
    assert noqa.added(b"\xef\xbb\xbf\n" + line, {2: ["CDN101", "CDN103"], 9: ["CDN101"]}) == b"\xef\xbb\xbf\n" + changed


def test_a_file_is_written_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "old")
    path.chmod(0o640)
    os.symlink("a.txt", tmp_path / "link")
    atomic.write(tmp_path / "link", b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link").is_symlink()
    atomic.write(Path("/dev/null"), b"gone")
    assert not Path("/dev/null").is_file()


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.txt", "old")

    def fails(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="no room"):
        atomic.write(path, b"new")
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir() if item.is_file()] == ["a.txt"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1, "findings": [3]}', "\udcff"])
def test_a_file_that_is_no_baseline_is_told_in_plain_words(tmp_path: Path, text: str) -> None:
    file = tmp_path / "known.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match="--write-baseline did not write it"):
        baseline.read(file)
    with pytest.raises(UsageError, match=r"other.json: No such file or directory\.$"):
        baseline.read(tmp_path / "other.json")


@pytest.mark.usefixtures("made_up")
def test_findings_that_take_no_comment_are_counted(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "model.py", SOURCE)
    write(tmp_path, "model.keras")
    assert run("model.py", "--add-noqa").err == "Added comments to 3 lines.\n"
    found = run("model.keras", "--add-noqa")
    assert (found.status, found.out) == (0, "")
    assert found.err.endswith("1 finding left where no comment can be written: in saved models or standard input.\n")
