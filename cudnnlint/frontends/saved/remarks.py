"""Remarks on a saved file as a whole: classes whose code it does not hold."""

from __future__ import annotations

from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.saved_layer import is_op
from cudnnlint.frontends.serialized.tree import MODELS, Node, Role

#: Operations on two values that bear the name of a layer, which takes a list: Keras 3 finds the layer, and stops.
OF_TWO = frozenset({"Add", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"})
#: Operations that a graph holds where a layer casts what it gets, with the dtype as their one argument.
CASTS = frozenset({"Cast"})


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
    return not known and not is_bare_operation(node, names)


def is_bare_operation(node: Node, names: Names) -> bool:
    """Return whether a node is an operation of Keras 3 in a file that has class names alone.

    A layer of Keras 3 writes whether it is trainable, an operation nothing but its name and its own arguments.
    """
    config, name = node.entry.config, node.entry.class_name
    if node.role is not Role.KERAS or node.entry.module is not None:
        return False
    if name in names.masks.classes:
        return name in OF_TWO and "trainable" not in config
    if config.keys() == {"name"} or (name in CASTS and config.keys() <= {"name", "dtype"}):
        return True
    return "trainable" not in config and names.masks.on_dtype(name) is not None
