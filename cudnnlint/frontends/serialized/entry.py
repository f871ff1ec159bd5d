"""One serialised Keras object: its class, where that class comes from, and its configuration. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.frozen import record
from cudnnlint.core.names import Names

#: Which arguments give away the Keras class of a recurrent layer whose own class is not Keras's.
FEATURES = (
    ("RNN", {"cell", "return_sequences", "go_backwards"}),
    ("LSTM", {"units", "recurrent_activation", "unit_forget_bias", "return_sequences"}),
    ("GRU", {"units", "recurrent_activation", "reset_after", "return_sequences"}),
    ("Bidirectional", {"layer", "merge_mode"}),
)
#: Where a configuration holds layers and cells, in the order in which Keras makes them.
HELD = ("layers", "layer", "backward_layer", "cell", "cells")


@record(frozen=True)
class Entry:
    """A serialised object. `name` is the layer's, `inbound` its calls in a functional model as the file has them.

    `shared` is the number by which a file of Keras knows an object that it holds more than once. `nulled`: its module
    is written, and is nothing.
    """

    class_name: str
    module: str | None
    registered: str | None
    config: Mapping[str, Any]
    name: str | None
    inbound: Any = None
    shared: int | None = None
    nulled: bool = False

    def keras(self, names: Names) -> str | None:
        """Return the class's name if it is one of Keras's own, as far as the file shows, else None."""
        if ">" in self.class_name or ">" in (self.registered or ""):
            return None
        if self.module is None:  # HDF5 files and old JSON give the name alone
            return self.class_name
        return names.keras_class(f"{self.module}.{self.class_name}")

    @property
    def own_name(self) -> str:
        """The class's name without the package that it was registered under."""
        return self.class_name.rsplit(">", 1)[-1]

    @property
    def path(self) -> str:
        """Module and class, as the file has them."""
        if self.module is None:
            return self.own_name if ">" in self.class_name else f"keras.layers.{self.class_name}"
        return f"{self.module}.{self.own_name}"

    @cached_property
    def within(self) -> tuple[tuple[str, Entry], ...]:
        """All layers and cells that the configuration holds, at any depth, each with the key that it is under."""
        own = ((key, entry(part, "a layer")) for key, part in held(self) if is_entry(part))
        return tuple(one for key, found in own for one in ((key, found), *found.within))

    def resembles(self) -> str | None:
        """Return the recurrent Keras class that the arguments imply, else None."""
        return next((name for name, keys in FEATURES if keys <= self.config.keys()), None)


def text(value: Any) -> str | None:
    """Return a string that can be printed everywhere, or None for anything else."""
    if not isinstance(value, str):
        return None
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def is_entry(value: Any) -> bool:
    """Return whether a value looks like a serialised object."""
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("class_name"), str) and isinstance(value.get("config"), dict)


def entry(value: Any, where: str) -> Entry:
    """Return the object that `value` serialises.

    Raises UnreadableInput where `value` has no class name or no configuration; `where` names it in the message.
    """
    if not isinstance(value, dict) or not isinstance(value.get("class_name"), str):
        raise UnreadableInput(f"{where} has no class name, so Keras cannot load it.")
    config = value.get("config")
    if isinstance(config, list):  # a Sequential model of Keras 2.2 and before
        config = {"layers": config}
    if not isinstance(config, dict):
        raise UnreadableInput(f"{where} has no configuration, so Keras cannot load it.")
    return Entry(
        class_name=text(value["class_name"]) or "",
        module=text(value.get("module")) or None,
        registered=text(value.get("registered_name")),
        config=config,
        name=text(value.get("name")) or text(config.get("name")),
        inbound=value.get("inbound_nodes"),
        shared=shared if type(shared := value.get("shared_object_id")) is int else None,
        nulled="module" in value and not text(value["module"]),
    )


def held(found: Entry) -> Iterator[tuple[str, Any]]:
    """Yield what a model, a wrapper or an RNN holds, each with the key that it is under, whether or not it is sound.

    These are a model's layers, the layer or the two directions that a wrapper holds, and cells.
    """
    for key in HELD:
        value = found.config.get(key)
        if isinstance(value, list):
            yield from ((key, part) for part in value)
        elif value is not None:
            yield key, value


def inner(config: Any) -> Iterator[tuple[str, Entry]]:
    """Yield the outermost serialised objects anywhere inside a configuration, each with the key that it is under."""
    stack: list[tuple[str, Any]] = [("", config)]
    while stack:
        key, value = stack.pop()
        if is_entry(value) and value is not config:
            yield key, entry(value, "an object in it")
        elif isinstance(value, dict):
            stack += [(name, part) for name, part in reversed(value.items()) if isinstance(part, (dict, list))]
        elif isinstance(value, list):
            stack += [(key, part) for part in reversed(value) if isinstance(part, (dict, list))]
