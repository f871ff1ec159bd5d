"""Which dotted names are Keras, and which Keras names are recurrent. Filled from tables/names.toml."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """The vocabulary that both front ends recognise layers by, whatever the target.

    `roots` are the dotted prefixes under which Keras lives ("keras", "tensorflow.keras", ...), longest
    first; `frameworks` the top-level packages whose functions may be told by name alone.
    """

    roots: tuple[str, ...]
    frameworks: frozenset[str]
    recurrent: frozenset[str]
    cells: frozenset[str]
    wrappers: frozenset[str]

    def keras_class(self, dotted: str) -> str | None:
        """The last part of a dotted name that lies in Keras ("LSTM" for "tensorflow.keras.layers.LSTM"), else None."""
        if any(dotted.startswith(root + ".") for root in self.roots):
            return dotted.rsplit(".", 1)[1]
        return None

    def recurrent_class(self, dotted: str) -> str | None:
        """The recurrent layer class that `dotted` names, else None."""
        name = self.keras_class(dotted)
        return name if name in self.recurrent else None
