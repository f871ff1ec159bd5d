"""An initial state of numbers in a file of Keras 2, which Keras 2 itself does not load (asked of tf_keras 2.21.0)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from configurations import at, functional, layer, lstm

from cudnnlint import check_many

STATE = ["s", 0, 0]


@pytest.mark.parametrize(
    ("states", "expected"),
    [([[[0.0, 0.0]], [[0.0, 0.0]]], "raises"), ([STATE, STATE], "cudnn"), (None, "cudnn")],
    ids=["numbers", "tensors", "none"],
)
def test_numbers_as_a_state(tmp_path: Path, states: Any, expected: str) -> None:
    given = at(layer("InputLayer", "x", batch_input_shape=[1, 5, 4]))
    state = at(layer("InputLayer", "s", batch_input_shape=[1, 2]))
    called = at(lstm(), [["x", 0, 0, {"initial_state": states}]])
    config = functional([given, state, called], [["x", 0, 0], ["s", 0, 0]], [["lstm", 0, 0]])
    path = tmp_path / "model.json"
    path.write_text(json.dumps({**config, "keras_version": "2.21.0"}), encoding="utf-8")
    (report,) = check_many([path], target="tf_keras@2.21")
    assert report.files[0].layers[0].judgements[0].verdict.value == expected
