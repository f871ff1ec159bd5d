"""What a file of Keras 2 leaves out and Keras 3 needs: the module that a class is of, and a model's configuration."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.entry import held
from cudnnlint.frontends.serialized.tree import MODELS, Node


def is_unplaced(nodes: Sequence[Node], names: Names) -> str | None:
    """Return the name of a whole model of Keras that is written without its module: inside it, names are enough."""
    root = nodes[0]
    return root.name if _lacks_module(root.entry.class_name, root.entry.module, names) else None


def holds_unplaced(node: Node, names: Names) -> bool:
    """Return whether a wrapper or an RNN of Keras holds a layer, a cell or a model of Keras without its module.

    One without its class is none of the user's own either.
    """
    parts = [part for key, part in held(node.entry) if key != "layers" and isinstance(part, dict)]
    return not node.own and any(_lacks_module(part.get("class_name"), part.get("module"), names) for part in parts)


def _lacks_module(class_name: object, module: object, names: Names) -> bool:
    classes = (names.masks.classes, names.recurrent, names.cells, MODELS)
    named = isinstance(class_name, str)
    return not named or (module is None and any(class_name in known for known in classes))


def is_bare_list(node: Node, names: Names) -> bool:
    """Return whether a Sequential's whole configuration is the list of its layers, as before Keras 2.2.3."""
    return node.keras == "Sequential" and node.entry.config.keys() == {"layers"}
