"""The name that an operation gets where a file leaves it without one, and a layer that has this name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cudnnlint.frontends import saved
from cudnnlint.rulebook import loader

NAMES = loader.load().tables.names


def layer(class_name: str, **config: Any) -> dict[str, Any]:
    given = {"class_name": "__keras_tensor__", "config": {"shape": [None, 4, 3], "keras_history": ["i", 0, 0]}}
    inbound = [] if class_name == "InputLayer" else [{"args": [given], "kwargs": {}}]
    named = {"name": config["name"]} if "name" in config else {}
    return {"module": "keras.layers", "class_name": class_name, "config": config, "inbound_nodes": inbound, **named}


def faults(*layers: dict[str, Any]) -> set[str]:
    ends = {"input_layers": [["i", 0, 0]], "output_layers": [["lstm", 0, 0]]}
    every = [layer("InputLayer", name="i"), *layers, layer("LSTM", name="lstm", units=2)]
    config = {"name": "model", "layers": every, **ends}
    text = json.dumps({"module": "keras", "class_name": "Functional", "config": config, "keras_version": "3.8.0"})
    model = saved.read_bytes("model.json", text.encode(), NAMES)
    return {fault.kind for one in model.layers for fault in one.unloadable}


@pytest.mark.parametrize(
    ("layers", "twice"),
    [
        ([layer("NotEqual"), layer("Dense", name="not_equal", units=2)], True),
        ([layer("NotEqual"), layer("NotEqual"), layer("Dense", name="not_equal_1", units=2)], True),
        ([layer("NotEqual"), layer("Dense", name="not_equal_1", units=2)], False),
        ([layer("NotEqual", name="other"), layer("Dense", name="not_equal", units=2)], False),
        ([layer("NotEqual"), layer("Dense", name="notequal", units=2)], False),
    ],
)
def test_two_of_one_name_in_a_new_process(layers: list[dict[str, Any]], twice: bool) -> None:
    assert ("named-twice" in faults(*layers)) is twice
