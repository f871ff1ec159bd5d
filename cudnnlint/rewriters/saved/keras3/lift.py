"""A whole Keras 2 model as a Keras 3 model with the same numbers, or a refusal that names the layer.

The recipe was proved on files of tf_keras 2.21 loaded in keras 3.15.1 (fixtures/evidence/convert.json).
"""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.tree import MODELS
from cudnnlint.rewriters.saved.keras3.argument_values import plain, value
from cudnnlint.rewriters.saved.keras3.hard_sigmoid import repair
from cudnnlint.rewriters.saved.keras3.layer_names import rename
from cudnnlint.rewriters.saved.keras3.lifted_calls import lift_graph
from cudnnlint.rewriters.saved.keras3.lookup_layers import settle_vocabulary, taken_by
from cudnnlint.rewriters.saved.keras3.masks import settle_masks
from cudnnlint.rewriters.saved.keras3.op_graph import is_operation
from cudnnlint.rewriters.saved.keras3.operations import refuse_whole_means, simplify
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths
from cudnnlint.rewriters.saved.layout import LOOKUPS
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rewriters.saved.traced import TracedModel
from cudnnlint.rulebook.conversion_table import ConversionTable

#: The dtype of the input of a first layer that does not take floats.
_TAKEN = {"Embedding": "int32"}


def lift(root: LayerPart, version: str, summary: Summary, names: Names, table: ConversionTable) -> None:
    """Rewrite the tree of a file by Keras `version` in place for Keras 3."""
    for path, model in [("", root), *paths(root)]:
        if model.is_model:
            summary.changes.extend(simplify(path, model, table))
    summary.changes.extend(rename(root))
    _lift_below("", root, root, summary.warnings, table)
    _give_input(root)
    settle_masks(root, version, names, summary)
    refuse_whole_means(TracedModel(root, names, 3))
    for path, part in list(paths(root)):
        summary.changes.extend(repair(path, part))


def _lift_below(path: str, part: LayerPart, holder: LayerPart, reported: list[str], table: ConversionTable) -> None:
    shape = _shape(part)
    for child in part.parts:
        _lift_below(f"{path}/{child.name}" if path else child.name, child, part, reported, table)
    if part.is_model:
        _lift_model(path, part, shape, reported, table)
        if part is not holder and (holder.class_name == "Sequential" or not holder.is_model):
            _hand_out_no_list(part)
    elif not is_operation(part):  # which are lifted with the graph that calls them
        _lift_layer(path, part, reported, table)


def _lift_model(path: str, part: LayerPart, shape: Any, reported: list[str], table: ConversionTable) -> None:
    if part.class_name not in MODELS:
        raise Refused(path, f"{part.class_name} is a model class of your own")
    name, trainable = part.name, part.config.get("trainable")
    config: dict[str, Any] = {"name": name, "layers": [child.record for child in part.parts]}
    if part.class_name == "Sequential":
        config["build_input_shape"] = plain(path, shape)
        _set(part, "keras", "Sequential", config, None)
        return
    reported.extend(lift_graph(path, part, table))
    config.update({key: plain(path, part.config.get(key)) for key in ("input_layers", "output_layers")})
    if trainable is not None:
        config["trainable"] = trainable
    _set(part, "keras.src.models.functional", "Functional", config, "Functional")


def _hand_out_no_list(model: LayerPart) -> None:
    """Inside a Sequential or a wrapper a graph of one tensor names it bare, or Keras 3 hands on a list of one.

    Elsewhere the list stays: before 3.4 Keras 3 read nothing else.
    """
    for end in ("input_layers", "output_layers"):
        tensors = model.config.get(end)
        if isinstance(tensors, list) and len(tensors) == 1:
            model.config[end] = tensors[0]


def _set(part: LayerPart, module: str, class_name: str, config: dict[str, Any], registered: str | None) -> None:
    kept = {key: part.record[key] for key in ("name", "inbound_nodes", "shared_object_id") if key in part.record}
    part.record.clear()
    part.record.update(module=module, class_name=class_name, config=config, registered_name=registered, **kept)


