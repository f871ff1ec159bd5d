"""The shapes of a recurrent layer's weights, by its arguments, as keras 3.15.1 and tf_keras 2.21 build them.

Of n gates and u units (`layers/rnn/*.py`): a kernel of (features, n u), a recurrent kernel of (u, n u), a bias of
(n u,), or of (2, n u) in a GRU with `reset_after`. A ConvLSTM of f filters has kernels of (*kernel_size, channels, 4 f)
and of (*kernel_size, f, 4 f).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: None is a size that the arguments alone do not show.
Shape = tuple["int | None", ...]
#: What Keras 2.1.2 and older do not write, and TensorFlow 2 and Keras 3 take for the default.
UNWRITTEN = {"reset_after": True}
GATES_OF = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1}
CONVOLUTIONAL = frozenset({"ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"})


def weight_shape(class_name: str, config: Mapping[str, Any], name: str, features: int | None) -> Shape | None:
    """Return the shape of the weight `name` (kernel, recurrent_kernel or bias); None without a number of units."""
    units = config.get("units")
    if not isinstance(units, int):
        return None
    row = GATES_OF[class_name] * units
    if name == "bias":
        return (2, row) if class_name == "GRU" and config.get("reset_after") else (row,)
    return (features, row) if name == "kernel" else (units, row)


def weight_shapes(class_name: str, config: Mapping[str, Any]) -> list[Shape] | None:
    """Return the shapes of all weights of a layer or cell; None where the arguments do not show them.

    A GRU without `reset_after` is one with it: see `is_assumed`.
    """
    if class_name in CONVOLUTIONAL:
        return _of_convolutions(config)
    plain, config = class_name.removesuffix("Cell"), {**UNWRITTEN, **config}
    flags = ["use_bias", "reset_after"] if plain == "GRU" else ["use_bias"]
    if plain not in GATES_OF or not all(isinstance(config.get(flag), bool) for flag in flags):
        return None
    weights = ["kernel", "recurrent_kernel", *(["bias"] if config["use_bias"] else [])]
    shapes = [shape for name in weights if (shape := weight_shape(plain, config, name, None)) is not None]
    return shapes if len(shapes) == len(weights) else None


def _of_convolutions(config: Mapping[str, Any]) -> list[Shape] | None:
    """Return the shapes of all weights of a ConvLSTM; None where the arguments do not show them."""
    filters, kernel, bias = (config.get(name) for name in ("filters", "kernel_size", "use_bias"))
    window = kernel if isinstance(kernel, (list, tuple)) and all(isinstance(size, int) for size in kernel) else None
    if not isinstance(filters, int) or window is None or not isinstance(bias, bool):
        return None
    row = GATES_OF["LSTM"] * filters
    return [(*window, None, row), (*window, filters, row), *([(row,)] if bias else [])]


def is_assumed(class_name: str, config: Mapping[str, Any]) -> bool:
    """Return whether the shapes of a layer's weights hang on an argument that its file does not have."""
    return class_name.removesuffix("Cell") == "GRU" and not UNWRITTEN.keys() <= config.keys()


def fit(stored: Sequence[Sequence[int]], needed: Sequence[Shape]) -> bool:
    """Return whether the stored shapes are those that are needed, in any order."""
    return beside(stored, needed) == []


def beside(stored: Sequence[Sequence[int]], needed: Sequence[Shape]) -> list[tuple[int, ...]] | None:
    """Return the stored shapes that are not needed; None where one that is needed is not stored."""
    left = [tuple(shape) for shape in stored]
    for wanted in sorted(needed, key=lambda shape: None in shape):  # those of known sizes first
        found = next((shape for shape in left if agree(shape, wanted)), None)
        if found is None:
            return None
        left.remove(found)
    return left


def agree(stored: Sequence[int | None], wanted: Shape) -> bool:
    """Return whether one stored shape is the wanted one, as far as that is known."""
    sizes = zip(stored, wanted, strict=False)
    return len(stored) == len(wanted) and all(need is None or size == need for size, need in sizes)
