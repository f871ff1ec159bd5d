"""An RNN of cells becomes a layer, or a chain of layers (no difference in 2,352 runs of both Kerases)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.frontends.serialized.histories import keywords
from cudnnlint.frontends.serialized.outputs import Arrival
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths, words
from cudnnlint.rewriters.saved.weights import WeightGroup

LAYERS = {"LSTMCell": "LSTM", "GRUCell": "GRU", "SimpleRNNCell": "SimpleRNN"}
STACK = "StackedRNNCells"
#: What a cell says of itself alone; the rest of its arguments are the layer's.
_OWN = words("name dtype trainable")


def cell_to_layer(path: str, part: LayerPart, arrivals: Sequence[Arrival]) -> str:
    """Turn RNN(LSTMCell(u, ...), ...) into LSTM(u, ..., ...), in place; return the sentence that reports it.

    `arrivals` are what reaches it in each of its calls.
    """
    _must_be_plain(path, part)
    cell = _only(path, part, arrivals)
    if cell.class_name not in LAYERS:
        raise Refused(path, f"its cell is {_cells(part)}, and Keras has no layer for that cell")
    _become(path, part, cell, part.config)
    part.groups.update(_groups(cell))
    part.parts = []
    return f"{path}: RNN({cell.class_name}) is now {part.class_name}, with the same weights"


def _only(path: str, part: LayerPart, arrivals: Sequence[Arrival]) -> LayerPart:
    """Return the only cell of an RNN, also where it is alone in StackedRNNCells, whose states are a list in a list."""
    cells = part.parts
    while len(cells) == 1 and cells[0].class_name == STACK:
        if part.config.get("return_state") or any(arrival.states for arrival in arrivals):
            raise Refused(path, "its cell is in StackedRNNCells, whose states a layer takes and gives in another form")
        if _policy(cells[0].config.get("dtype", part.config.get("dtype"))) != _policy(part.config.get("dtype")):
            raise Refused(path, "its cells compute in another dtype than the layer")
        cells = cells[0].parts
    if len(cells) != 1:
        raise Refused(path, f"it has {len(cells)} cells, and a layer has one")
    return cells[0]


def unroll_cells(path: str, part: LayerPart, parent: LayerPart, arrivals: Sequence[Arrival]) -> str:
    """Turn RNN([cells]) into a chain of layers in the model `parent`; the last one keeps the name.

    `arrivals` are what reaches it in each of its calls.
    """
    _must_be_plain(path, part)
    stacked = part.parts[0].parts if part.parts and part.parts[0].class_name == STACK else []
    if not stacked or any(cell.class_name not in LAYERS for cell in stacked):
        raise Refused(path, f"its cells are {_cells(part)}, and Keras does not have a layer for each of them")
    _must_be_chainable(path, part, parent, arrivals)
    chain = [_link(path, part, index, len(stacked)) for index in range(len(stacked))]
    _name(chain, part, parent)
    _connect(chain, part)
    at = parent.parts.index(part)
    parent.parts[at : at + 1] = chain
    layers = parent.config["layers"]
    layers[:] = [child.record for child in parent.parts]
    return f"{path}: its {len(chain)} cells are now the layers {' and '.join(link.class_name for link in chain)}"


def _must_be_plain(path: str, part: LayerPart) -> None:
    if part.class_name != "RNN":
        raise Refused(path, f"{part.class_name} is not an RNN of cells")
    if part.twin is not None:
        raise Refused(path, "it is shared with another place of the model")
    if part.config.get("num_constants"):
        raise Refused(path, "it is called with constants, which only an RNN of cells takes")


def _must_be_chainable(path: str, part: LayerPart, parent: LayerPart, arrivals: Sequence[Arrival]) -> None:
    if part.held_as != "layers" or not parent.is_model:
        raise Refused(path, "stacked cells can become a chain of layers only directly in a model, not in a wrapper")
    for argument in ("return_state", "stateful"):
        if part.config.get(argument):
            raise Refused(path, f"{argument} is set: stacked cells have one list of states, a chain has several")
    masked = not all(arrival.tensor.masks.none for arrival in arrivals)
    if part.config.get("go_backwards") and (masked or not arrivals):
        raise Refused(
            path, "it goes backwards and may get a mask, which a chain of layers would read in the wrong order"
        )
    if any(arrival.states for arrival in arrivals):
        raise Refused(path, "an initial state is passed to it")


def _cells(part: LayerPart) -> str:
    return ", ".join(cell.class_name for _, cell in paths(part) if not cell.parts) or "unknown"


def _become(path: str, part: LayerPart, cell: LayerPart, config: dict[str, Any]) -> None:
    """Turn a record into that of the layer which the cell is for."""
    named = cell.config.get("dtype")
    if named is not None and _policy(named) != _policy(part.config.get("dtype")):
        raise Refused(path, "its cell computes in another dtype than the layer")
    kept = {key: value for key, value in config.items() if key != "cell"}
    lifted = {key: value for key, value in cell.config.items() if key not in _OWN}
    kept["trainable"] = part.trainable and cell.trainable
    part.record["class_name"] = LAYERS[cell.class_name]
    part.record["config"] = {**kept, **lifted}
    if "module" in part.record:
        part.record["module"], part.record["registered_name"] = "keras.layers", None


def _policy(dtype: Any) -> Any:
    return dtype["config"].get("name") if isinstance(dtype, dict) and isinstance(dtype.get("config"), dict) else dtype


def _groups(cell: LayerPart) -> dict[str, WeightGroup]:
    return {f"cell/{below}".rstrip("/"): group for below, group in cell.groups.items()}


def _link(path: str, part: LayerPart, index: int, count: int) -> LayerPart:
    """One layer of the chain: only the first reads backwards, only the last may return a single step."""
    config = {key: copy.deepcopy(value) for key, value in part.config.items() if key != "cell"}
    if index > 0:
        config.pop("batch_input_shape", None)
        config["go_backwards"] = False
    if index < count - 1:
        config["return_sequences"] = True
        config.pop("activity_regularizer", None)
    record = {key: copy.deepcopy(value) for key, value in part.record.items() if key not in ("config", "build_config")}
    link = LayerPart({**record, "config": config}, "layers")
    cell = part.parts[0].parts[index]
    _become(path, link, cell, config)
    link.groups = _groups(cell)
    return link


def _name(chain: list[LayerPart], part: LayerPart, parent: LayerPart) -> None:
    taken = {child.name for child in parent.parts}
    for index, link in enumerate(chain[:-1]):
        name = f"{part.name}_part_{index + 1}"
        while name in taken:
            name += "_"
        taken.add(name)
        link.config["name"] = name
        if "name" in link.record:
            link.record["name"] = name


def _connect(chain: list[LayerPart], part: LayerPart) -> None:
    """In a functional model each layer is called on the one before, as often as the RNN was called."""
    nodes = part.record.get("inbound_nodes")
    if not isinstance(nodes, list):
        return
    for before, link in pairwise(chain):
        link.record["inbound_nodes"] = [_call(before.name, index, node) for index, node in enumerate(nodes)]


def _call(name: str, index: int, node: Any) -> Any:
    if isinstance(node, dict):  # Keras 3
        config = {"shape": [None, None, None], "dtype": "float32", "keras_history": [name, index, 0]}
        return {**node, "args": [{"class_name": "__keras_tensor__", "config": config}]}
    return [[name, index, 0, keywords(node)]]
