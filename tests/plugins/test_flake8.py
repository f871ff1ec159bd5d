"""flake8 finds the plugin by its entry point and reports what `cudnnlint check` fails for, at the same places."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("flake8")

SOURCE = """import keras

A = keras.layers.LSTM(8, activation="relu")
B = keras.layers.LSTM(8, recurrent_dropout=0.1)  # noqa: CDN103
é = keras.layers.GRU(8, reset_after=False, name="ü😀")  # cudnnlint: ignore[reset-before, refused-name]
C = ("é😀", keras.layers.GRU(8, reset_after=False))
"""
#: The same settings for both: flake8 alone would also report the style of these lines.
CONFIG = '[tool.cudnnlint]\ntarget = "keras@3.15:tensorflow"\n'


def run(folder: Path, *command: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, input=text, capture_output=True, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flake8")
    (folder / "pyproject.toml").write_text(CONFIG)
    (folder / "train.py").write_text(SOURCE, encoding="utf-8")
    return folder


def test_flake8_reports_the_findings_of_check_at_their_places(project: Path) -> None:
    told = run(project, "flake8", "--isolated", "--select", "CDN", "--jobs", "1", "train.py")
    ours = json.loads(run(project, "cudnnlint", "--output-format", "json", "train.py").stdout)
    expected = sorted(
        f"train.py:{found['location']['row']}:{found['location']['column']}: {found['code']} {found['message']}"
        for found in ours
        if found["severity"] != "info"
    )
    assert len(expected) == 2
    assert sorted(told.stdout.splitlines()) == expected, told.stderr
    assert told.returncode == 1


def test_flake8_checks_the_buffer_of_an_editor(project: Path) -> None:
    text = "import keras\nkeras.layers.LSTM(8, activation='elu')\n"
    told = run(project, "flake8", "--isolated", "--select", "CDN", "--stdin-display-name", "train.py", "-", text=text)
    assert [line[:21] for line in told.stdout.splitlines()] == ["train.py:2:33: CDN101"], told.stderr


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("x = 'é'\n", "utf-8"), ("# coding: latin-1\nx = 'é'\n", "latin-1"), ("# coding: nothing\nx = 1\n", "utf-8")],
)
def test_a_buffer_has_the_bytes_of_its_file(text: str, encoding: str) -> None:
    from cudnnlint.files.source_bytes import encoded

    assert encoded(text) == text.encode(encoding)
