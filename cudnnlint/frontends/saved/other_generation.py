"""What one generation of Keras makes of a file of the other: what keeps it from loading, and whether it loads at all.

Asked of keras 3.15.1 with 34 files of keras 2.3.1 (fixtures/evidence/saved_shapes.xz).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cudnnlint.core.names import Names
from cudnnlint.core.target import GENERATION
from cudnnlint.formats.archive import ModelContents
from cudnnlint.frontends.serialized.entry import Entry, is_entry
from cudnnlint.frontends.serialized.histories import histories, is_history, keywords
from cudnnlint.frontends.serialized.tree import MODELS, Node, Role

RECURRENT = (Role.RECURRENT, Role.BIDIRECTIONAL)
#: Layers whose output has as many dimensions as their input, or one more: behind them is still one too many.
KEEPING = frozenset({
    "Activation", "ActivityRegularization", "AlphaDropout", "BatchNormalization", "Dense", "Dropout", "ELU",
    "Embedding", "GaussianDropout", "GaussianNoise", "LayerNormalization", "LeakyReLU", "Masking", "PReLU", "ReLU",
    "Softmax",
})  # fmt: skip


def lists_states(node: Node, names: Names) -> bool:
    """Return whether a recurrent layer takes its states as further inputs, as Keras 2 writes them."""
    calls = node.entry.inbound if node.role in RECURRENT and isinstance(node.entry.inbound, list) else []
    return any(isinstance(call, list) and len(histories(call, False)) > 1 for call in calls)


def gives_numbers(node: Node, names: Names) -> bool:
    """Return whether a recurrent layer is given numbers as its states, which Keras 2 writes as lists in lists."""
    calls = node.entry.inbound if node.role in RECURRENT and isinstance(node.entry.inbound, list) else []
    return any(_has_number(keywords(call).get("initial_state")) for call in calls if isinstance(call, list))


def _has_number(value: Any) -> bool:
    if isinstance(value, list) and not is_history(value):
        return any(map(_has_number, value))
    return isinstance(value, float)


def is_shaped_input(node: Node, names: Names) -> bool:
    """Return whether this is an Input with its shape as Keras 3 writes it."""
    return node.keras == "InputLayer" and "batch_shape" in node.entry.config


def has_policy(node: Node, names: Names) -> bool:
    """Return whether the dtype of a layer of Keras is a policy as Keras 3 writes it."""
    dtype = node.entry.config.get("dtype")
    return not node.own and isinstance(dtype, dict) and dtype.get("class_name") == "DTypePolicy"


def takes_batches(node: Node, names: Names) -> bool:
    """Return whether a Sequential has no Input, and the first of its layers has the whole shape.

    Keras 3 takes that for the shape without the batch: a recurrent layer gets a dimension too many.
    """
    first = node.children[0] if node.keras == "Sequential" and node.children else None
    if first is None or first.entry.module is not None or "batch_input_shape" not in first.entry.config:
        return False
    here = next((number for number, child in enumerate(node.children) if child.role in RECURRENT), None)
    return here is not None and all(child.keras in KEEPING for child in node.children[:here])


#: What one generation writes and the other does not take, by the kind that a row names.
MARKS: Mapping[str, Callable[[Node, Names], bool]] = {
    "listed-states": lists_states,
    "constant-states": gives_numbers,
    "batched-input": takes_batches,
    "shaped-input": is_shaped_input,
    "policy-object": has_policy,
}


def unproved(root: Node, contents: ModelContents, names: Names, major: int | None) -> str | None:
    """Return the first layer of which it is not known that the other generation of Keras loads it, by its name.

    `major` is the generation that wrote the file: Keras 2 loads no file of Keras 3.
    """
    if contents.kind != "h5" or major is None or major == GENERATION:
        return root.name
    nodes = tuple(root.walk())
    doubtful = (node.name for node in nodes if node.own or _gives_by_name(node) or _is_open(node))
    every = (found.name or found.own_name for _, found in root.entry.within if not _is_known(found, names))
    return next((name for part in (doubtful, every) for name in part), None)


def _gives_by_name(node: Node) -> bool:
    """Return whether a call gives more than its first argument."""
    calls = node.entry.inbound if isinstance(node.entry.inbound, list) else []
    return any(bool(keywords(call)) for call in calls)


def _is_open(node: Node) -> bool:
    """Return whether a Sequential without an Input has layers after which its dimensions are not counted here."""
    first = node.children[0] if node.keras == "Sequential" and node.children else None
    return first is not None and first.keras != "InputLayer"


def _is_known(found: Entry, names: Names) -> bool:
    """Return whether a layer, and what it was given, is of classes whose arguments are known."""
    keras = found.keras(names)
    classes = (names.taken.taken, names.recurrent, names.cells, MODELS, ("InputLayer",))
    objects = (part["class_name"] for part in found.config.values() if is_entry(part))
    held = (*names.taken.objects, *names.taken.taken, *names.recurrent, *names.cells, *MODELS)
    return any(keras in known for known in classes) and all(name in held for name in objects)
