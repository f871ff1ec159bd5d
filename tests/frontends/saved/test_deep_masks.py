"""Masks of three dimensions in a file of Keras 3; keras 3.15.1 was asked with the same models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_names_in_files import NEW, entry

from cudnnlint import check_many


def tensor(name: str, *shape: int | None, dtype: str = "float32") -> dict[str, Any]:
    config = {"shape": [*shape], "dtype": dtype, "keras_history": [name, 0, 0]}
    return {"class_name": "__keras_tensor__", "config": config}


def verdict(folder: Path, last: tuple[int | None, ...], **given: Any) -> str:
    """The verdict on a layer that is passed a mask (batch, 5, *last)."""
    mask = tensor("m", None, 5, *last, dtype="bool")
    layers = [
        {**entry("InputLayer", "x", batch_shape=[None, 5, 4], dtype="float32"), "name": "x", "inbound_nodes": []},
        {**entry("InputLayer", "m", batch_shape=[None, 5, *last], dtype="bool"), "name": "m", "inbound_nodes": []},
        {
            **entry(given.pop("kind", "LSTM"), "rnn", units=3, **given),
            "name": "rnn",
            "inbound_nodes": [{"args": [tensor("x", None, 5, 4)], "kwargs": {"mask": mask}}],
        },
    ]
    ends = {"input_layers": [["x", 0, 0], ["m", 0, 0]], "output_layers": [["rnn", 0, 0]]}
    model = {**entry("Functional", "f", layers=layers, **ends), "module": "keras.src.models.functional"}
    (folder / "model.json").write_text(json.dumps(model), encoding="utf-8")
    (report,) = check_many([folder / "model.json"], target=NEW)
    return report.files[0].layers[0].judgements[0].verdict.value


@pytest.mark.parametrize(
    ("last", "given", "expected"),
    [
        ((), {"recurrent_dropout": 0.2}, "fallback"),
        ((1,), {"recurrent_dropout": 0.2}, "fallback"),
        ((4,), {"recurrent_dropout": 0.2}, "raises"),
        ((4,), {"kind": "SimpleRNN"}, "raises"),
        ((1,), {"kind": "SimpleRNN", "unroll": True}, "fallback"),
        ((3,), {"unroll": True}, "unknown"),
        ((None,), {"unroll": True}, "unknown"),
        ((4,), {}, "raises"),
        ((1,), {}, "unknown"),
    ],
)
def test_the_last_dimension_decides_in_a_loop(tmp_path: Path, last: Any, given: Any, expected: str) -> None:
    assert verdict(tmp_path, last, **given) == expected
