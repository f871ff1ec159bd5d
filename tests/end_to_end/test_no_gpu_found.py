"""Layers that a program makes only where it finds no GPU: they are listed with notes, without warnings and fixes."""

from __future__ import annotations

from pathlib import Path

import pytest
from newest_releases import NEWEST

from cudnnlint import check_many

#: What asks for a GPU, and whether it is the first of the two layers that is made without one.
ASKING = {
    "tf.config.list_physical_devices('GPU')": False,
    "tf.test.is_gpu_available()": False,
    "not tf.test.is_gpu_available()": True,
    "len(tf.config.list_physical_devices('GPU')) == 0": True,
    "bool(tf.config.list_logical_devices('GPU'))": False,
    "tf.config.list_physical_devices('GPU') and tf.test.is_gpu_available()": False,
}
BRANCHES = "if {}:\n    r = layers.{}\nelse:\n    r = layers.{}\nkeras.Sequential([keras.Input((5, 3)), r])\n"
HEAD = "import keras\nimport tensorflow as tf\nfrom keras import layers\n"
PLAIN, LOOPS = "LSTM(4)", "GRU(4, reset_after=False)"


def said(folder: Path, text: str) -> tuple[list[str], list[tuple[str, str, bool]]]:
    """Return the verdicts of the layers, and of each diagnostic the code, the severity and whether it has a fix."""
    path = folder / "program.py"
    path.write_text(HEAD + text, encoding="utf-8")
    (report,) = check_many([path], target=f"keras@{NEWEST}:tensorflow")
    found = [(one.code, one.severity.value, one.fix is not None) for one in report.diagnostics]
    return [layer.judgements[0].verdict.value for layer in report.files[0].layers], found


@pytest.mark.parametrize("test", ASKING)
def test_a_layer_of_the_way_without_a_gpu_has_a_note(tmp_path: Path, test: str) -> None:
    first = ASKING[test]
    verdicts, found = said(tmp_path, BRANCHES.format(test, *((LOOPS, PLAIN) if first else (PLAIN, LOOPS))))
    assert verdicts == (["fallback", "cudnn"] if first else ["cudnn", "fallback"])
    assert sorted(found) == [("CDN107", "info", False), ("CDN406", "info", False)]


def test_a_layer_that_is_made_without_a_gpu_never_runs_in_cudnn(tmp_path: Path) -> None:
    assert said(tmp_path, BRANCHES.format("tf.test.is_gpu_available()", PLAIN, PLAIN))[0] == ["cudnn", "fallback"]


def test_a_function_that_returns_where_there_is_a_gpu_goes_on_without_one(tmp_path: Path) -> None:
    body = "    if tf.test.is_gpu_available():\n        return layers.LSTM(n)\n    return layers.GRU(n)\n"
    assert said(tmp_path, f"def rnn(n):\n{body}rnn(4)\n") == (["cudnn", "fallback"], [("CDN406", "info", False)])


@pytest.mark.parametrize("test", ["len(gpus) > 1", "len(gpus) == 2", "several", "gpus and several", "len(gpus) != 1"])
def test_several_gpus_are_not_none(tmp_path: Path, test: str) -> None:
    head = "gpus = tf.config.list_physical_devices('GPU')\nseveral = len(gpus) >= 2\n"
    verdicts, found = said(tmp_path, head + BRANCHES.format(test, PLAIN, PLAIN))
    assert (verdicts, found) == (["cudnn", "cudnn"], [])


def test_what_comes_behind_the_branches_is_made_with_a_gpu(tmp_path: Path) -> None:
    verdicts, found = said(tmp_path, f"if not tf.test.is_gpu_available():\n    print(1)\nlayers.{LOOPS}\n")
    assert verdicts == ["fallback"]
    assert [code for code, *_ in found] == ["CDN107"]
