"""Masks that reach a layer in a file of Keras 3 whose call does not name them, beside others that the file names.

Six releases were asked with the same files, each in a process of its own: 3.4.1, 3.8.0 and 3.9.2 stop at each of them
but one (a layer of another dtype, in 3.8.0 and 3.9.2), 3.10.0, 3.14.1 and 3.15.1 at a layer that is called with nothing
but its input.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_deep_masks import tensor
from test_names_in_files import entry

from cudnnlint import check_many

STEPS = (None, 6, 4)
NONE = {"training": False, "mask": None}


def verdicts(folder: Path, target: str, first: dict[str, Any], second: dict[str, Any], dtype: str) -> list[str]:
    """The verdicts on two layers behind a Masking, each called with its input and what is given."""
    calls = [
        ("Masking", "masking", [tensor("x", *STEPS)], {}, {}),
        ("NotEqual", "not_equal", [tensor("x", *STEPS), 0.0], {}, {}),
        ("Any", "any", [tensor("not_equal", *STEPS, dtype="bool")], {}, {"axis": -1, "keepdims": False}),
        ("SimpleRNN", "a", [tensor("masking", *STEPS)], first, {"units": 4, "return_sequences": True}),
        ("SimpleRNN", "b", [tensor("a", *STEPS)], second, {"units": 4, "dtype": dtype}),
    ]
    layers = [{**entry("InputLayer", "x", batch_shape=[*STEPS], dtype="float32"), "name": "x", "inbound_nodes": []}]
    for kind, name, args, kwargs, config in calls:
        called = {**entry(kind, name, **config), "name": name, "inbound_nodes": [{"args": args, "kwargs": kwargs}]}
        layers.append({**called, "module": "keras.src.ops.numpy"} if kind in ("NotEqual", "Any") else called)
    ends = {"input_layers": [["x", 0, 0]], "output_layers": [["b", 0, 0]]}
    model = {**entry("Functional", "f", layers=layers, **ends), "module": "keras.src.models.functional"}
    (folder / "model.json").write_text(json.dumps(model), encoding="utf-8")
    (report,) = check_many([folder / "model.json"], target=target)
    return [layer.judgements[0].verdict.value for layer in report.files[0].layers]


@pytest.mark.parametrize(
    ("release", "second", "dtype", "expected"),
    [
        ("3.15.1", NONE, "float32", "fallback"),
        ("3.15.1", {"training": False}, "float32", "fallback"),
        ("3.15.1", {}, "float16", "fallback"),
        ("3.10.0", NONE, "float32", "fallback"),
        ("3.10.0", {}, "float32", "unknown"),
        ("3.9.2", NONE, "float32", "unknown"),
        ("3.9.2", {"training": False}, "float32", "unknown"),
    ],
)
def test_a_mask_is_in_the_graph_twice_only_where_the_call_is_not_converted(
    tmp_path: Path, release: str, second: dict[str, Any], dtype: str, expected: str
) -> None:
    first = {"training": False, "mask": tensor("any", None, 6, dtype="bool")}
    assert verdicts(tmp_path, f"keras@{release}", first, second, dtype) == [expected, expected]
