"""A nested model that a file calls with a dict: each mask goes to its Input (asked of tf_keras 2.21, keras 3.15.1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cudnnlint import check_many

SHAPE, MODELS = [None, 5, 3], "keras.src.models.functional"


def layer(class_name: str, name: str, inbound: list[Any], new: bool, **config: Any) -> dict[str, Any]:
    module = {"module": MODELS if class_name == "Functional" else "keras.layers"} if new else {}
    made = {**module, "class_name": class_name, "name": name, "config": {"name": name, **config}}
    return {**made, "inbound_nodes": inbound}


def tensor(name: str, shape: list[Any] = SHAPE, dtype: str = "float32") -> dict[str, Any]:
    config = {"shape": shape, "dtype": dtype, "keras_history": [name, 0, 0]}
    return {"class_name": "__keras_tensor__", "config": config}


def model(given: Any, ends: Any, new: bool) -> dict[str, Any]:
    def to(name: str) -> list[Any]:
        return [{"args": [tensor(name)], "kwargs": {}}] if new else [[[name, 0, 0, {}]]]

    shape = {"batch_shape" if new else "batch_input_shape": SHAPE, "dtype": "float32"}
    inner = {
        "layers": [
            layer("InputLayer", "a", [], new, **shape), layer("InputLayer", "b", [], new, **shape),
            layer("LSTM", "lstm", to("a"), new, units=2), layer("GRU", "gru", to("b"), new, units=2),
        ],
        "input_layers": ends, "output_layers": [["lstm", 0, 0], ["gru", 0, 0]],
    }  # fmt: skip
    outer = [
        layer("InputLayer", "p", [], new, **shape), layer("InputLayer", "q", [], new, **shape),
        layer("Masking", "masking", to("q"), new), layer("Functional", "inner", [given], new, **inner),
    ]  # fmt: skip
    config = {
        "name": "outer", "layers": outer, "input_layers": [["p", 0, 0], ["q", 0, 0]],
        "output_layers": [["inner", 0 if new else 1, 0]],
    }  # fmt: skip
    return {**({"module": MODELS} if new else {}), "class_name": "Functional", "config": config}


def verdicts(tmp_path: Path, written: dict[str, Any], target: str) -> dict[str, str]:
    file = tmp_path / "model.json"
    file.write_text(json.dumps(written))
    (report,) = check_many([file], target=target)
    return {str(one.layer_path): one.judgements[0].verdict.value for one in report.files[0].layers}


def test_a_list_of_inputs_is_given_a_dict(tmp_path: Path) -> None:
    given = {"a": ["p", 0, 0, {}], "b": ["masking", 0, 0, {}]}
    found = verdicts(tmp_path, model(given, [["b", 0, 0], ["a", 0, 0]], new=False), "tf_keras@2.21")
    assert found == {"inner/lstm": "cudnn", "inner/gru": "depends"}


def test_the_masks_are_a_dict(tmp_path: Path) -> None:
    masks = {"a": None, "b": tensor("masking", SHAPE[:-1], "bool")}
    given = {"args": [{"a": tensor("p"), "b": tensor("masking")}], "kwargs": {"mask": masks}}
    found = verdicts(tmp_path, model(given, {"a": ["a", 0, 0], "b": ["b", 0, 0]}, new=True), "keras@3.15.1")
    assert found == {"inner/lstm": "cudnn", "inner/gru": "depends"}
