"""The recurrent layers in a layer or model of any Keras, and what its tensors are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

PACKAGES = ("keras", "tf_keras", "tensorflow", "jax", "torch", "numpy")  # whose functions a job may name
RECURRENT = {"RNN", "ConvRNN", "ConvRNN2D", "_CuDNNRNN"}  # base classes in all generations of Keras


def ancestors(layer: Any) -> Any:
    """Return the names of the frameworks' own classes that a layer descends from."""
    return [kind.__name__ for kind in type(layer).__mro__ if kind.__module__.split(".")[0] in PACKAGES]


def is_recurrent(layer: Any) -> bool:
    """Return whether it is a recurrent layer (a cell is none)."""
    return bool(RECURRENT.intersection(ancestors(layer)))


def is_bidirectional(layer: Any) -> bool:
    """Return whether it is a Bidirectional."""
    return "Bidirectional" in ancestors(layer)


def children(layer: Any) -> Any:
    """Return the layers directly inside a layer."""
    if is_bidirectional(layer):
        return [layer.forward_layer, layer.backward_layer]
    if hasattr(layer, "layers"):
        return list(layer.layers)
    if hasattr(layer, "layer"):
        return [layer.layer]
    inner = getattr(layer, "_layers", None) or getattr(layer, "_self_tracked_trackables", None) or []
    return [item for item in inner if hasattr(item, "name") and hasattr(item, "call")]


def walk(layer: Any, path: Any = (), seen: Any = None) -> Iterator[Any]:
    """Yield every recurrent layer in a layer or model, once, with the names from the root."""
    seen = set() if seen is None else seen
    if id(layer) in seen:
        return
    seen.add(id(layer))
    if is_recurrent(layer):
        yield layer, path
        return
    for child in children(layer):
        yield from walk(child, (*path, child.name), seen)


def wrapped_both_ways(layer: Any, seen: Any = None) -> Iterator[Any]:
    """Yield each direction of every Bidirectional in a layer or model, with that Bidirectional."""
    seen = set() if seen is None else seen
    if id(layer) in seen or is_recurrent(layer):
        return
    seen.add(id(layer))
    for child in children(layer):
        if is_bidirectional(layer):
            yield child, layer
        yield from wrapped_both_ways(child, seen)


def as_list(value: Any) -> Any:
    """Return a list of what may be one, several or none."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def dtype_of(tensor: Any) -> str:
    """Return the plain name of a dtype, such as "float32", whatever the framework calls it."""
    dtype = tensor.dtype
    return str(getattr(dtype, "name", dtype)).replace("torch.", "")
