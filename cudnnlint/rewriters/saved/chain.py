"""An RNN of cells becomes a layer, or a chain of layers (no difference in 2,352 runs of both Kerases)."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.keras3.lifted_calls import leaves
from cudnnlint.rewriters.saved.layer_tree import Part, paths, words
from cudnnlint.rewriters.saved.weights import Box

LAYERS = {"LSTMCell": "LSTM", "GRUCell": "GRU", "SimpleRNNCell": "SimpleRNN"}
#: What a cell says of itself alone; the rest of its arguments are the layer's.
_OWN = words("name dtype trainable")


def cell_to_layer(path: str, part: Part) -> str:
    """Turn RNN(LSTMCell(u, ...), ...) into LSTM(u, ..., ...), in place; return the sentence that reports it."""
    _must_be_plain(path, part)
    if len(part.parts) != 1 or part.parts[0].class_name not in LAYERS:
        raise Refused(path, f"its cell is {_cells(part)}, and Keras has no layer for that cell")
    cell = part.parts[0]
    _become(path, part, cell, part.config)
    part.boxes.update(_boxes(cell))
    part.parts = []
    return f"{path}: RNN({cell.class_name}) is now {part.class_name}, with the same weights"


def unroll_cells(path: str, part: Part, parent: Part, masked: bool) -> str:
    """Turn RNN([cells]) into a chain of layers in the model `parent`; the last one keeps the name."""
    _must_be_plain(path, part)
    stacked = part.parts[0].parts if part.parts and part.parts[0].class_name == "StackedRNNCells" else []
    if not stacked or any(cell.class_name not in LAYERS for cell in stacked):
        raise Refused(path, f"its cells are {_cells(part)}, and Keras does not have a layer for each of them")
    _must_be_chainable(path, part, parent, masked)
    chain = [_link(path, part, index, len(stacked)) for index in range(len(stacked))]
    _name(chain, part, parent)
    _connect(chain, part)
    at = parent.parts.index(part)
    parent.parts[at : at + 1] = chain
    layers = parent.config["layers"]
    layers[:] = [child.entry for child in parent.parts]
    return f"{path}: its {len(chain)} cells are now the layers {' and '.join(link.class_name for link in chain)}"


def _must_be_plain(path: str, part: Part) -> None:
    if part.class_name != "RNN":
        raise Refused(path, f"{part.class_name} is not an RNN of cells")
    if part.twin is not None:
        raise Refused(path, "it is shared with another place of the model")
    if part.config.get("num_constants"):
        raise Refused(path, "it is called with constants, which only an RNN of cells takes")


def _must_be_chainable(path: str, part: Part, parent: Part, masked: bool) -> None:
    if part.slot != "layers" or not parent.is_model:
        raise Refused(path, "stacked cells can become a chain of layers only directly in a model, not in a wrapper")
    for argument in ("return_state", "stateful"):
        if part.config.get(argument):
            raise Refused(path, f"{argument} is set: stacked cells have one list of states, a chain has several")
    if part.config.get("go_backwards") and masked:
        raise Refused(
            path, "it goes backwards and may get a mask, which a chain of layers would read in the wrong order"
        )
    if any(map(_starts, part.entry.get("inbound_nodes", []))):
        raise Refused(path, "an initial state is passed to it")


def _starts(node: Any) -> bool:
    """Return whether a state is passed in this call."""
    if isinstance(node, dict):
        return len(node.get("args", [])) > 1 or bool((node.get("kwargs") or {}).get("initial_state"))
    calls = list(leaves(node))
    return len(calls) > 1 or any(kwargs.get("initial_state") for *_, kwargs in calls)


def _cells(part: Part) -> str:
    return ", ".join(cell.class_name for _, cell in paths(part) if not cell.parts) or "unknown"


def _become(path: str, part: Part, cell: Part, config: dict[str, Any]) -> None:
    """Turn a record into that of the layer which the cell is for."""
    named = cell.config.get("dtype")
    if named is not None and _policy(named) != _policy(part.config.get("dtype")):
        raise Refused(path, "its cell computes in another dtype than the layer")
    kept = {key: value for key, value in config.items() if key != "cell"}
    lifted = {key: value for key, value in cell.config.items() if key not in _OWN}
    kept["trainable"] = part.trainable and cell.trainable
    part.entry["class_name"] = LAYERS[cell.class_name]
    part.entry["config"] = {**kept, **lifted}
    if "module" in part.entry:
        part.entry["module"], part.entry["registered_name"] = "keras.layers", None


def _policy(dtype: Any) -> Any:
    return dtype["config"].get("name") if isinstance(dtype, dict) and isinstance(dtype.get("config"), dict) else dtype


def _boxes(cell: Part) -> dict[str, Box]:
    return {f"cell/{below}".rstrip("/"): box for below, box in cell.boxes.items()}


def _link(path: str, part: Part, index: int, count: int) -> Part:
    """One layer of the chain: only the first reads backwards, only the last may return a single step."""
    config = {key: copy.deepcopy(value) for key, value in part.config.items() if key != "cell"}
    if index > 0:
        config.pop("batch_input_shape", None)
        config["go_backwards"] = False
    if index < count - 1:
        config["return_sequences"] = True
        config.pop("activity_regularizer", None)
    record = {key: copy.deepcopy(value) for key, value in part.entry.items() if key not in ("config", "build_config")}
    link = Part({**record, "config": config}, "layers")
    cell = part.parts[0].parts[index]
    _become(path, link, cell, config)
    link.boxes = _boxes(cell)
    return link


def _name(chain: list[Part], part: Part, parent: Part) -> None:
    taken = {child.name for child in parent.parts}
    for index, link in enumerate(chain[:-1]):
        name = f"{part.name}_part_{index + 1}"
        while name in taken:
            name += "_"
        taken.add(name)
        link.config["name"] = name
        if "name" in link.entry:
            link.entry["name"] = name


def _connect(chain: list[Part], part: Part) -> None:
    """In a functional model each layer is called on the one before, as often as the RNN was called."""
    nodes = part.entry.get("inbound_nodes")
    if not isinstance(nodes, list):
        return
    for before, link in pairwise(chain):
        link.entry["inbound_nodes"] = [_call(before.name, index, node) for index, node in enumerate(nodes)]


def _call(name: str, index: int, node: Any) -> Any:
    if isinstance(node, dict):  # Keras 3
        config = {"shape": [None, None, None], "dtype": "float32", "keras_history": [name, index, 0]}
        return {**node, "args": [{"class_name": "__keras_tensor__", "config": config}]}
    first = next(leaves(node))
    return [[name, index, 0, first[3]]]