def _lift_layer(path: str, part: LayerPart, reported: list[str], table: ConversionTable) -> None:
    config = _renamed(part)
    class_name = {"ThresholdedReLU": "ReLU", "SyncBatchNormalization": "BatchNormalization"}.get(
        part.class_name, part.class_name
    )
    accepted = table.arguments.get(class_name)
    if accepted is None:
        why = table.refused.get(class_name, "is not a class of Keras 3")
        raise Refused(path, f"{class_name} {why}")
    new: dict[str, Any] = {}
    for argument, found in config.items():
        if argument in accepted:
            new[argument] = value(path, argument, found, reported, table)
        elif not table.may_go(class_name, argument, plain(path, found)):
            raise Refused(path, f"{argument}={found!r} has no counterpart in Keras 3's {class_name}")
    new.update(_held(part))
    _settle(path, class_name, config, new)
    _set(part, "keras.layers", class_name, new, None)


def _renamed(part: LayerPart) -> dict[str, Any]:
    """Return the arguments under Keras 3's names."""
    config = dict(part.config)
    if part.class_name == "InputLayer" and "batch_input_shape" in config:
        config["batch_shape"] = config.pop("batch_input_shape")
    if part.class_name == "LeakyReLU" and "alpha" in config:
        config["negative_slope"] = config.pop("alpha")
    if part.class_name == "ThresholdedReLU":
        config["threshold"] = config.pop("theta", 1.0)
    for held in ("layer", "backward_layer", "cell", "cells"):
        if part.parts:
            config.pop(held, None)
    return config


def _held(part: LayerPart) -> dict[str, Any]:
    """Return the wrapped layers and cells; a Bidirectional names both directions as Keras 3 does."""
    if part.class_name == "Bidirectional":
        forward, backward = part.parts
        for side, child in (("forward_", forward), ("backward_", backward)):
            child.config["name"] = side + child.name.removeprefix(side)
        backward.derived = False
        return {"layer": forward.record, "backward_layer": backward.record}
    if part.class_name == "StackedRNNCells":
        return {"cells": [child.record for child in part.parts]}
    return {child.held_as: child.record for child in part.parts}


def _settle(path: str, class_name: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Write out what means something else, or nothing, where it is left unsaid."""
    if class_name in LOOKUPS:
        settle_vocabulary(path, class_name, new)
    if class_name in ("GRU", "GRUCell"):
        new.setdefault("reset_after", False)  # Keras before 2.1.3 had no other kind
    if class_name == "BatchNormalization" and isinstance(new.get("axis"), list) and len(new["axis"]) == 1:
        new["axis"] = new["axis"][0]
    if class_name == "Embedding" and str(new.get("dtype", "")).startswith("int"):
        new["dtype"] = "float32"  # Keras 2.2 wrote the dtype of the input there


def _shape(part: LayerPart) -> Any:
    """Return the input shape of a layer, before it is lifted: its own, its first layer's, or that which built it."""
    shape = None if part.class_name in LOOKUPS else part.config.get("batch_input_shape")
    if shape is None and part.is_model and part.parts:
        shape = _shape(part.parts[0])
    build = part.record.get("build_config")
    built = build.get("input_shape") if isinstance(build, dict) and part.class_name == "Sequential" else None
    return shape or part.config.get("build_input_shape") or built


def _give_input(root: LayerPart) -> None:
    """Start a Sequential at the root with an InputLayer, or Keras 3 would not build it when it loads."""
    if root.class_name != "Sequential" or (root.parts and root.parts[0].class_name == "InputLayer"):
        return
    shape = root.config.get("build_input_shape")
    if not isinstance(shape, list):
        raise Refused("", "the file does not contain the input shape of this Sequential")
    first = root.parts[0] if root.parts else root
    dtype = taken_by(first) if first.class_name in LOOKUPS else _TAKEN.get(first.class_name, "float32")
    config = {"batch_shape": shape, "dtype": dtype, "name": f"{root.name}_input"}
    entry = {"module": "keras.layers", "class_name": "InputLayer", "config": config, "registered_name": None}
    root.parts.insert(0, LayerPart(entry, "layers"))
    root.config["layers"].insert(0, entry)
