"""Classes that Keras 3 does not find by what a file says of them, and names that it refuses; mostly in edited files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.entry import Entry
from cudnnlint.frontends.serialized.tree import MODELS, Node

#: The package of Keras 3, and where it keeps what it does not export, or only for old files.
PACKAGE, INTERNAL = "keras", ("keras.src.", "keras._legacy.")
#: Where Keras 3 exports its layers and cells, and its models; Functional is not exported.
LAYERS, OF_MODELS = "keras.layers", frozenset({"keras", "keras.models"})
Look = Callable[[Sequence[Node], Names], "str | None"]


def first_entry(holds: Callable[[Entry, Names], bool]) -> Look:
    """Return a search for the first model, layer or cell of Keras's own of which something holds, by its name."""

    def look(nodes: Sequence[Node], names: Names) -> str | None:
        root = nodes[0].entry
        every = (root, *(found for _, found in root.within))
        own = (found for found in every if found.keras(names) is not None)
        return next((found.name or found.class_name for found in own if holds(found, names)), None)

    return look


def is_misplaced(found: Entry, names: Names) -> bool:
    """Return whether a class of Keras is said to be in a module of Keras 3 that does not have it."""
    module = found.module or ""
    if module.startswith(INTERNAL) or not _is_known(found, names):
        return False
    if not _is_of_keras(module):
        return found.class_name in MODELS and module.endswith(LAYERS)
    return (
        module not in OF_MODELS or found.class_name == "Functional" if found.class_name in MODELS else module != LAYERS
    )


def is_elsewhere(found: Entry, names: Names) -> bool:
    """Return whether a class of Keras is said to be in another package than Keras 3, such as TensorFlow."""
    return found.module is not None and not _is_of_keras(found.module) and _is_known(found, names)


def is_renamed(found: Entry, names: Names) -> bool:
    """Return whether a class of Keras is said to be registered under another name than its own."""
    return _is_of_keras(found.module or "") and found.registered not in (None, "", found.class_name)


def is_unknown(found: Entry, names: Names) -> bool:
    """Return whether no release has the class among its layers."""
    return found.module == LAYERS and not _is_known(found, names)


def is_nulled(found: Entry, names: Names) -> bool:
    """Return whether a class is written with a module that is nothing; one without the key is looked up by its name."""
    return found.nulled and _is_known(found, names)


def is_misnamed(found: Entry, names: Names) -> bool:
    """Return whether a layer, cell or model has a name that Keras 3 refuses: none of text, or with a slash in it."""
    name = found.config.get("name")
    return name is not None and (not isinstance(name, str) or "/" in name)


def lacks_name(node: Node, names: Names) -> bool:
    """Return whether a model is written without the key of its name."""
    return node.keras in MODELS and not node.own and "name" not in node.entry.config


def _is_of_keras(module: str) -> bool:
    return module.partition(".")[0] == PACKAGE


def _is_known(found: Entry, names: Names) -> bool:
    """Return whether a class has the name of a layer, cell or model of Keras."""
    every = (names.masks.classes, names.recurrent, names.cells, names.exported, MODELS)
    return any(found.class_name in known for known in every)
