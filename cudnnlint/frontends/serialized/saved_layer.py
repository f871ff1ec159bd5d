"""A layer of a serialised model as the transfer function sees it."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.execution_context import computes_in, policy_name
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.frontends.serialized.entry import Entry, entry, is_entry
from cudnnlint.keras.lattice import Dtype
from cudnnlint.keras.view import Setting

OP_LAYERS = frozenset({"TFOpLambda", "SlicingOpLambda", "TensorFlowOpLayer"})
#: The key that says what a layer makes, by its class: findings point at it.
KEYS = {"Masking": "mask_value", "Embedding": "mask_zero", "InputLayer": "dtype"}
#: Where Keras 3 has its operations.
OF_OPERATIONS = ("keras.src.ops", "keras.ops", "keras.src.activations")
OF_INNER = ("return_sequences", "return_state")


@dataclass(frozen=True)
class SavedLayer:
    """One layer of Keras's own, as a file has it. `kind` is the Keras class that it is, or resembles."""

    entry: Entry
    kind: str
    names: Names
    place: SavedPlace

    @property
    def class_name(self) -> str:
        """Its class."""
        return self.kind

    @property
    def token(self) -> SavedPlace:
        """The key in the file that says what it makes."""
        key = KEYS.get(self.kind)
        return replace(self.place, key=key) if key else self.place

    @property
    def computes(self) -> Dtype:
        """The dtype in which it computes, by its own dtype or policy."""
        return Dtype(computes_in(policy_name(self.entry.config.get("dtype")) or "float32"))

    @property
    def inner(self) -> SavedLayer | None:
        """The layer that it wraps, where that is one of Keras's own and no model."""
        held = self.entry.config.get("layer")
        if not is_entry(held):
            return None
        found = entry(held, "a wrapped layer")
        kind = found.keras(self.names)
        known = kind is not None and self.names.masks.on_mask(kind, 3) is not None
        return SavedLayer(found, kind, self.names, self.place) if kind is not None and known else None

    @property
    def constants(self) -> int:
        """How many of a Keras 2 layer's inputs are constants for its cell."""
        count = self.entry.config.get("num_constants")
        return count if type(count) is int else 0

    def setting(self, name: str) -> Setting:
        """Return one argument; None is what a file writes for one that is not given."""
        inner = self.inner if self.kind == "Bidirectional" and name in OF_INNER else None
        if inner is not None:
            return inner.setting(name)
        value: Any = self.entry.config.get(name)
        return Setting() if value is None and name != "activation" else Setting((value,))


def is_op(found: Entry) -> bool:
    """Return whether an entry is an operation that became a layer when the model was built."""
    return found.class_name in OP_LAYERS or (found.module or "").startswith(OF_OPERATIONS)
