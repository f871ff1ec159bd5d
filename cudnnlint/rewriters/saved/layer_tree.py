"""The parts of a saved model: layers, wrapped layers, cells, with their weights and their folders.

A `.keras` file addresses weights by folders that follow the tree of layers (keras 3.15.1, `saving_lib.py`
`_save_state`, `_save_container_state`; tf_keras 2.21 lays them out in the same way):
`layers/<class in snake case>[_k]/...`, where k counts the layers of that class inside one model. An `.h5`
file lists them flat per top-level layer. Both are read into the same tree of parts and boxes.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.rewriters.saved.weights import Box

MODELS = frozenset({"Sequential", "Functional", "Model"})

#: Names that TensorFlow 1.13 wrote (tf_keras 2.21 `layers/serialization.py` reads them so).
_OLD_NAMES = dict.fromkeys(("BatchNormalizationV1", "BatchNormalizationV2"), "BatchNormalization")


@dataclass
class Part:
    """A layer, a wrapped layer or a cell.

    `entry` is its record in the configuration (class_name, config, ...), edited in place.
    `slot` is the attribute by which Keras holds it: layers, layer, forward_layer, backward_layer, cell, cells.
    `boxes` are its own `vars` groups by the folder below its own ("" or "cell" or "query_dense").
    `derived` marks the backward layer of a Bidirectional that the file leaves to Keras to derive.
    `twin` is the earlier part that is the same object (`shared_object_id`): its weights are stored there.
    `unread` is a sentence if an `.h5` file does not show which of its weights are whose.
    `group` is the name of its group in an `.h5` file, for a top-level layer read from one.
    """

    entry: dict[str, Any]
    slot: str = ""
    parts: list[Part] = field(default_factory=list)
    boxes: dict[str, Box] = field(default_factory=dict)
    derived: bool = False
    twin: Part | None = None
    unread: str = ""
    group: str = ""

    @property
    def class_name(self) -> str:
        """The class without the package it was registered under ("mine>Gate" is "Gate"), under its present name."""
        name = str(self.entry["class_name"]).rsplit(">", 1)[-1]
        return _OLD_NAMES.get(name, name)

    @property
    def config(self) -> dict[str, Any]:
        """Its arguments."""
        config = self.entry["config"]
        return config if isinstance(config, dict) else {"layers": config}

    @property
    def name(self) -> str:
        """Return its name; a functional model keeps it beside the config."""
        return str(self.config.get("name") or self.entry.get("name") or self.class_name)

    @property
    def trainable(self) -> bool:
        """Return its own flag; a part is frozen if any part around it is."""
        return self.config.get("trainable", True) is not False

    @property
    def is_model(self) -> bool:
        """Return whether it holds layers of its own."""
        return self.slot in ("", "layers", "layer") and isinstance(self.config.get("layers"), list)

    def stored(self, box: str) -> Box | None:
        """Return a box of its own, or of the part it is the same object as."""
        return (self.twin or self).boxes.get(box)


def grow(entry: Any, slot: str = "") -> Part:
    """Return the tree of parts under a record of the configuration."""
    part = Part(_record(entry), slot)
    part.parts = [grow(child, at) for at, child in _children(part)]
    if part.class_name == "Bidirectional" and len(part.parts) == 1:
        part.parts.append(_derived_backward(part.parts[0]))
    return part


def _record(entry: Any) -> dict[str, Any]:
    if not (isinstance(entry, dict) and isinstance(entry.get("class_name"), str)):
        raise UnreadableInput("the configuration holds a layer without a class name")
    listed = entry["class_name"] == "Sequential" and isinstance(entry.get("config"), list)  # before Keras 2.2.3
    if not (listed or isinstance(entry.get("config"), dict)):
        raise UnreadableInput(f"the configuration of a {entry['class_name']} holds no arguments")
    return entry


def _children(part: Part) -> Iterator[tuple[str, Any]]:
    config = part.config
    if part.is_model:
        yield from (("layers", child) for child in config["layers"])
    elif part.class_name == "Bidirectional":
        yield "forward_layer", config.get("layer")
        if config.get("backward_layer") is not None:
            yield "backward_layer", config["backward_layer"]
    else:
        for slot in ("layer", "cell"):
            if isinstance(config.get(slot), dict) and "class_name" in config[slot]:
                yield slot, config[slot]
        if isinstance(config.get("cells"), list):
            yield from (("cells", child) for child in config["cells"])


def _derived_backward(forward: Part) -> Part:
    """Return the backward layer that Keras makes of the forward layer: the same, with `go_backwards` inverted."""
    entry = copy.deepcopy(forward.entry)
    entry["config"]["go_backwards"] = not entry["config"].get("go_backwards", False)
    entry["config"]["name"] = "backward_" + forward.name.removeprefix("forward_")
    backward = grow(entry, "backward_layer")
    backward.derived = True
    return backward


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set of names."""
    return frozenset(text.split())


def snake_case(name: str) -> str:
    """Return Keras's folder name of a class (`naming.to_snake_case`): CuDNNLSTM is cu_dnnlstm, PReLU p_re_lu."""
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def folders(part: Part, keras: int, folder: str = "") -> Iterator[tuple[str, Part]]:
    """Yield every part with its folder in a `.keras` file of Keras `keras`, parents first.

    A Sequential does not count its InputLayer; lists (layers, cells) count by class, single slots do not.
    Keras 2 does not count what it has saved before (`_save_container_state` in both).
    """
    yield folder, part
    counts: Counter[str] = Counter()
    for child in part.parts:
        if child.class_name == "InputLayer" and part.class_name == "Sequential":
            continue
        if child.twin is not None and keras == 2:
            continue
        below = child.slot
        if child.slot in ("layers", "cells"):
            name = snake_case(child.class_name)
            below += f"/{name}_{counts[name]}" if counts[name] else f"/{name}"
            counts[name] += 1
        yield from folders(child, keras, f"{folder}/{below}" if folder else below)


def paths(part: Part, above: str = "") -> Iterator[tuple[str, Part]]:
    """Yield every part below `part` with its layer path: names from the root joined by `/`, without the root's own."""
    for child in part.parts:
        path = f"{above}/{child.name}" if above else child.name
        yield path, child
        yield from paths(child, path)
