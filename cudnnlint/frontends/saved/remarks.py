"""Remarks on a saved file as a whole: classes whose code it does not hold, and why it would not load."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.names import Names
from cudnnlint.formats.archive import ModelContents
from cudnnlint.frontends.saved.lower import FUNCTIONS
from cudnnlint.frontends.serialized.saved_layer import is_op
from cudnnlint.frontends.serialized.tree import MODELS, Node, Role

#: Operations on two values that bear the name of a layer, which takes a list: Keras 3 finds the layer, and stops.
OF_TWO = frozenset({"Add", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"})


def notes(root: Node, names: Names) -> tuple[str, ...]:
    """Return a sentence for each class whose code is not in the file: it may make recurrent layers of its own."""
    unseen = [node.entry.own_name for node in root.walk() if not node.children and _is_foreign(node, names)]
    return tuple(
        f"{name} is a class of your own: recurrent layers that its code makes are not in the file and are not checked."
        for name in dict.fromkeys(unseen)
    )


def _is_foreign(node: Node, names: Names) -> bool:
    if node.role is not Role.KERAS or node.entry.module is not None:
        return node.role is Role.OWN
    known = node.keras in MODELS or is_op(node.entry) or (node.keras or "") in names.masks.classes
    return not known and not _is_bare_operation(node, names)


def unloadable(root: Node, contents: ModelContents, names: Names, major: int | None) -> str | None:
    """Return why the Keras that wrote the file does not load it, where that is certain."""
    own = next((node for node in root.walk() if not node.own and _has_lambda(node.entry.config)), None)
    if own is not None:
        return f"Keras cannot load the activation of {own.name}: it is a lambda, whose name the file does not have"
    if contents.kind != "h5" or major != 3:
        return None
    bare = next((node.entry.class_name for node in root.walk() if _is_bare_operation(node, names)), None)
    if bare is None:
        return None
    return f"Keras 3 cannot load the operation {bare} from an HDF5 file; save the model as .keras"


def _has_lambda(config: Any) -> bool:
    """Return whether an activation in a configuration is a lambda: its code, and no class that says so."""
    if isinstance(config, list):
        return any(_has_lambda(one) for one in config)
    if not isinstance(config, dict):
        return False
    given = [config[name] for name in FUNCTIONS if isinstance(config.get(name), dict)]
    bare = any(isinstance(one.get("value"), list) and "class_name" not in one for one in given)
    return bare or any(_has_lambda(config.get(name)) for name in ("cell", "cells", "config"))


def _is_bare_operation(node: Node, names: Names) -> bool:
    """Return whether a node is an operation of Keras 3 in a file that has class names alone.

    A layer of Keras 3 writes whether it is trainable, an operation nothing but its name and its own arguments.
    """
    config, name = node.entry.config, node.entry.class_name
    if node.role is not Role.KERAS or node.entry.module is not None:
        return False
    if name in names.masks.classes:
        return name in OF_TWO and "trainable" not in config
    return config.keys() == {"name"} or ("trainable" not in config and names.masks.on_dtype(name) is not None)
