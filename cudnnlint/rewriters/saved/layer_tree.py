"""The parts of a saved model: layers, wrapped layers, cells, with their weights and their folders.

A `.keras` file addresses weights by folders that follow the tree of layers (keras 3.15.1, `saving_lib.py`
`_save_state`, `_save_container_state`; tf_keras 2.21 lays them out in the same way):
`layers/<class in snake case>[_k]/...`, where k counts the layers of that class inside one model. An `.h5`
file lists them flat per top-level layer. Both are read into the same tree, edited in place, and written again. What a
record is and what it holds is read by frontends/serialized.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.serialized.entry import Entry, entry, held, is_entry
from cudnnlint.keras.naming import snake_case
from cudnnlint.rewriters.saved.weights import WeightGroup

#: Names that TensorFlow 1.13 wrote (tf_keras 2.21 `layers/serialization.py` reads them so).
_OLD_NAMES = dict.fromkeys(("BatchNormalizationV1", "BatchNormalizationV2"), "BatchNormalization")
#: The attribute by which Keras holds what is under these keys of a Bidirectional.
_DIRECTIONS = {"layer": "forward_layer", "backward_layer": "backward_layer"}


@dataclass
class LayerPart:
    """A layer, a wrapped layer or a cell.

    `record` is its part of the configuration (class_name, config, ...), edited in place.
    `held_as` is the attribute by which Keras holds it: layers, layer, forward_layer, backward_layer, cell, cells.
    `groups` are its own weights by the folder below its own ("" or "cell" or "query_dense").
    `derived` marks the backward layer of a Bidirectional that the file leaves to Keras to derive.
    `twin` is the earlier part that is the same object (`shared_object_id`): its weights are stored there.
    `unread` is a sentence if an `.h5` file does not show which of its weights are whose.
    `h5_group` is the name of its group in an `.h5` file, for a top-level layer read from one.
    """

    record: dict[str, Any]
    held_as: str = ""
    parts: list[LayerPart] = field(default_factory=list)
    groups: dict[str, WeightGroup] = field(default_factory=dict)
    derived: bool = False
    twin: LayerPart | None = None
    unread: str = ""
    h5_group: str = ""

    @property
    def entry(self) -> Entry:
        """The record as the front end reads it."""
        return entry(self.record, "A layer")

    @property
    def class_name(self) -> str:
        """The class without the package it was registered under ("mine>Gate" is "Gate"), under its present name."""
        name = self.entry.own_name
        return _OLD_NAMES.get(name, name)

    @property
    def config(self) -> dict[str, Any]:
        """Its arguments."""
        config = self.record["config"]
        return config if isinstance(config, dict) else {"layers": config}

    @property
    def name(self) -> str:
        """Its name, or its class where none is written."""
        return self.entry.name or self.class_name

    @property
    def trainable(self) -> bool:
        """Return its own flag; a part is frozen if any part around it is."""
        return self.config.get("trainable", True) is not False

    @property
    def is_model(self) -> bool:
        """Return whether it holds layers of its own."""
        return self.held_as in ("", "layers", "layer") and isinstance(self.config.get("layers"), list)

    def stored(self, below: str) -> WeightGroup | None:
        """Return the weights in one of its folders, or in that of the part it is the same object as."""
        return (self.twin or self).groups.get(below)


def grow(record: Any, held_as: str = "") -> LayerPart:
    """Return the tree of parts under a record of the configuration."""
    part = LayerPart(record, held_as)
    both = part.entry.own_name == "Bidirectional"
    for key, child in held(part.entry):
        if part.is_model if key == "layers" else is_entry(child):
            part.parts.append(grow(child, _DIRECTIONS.get(key, key) if both else key))
    if both and len(part.parts) == 1:
        part.parts.append(_derived_backward(part.parts[0]))
    return part


def _derived_backward(forward: LayerPart) -> LayerPart:
    """Return the backward layer that Keras makes of the forward layer: the same, with `go_backwards` inverted."""
    record = copy.deepcopy(forward.record)
    record["config"]["go_backwards"] = not record["config"].get("go_backwards", False)
    record.pop("name", None)
    record["config"]["name"] = "backward_" + forward.name.removeprefix("forward_")
    backward = grow(record, "backward_layer")
    backward.derived = True
    return backward


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set of names."""
    return frozenset(text.split())


def folders(part: LayerPart, keras: int, folder: str = "") -> Iterator[tuple[str, LayerPart]]:
    """Yield every part with its folder in a `.keras` file of Keras `keras`, parents first.

    A Sequential does not count its InputLayer; lists (layers, cells) count by class, single attributes do not.
    Keras 2 does not count what it has saved before (`_save_container_state` in both).
    """
    yield folder, part
    counts: Counter[str] = Counter()
    for child in part.parts:
        if child.class_name == "InputLayer" and part.class_name == "Sequential":
            continue
        if child.twin is not None and keras == 2:
            continue
        below = child.held_as
        if child.held_as in ("layers", "cells"):
            name = snake_case(child.class_name)
            below += f"/{name}_{counts[name]}" if counts[name] else f"/{name}"
            counts[name] += 1
        yield from folders(child, keras, f"{folder}/{below}" if folder else below)


def paths(part: LayerPart, above: str = "") -> Iterator[tuple[str, LayerPart]]:
    """Yield every part below `part` with its layer path: names from the root joined by `/`, without the root's own."""
    for child in part.parts:
        path = f"{above}/{child.name}" if above else child.name
        yield path, child
        yield from paths(child, path)
