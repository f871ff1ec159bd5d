"""Lowers the configuration of a recurrent layer into a Construction: what was written, and where it is.

Invents no default: a key that Keras does not save stays missing, and the engine knows what the loader makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cudnnlint.core.execution_context import computes_in
from cudnnlint.core.fact import ABSENT, Fact, Known, Opaque, PolicyName, Unknown
from cudnnlint.core.layer import Construction
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.serialized.entry import Entry, entry, is_entry, text
from cudnnlint.frontends.serialized.tree import Node

FUNCTIONS = ("activation", "recurrent_activation")
#: Arguments of layers that the tables give no default.
COMMON = frozenset({"name", "trainable", "dtype", "seed"})


def construct(node: Node, place: SavedPlace, names: Names) -> Construction:
    """Return how the layer of `node` is constructed when the file is loaded."""
    found = node.entry
    own = found.own_name if node.own else None
    # a class of the user's may save others, which are none of Keras's
    known = {*COMMON, *names.arguments, *names.positional.get(node.keras or "", ())}
    arguments = {
        key: lower(key, value, replace(place, key=key), names)
        for key, value in found.config.items()
        if not own or key in known
    }
    return Construction(
        class_name=node.keras or found.class_name,
        path=found.path,
        arguments=arguments,
        open=f"{own} is a class of your own; its code is not in the file" if own else None,
        cells=tuple(_cells(found.config.get("cell"), place, names)) if node.keras == "RNN" else None,
        stack_dtype=_stack_dtype(found.config.get("cell"), place) if node.keras == "RNN" else ABSENT,
        subclass=own,
        overrides=("call",) if own else (),  # as far as is known, it replaces everything,
        may_call_super=("call",) if own else (),  # and may still do what Keras does
        place=place,
    )


def lower(key: str, value: Any, place: SavedPlace, names: Names) -> Fact:
    """Return the fact for one key of a configuration."""
    if key in FUNCTIONS:
        return Known(function(value, names), place)
    if key == "dtype":
        return policy(value, place)
    if key == "cell":
        return Known(Opaque("a cell"), place)
    return Known(value, place)


def function(value: Any, names: Names) -> Any:
    """Return an activation: the name if it is one of Keras's own, else an Opaque with a description."""
    if value is None or (isinstance(value, str) and ">" not in value):
        return text(value)
    if isinstance(value, str):
        return Opaque(f"{text(value)}, a function of your own")
    kind = value.get("class_name") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return Opaque("a value that is not an activation")
    config = value.get("config")
    name = config if isinstance(config, str) else kind
    if kind == "__lambda__":
        return Opaque("a lambda")
    if kind == "function" or isinstance(config, str) or kind in names.activations:
        module, registered = value.get("module"), value.get("registered_name")
        builtin = name in names.activations and registered in (None, "function", name) and _is_keras(module)
        return name if builtin else Opaque(f"{text(name)}, a function of your own")
    like = config.get("activation") if kind == "Activation" and isinstance(config, dict) else None
    return Opaque(f"a layer of the class {text(kind)}", like if isinstance(like, str) else None)


def _is_keras(module: Any) -> bool:
    return module is None or module == "builtins" or str(module).split(".")[0] in ("keras", "tf_keras")


def policy(value: Any, place: SavedPlace) -> Fact:
    """Return a dtype or dtype policy, by its name."""
    if isinstance(value, dict):
        config = value.get("config")
        name = config.get("name") if isinstance(config, dict) else None
        value = PolicyName(text(name)) if isinstance(name, str) else value
    if value is None or isinstance(value, str):
        return Known(value if isinstance(value, PolicyName) else text(value), place)
    return Unknown("its dtype policy is not known", place)


def compute_dtype(arguments: Mapping[str, Fact]) -> Fact | None:
    """Return the dtype that the layer computes in, where the file has one."""
    own = arguments.get("dtype")
    if isinstance(own, Known) and isinstance(own.value, str):
        return replace(own, value=computes_in(own.value))
    return own if isinstance(own, Unknown) else None


def _stack_dtype(cell: Any, place: SavedPlace) -> Fact:
    """Return the dtype of StackedRNNCells around the cells of an RNN; Absent where there are none."""
    stack = entry(cell, "a cell") if is_entry(cell) else None
    stacked = stack is not None and stack.class_name == "StackedRNNCells" and "dtype" in stack.config
    return policy(stack.config["dtype"], place) if stack is not None and stacked else ABSENT


def _cells(value: Any, place: SavedPlace, names: Names) -> Iterator[Construction]:
    """Yield the cells of an RNN: one, a list, or a stack of them."""
    for part in value if isinstance(value, list) else [value]:
        if not is_entry(part):
            continue
        found = entry(part, "a cell")
        if found.class_name == "StackedRNNCells":
            yield from _cells(found.config.get("cells") or [], place, names)
        else:
            yield _cell(found, replace(place, key="cell"), names)


def _cell(found: Entry, place: SavedPlace, names: Names) -> Construction:
    keras = found.keras(names)
    own = None if keras in names.cells else found.own_name
    arguments = {key: lower(key, value, place, names) for key, value in found.config.items()}
    opened = f"{own} is a class of your own; its code is not in the file" if own else None
    return Construction(keras or found.own_name, found.path, arguments, opened, subclass=own, place=place)
