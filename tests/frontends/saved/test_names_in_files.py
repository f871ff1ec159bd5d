"""Names in saved models that stop the model (what Keras says of the same in source: fixtures/evidence/scopes.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cudnnlint import check_many

NEW, OLD = "keras@3.15.1", "tf_keras@2.21"


def entry(kind: str, name: str, **config: Any) -> dict[str, Any]:
    """An entry as both generations of Keras write it."""
    module = "keras" if kind == "Sequential" else "keras.layers"
    return {"module": module, "class_name": kind, "registered_name": None, "config": {"name": name, **config}}


def verdict(folder: Path, target: str, name: str, *layers: dict[str, Any]) -> str:
    """The verdict on the last layer of a Sequential model with these layers."""
    path = folder / "model.json"
    path.write_text(json.dumps(entry("Sequential", name, layers=[*layers])), encoding="utf-8")
    (report,) = check_many([path], target=target)
    return report.files[0].layers[-1].judgements[0].verdict.value


LSTM = entry("LSTM", "lstm", units=2)
INNER, PLAIN = entry("Dense", "a b", units=2), entry("Dense", "d", units=2)
CASES = (
    ("a plain name", "model", (LSTM,), "cudnn", "cudnn"),
    ("the model", "my model", (LSTM,), "raises", "raises"),
    ("the model, as a scope of its own", "_model", (LSTM,), "raises", "raises"),
    ("the model, with a digit first", "1m", (LSTM,), "cudnn", "cudnn"),
    ("a layer before", "model", (INNER, LSTM), "raises", "raises"),
    ("a layer in a nested model", "model", (entry("Sequential", "n", layers=[INNER]), LSTM), "raises", "raises"),
    ("a nested model", "model", (entry("Sequential", "a b", layers=[PLAIN]), LSTM), "raises", "raises"),
    ("an input", "model", (entry("InputLayer", "a b", batch_shape=[None, 3, 4]), LSTM), "cudnn", "raises"),
    ("a TimeDistributed", "model", (entry("TimeDistributed", "a b", layer=PLAIN), LSTM), *["raises"] * 2),
    ("inside a TimeDistributed", "model", (entry("TimeDistributed", "t", layer=INNER), LSTM), "cudnn", "raises"),
    ("an activation", "model", (entry("Dense", "d", units=2, activation=entry("ReLU", "a b")), LSTM), *["raises"] * 2),
    ("a cell", "model", (entry("RNN", "rnn", cell=entry("LSTMCell", "a b", units=2)),), "raises", "raises"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "layers", "new", "old"), [one[1:] for one in CASES], ids=[one[0] for one in CASES])
def test_a_name_that_tensorflow_refuses(tmp_path: Path, name: str, layers: Any, new: str, old: str) -> None:
    assert (verdict(tmp_path, NEW, name, *layers), verdict(tmp_path, OLD, name, *layers)) == (new, old)
