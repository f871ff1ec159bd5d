"""Integers in a saved model stop at a layer before the recurrent one (fixtures/evidence/integers_before.json)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_names_in_files import LSTM, NEW, entry, verdict

from cudnnlint import check_many

#: It takes integers and gives floats.
FLOATS = entry("Dense", "floats", units=2)
CASES = (
    ("a convolution", "int32", entry("Conv1D", "c", filters=2, kernel_size=1), "raises"),
    ("a convolution of floats", "float32", entry("Conv1D", "c", filters=2, kernel_size=1), "cudnn"),
    ("a pool that takes integers", "int32", entry("MaxPooling1D", "p", pool_size=2), "cudnn"),
    ("a pool that takes no booleans", "bool", entry("MaxPooling1D", "p", pool_size=2), "raises"),
    ("dense", "int32", entry("Dense", "d", units=2), "cudnn"),
    ("dropout", "int32", entry("Dropout", "d", rate=0.5), "raises"),
    ("dropout of nothing", "int32", entry("Dropout", "d", rate=0.0), "cudnn"),
    ("sigmoid", "int64", entry("Activation", "a", activation="sigmoid"), "raises"),
    ("tanh", "int64", entry("Activation", "a", activation="tanh"), "cudnn"),
)


@pytest.mark.parametrize(("dtype", "layer", "expected"), [one[1:] for one in CASES], ids=[one[0] for one in CASES])
def test_integers_before_a_layer(tmp_path: Path, dtype: str, layer: Any, expected: str) -> None:
    given = entry("InputLayer", "i", batch_shape=[None, 6, 4], dtype=dtype)
    assert verdict(tmp_path, NEW, "model", given, layer, FLOATS, LSTM) == expected


def test_the_message_names_the_layer(tmp_path: Path) -> None:
    given = entry("InputLayer", "i", batch_shape=[None, 6, 4], dtype="int32")
    verdict(tmp_path, NEW, "model", given, entry("Conv1D", "c", filters=2, kernel_size=1), LSTM)
    (report,) = check_many([tmp_path / "model.json"], target=NEW)
    assert "int32 given to Conv1D" in report.diagnostics[0].message


def test_a_sequence_of_no_steps(tmp_path: Path) -> None:
    """Asked of keras 3.15.1 and tf_keras 2.21.0: fixtures/evidence does not have it, both stop on a CPU too."""
    verdicts = [
        verdict(tmp_path, NEW, "model", entry("InputLayer", "i", batch_shape=[None, steps, 4], dtype="float32"), LSTM)
        for steps in (0, 1)
    ]
    assert verdicts == ["raises", "cudnn"]
