"""Names of layers that Keras 3 does not take."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.core.regex import regex
from cudnnlint.frontends.serialized.histories import written
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths

#: Keras 3 puts the operations that compute a mask into the graph when it loads a model, under these names, and
#: two operations of one name raise "The name ... is used 2 times" (keras 3.15.1): Concatenate layers of masked
#: tensors are called so by default.
_OPERATION = regex(r"(concatenate|any|not_equal|logical_or|expand_dims|zeros_like|ones_like)(_\d+)?")


def rename(root: LayerPart) -> list[str]:
    """Give such layers another name, wherever the model refers to them; a sentence for each name."""
    parts = [part for _, part in paths(root)]
    masked = any(part.class_name == "Masking" or bool(part.config.get("mask_zero")) for part in parts)
    reported: list[str] = []
    for model in (root, *(part for part in parts if part.is_model)):
        names = {part.name: _new(part.name, masked) for part in model.parts if _new(part.name, masked) != part.name}
        if len({names.get(part.name, part.name) for part in model.parts}) < len({part.name for part in model.parts}):
            raise Refused(
                model.name, f"{', '.join(names)}: Keras 3 does not accept these names, and no other name is free"
            )
        _apply(model, names)
        reported.extend(
            f"{old}: this layer is now called {new}, as Keras 3 does not accept its name" for old, new in names.items()
        )
    return reported


def _new(name: str, masked: bool) -> str:
    """Keras 3 allows no `/` in a name (`Operation.__init__`)."""
    plain = name.replace("/", "_")
    return f"{plain}_layer" if masked and _OPERATION.fullmatch(plain) else plain


def _apply(model: LayerPart, names: dict[str, str]) -> None:
    if not names:
        return
    for part in model.parts:
        if part.name in names:
            new = names[part.name]
            part.config["name"] = new
            if "name" in part.record:
                part.record["name"] = new
        _refer(part.record.get("inbound_nodes"), names)
    for key in ("input_layers", "output_layers"):
        _refer(model.config.get(key), names)


def _refer(found: Any, names: dict[str, str]) -> None:
    for tensor in written(found):
        tensor[0] = names.get(tensor[0], tensor[0])
