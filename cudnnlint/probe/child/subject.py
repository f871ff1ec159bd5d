"""What reaches a recurrent layer: noted while a model runs once, to be asked alone."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from .recurrent import as_list, dtype_of

PADDINGS = ("right", "left", "empty")
BATCH, STEPS, SIZE = 3, 5, 4  # stand in for what a model leaves open; three rows show every padding


class Subject:
    """A recurrent layer and one call of it: the shape and dtype of what reached it."""

    def __init__(self, layer: Any, shape: Any, dtype: str, masked: bool, states: Any, ragged: bool = False) -> None:
        self.layer = layer
        self.shape = tuple(shape)
        self.dtype = dtype
        self.masked = masked and len(self.shape) >= 3
        self.states = states  # [(shape, dtype)], empty where none were given
        self.ragged = ragged
        self.time_major = bool(getattr(layer, "time_major", False))

    @property
    def uncast(self) -> bool:
        """Return whether its input reached it in another float dtype than its own: a wrapper went past `__call__`."""
        computes = getattr(self.layer, "compute_dtype", None)
        casts = getattr(self.layer, "autocast", getattr(self.layer, "_autocast", True))
        return bool(casts and computes and "float" in self.dtype and computes != self.dtype)

    def call(self, inputs: Any, **more: Any) -> Any:
        """Call the layer as it was called."""
        return (self.layer.call if self.uncast else self.layer)(inputs, **more)

    @property
    def kind(self) -> Any:
        """Return what decides a route, apart from the layer."""
        return self.shape, self.dtype, self.masked, bool(self.states)

    @property
    def steps(self) -> int:
        """Return how many time steps reach it."""
        return int(self.shape[0 if self.time_major else 1])

    @property
    def rows(self) -> int:
        """Return how many sequences reach it."""
        return int(self.shape[1 if self.time_major else 0])

    def paddings(self, wanted: Any) -> Any:
        """Return the paddings worth asking: "none" without a mask; one step cannot be padded on the left."""
        if not self.masked:
            return ["none"]
        return [padding for padding in wanted if padding != "left" or self.steps > 1]

    def mask(self, padding: str) -> Any:
        """Return rows of booleans: padded on the right, on the left, or on the right with an empty first row."""
        lengths = [max(self.steps - 1 - row % 2, 1) for row in range(self.rows)]
        if padding == "empty":
            lengths[0] = 0
        spans = [(self.steps - length, self.steps) if padding == "left" else (0, length) for length in lengths]
        rows = [[start <= step < end for step in range(self.steps)] for start, end in spans]
        return [[row[step] for row in rows] for step in range(self.steps)] if self.time_major else rows


class Notes:
    """Watches recurrent layers while a model runs once, and notes what reaches them."""

    def __init__(self, side: Any) -> None:
        self.side = side
        self.subjects = {}  # type: dict[int, list[Subject]]

    @contextlib.contextmanager
    def watching(self, layers: Any) -> Iterator[None]:
        """Note every call of these layers while the context lasts."""
        for layer in layers:
            layer.__dict__["call"] = self.watched(layer)
        try:
            yield
        finally:
            for layer in layers:
                layer.__dict__.pop("call", None)

    def watched(self, layer: Any) -> Any:
        """Return a `call` that notes its arguments.

        Wrappers reach a layer past `__call__`, so it has to be `call`.
        """
        original = type(layer).call.__get__(layer)
        signature = inspect.signature(original)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.subjects.setdefault(id(layer), []).append(self.subject(layer, signature.bind(*args, **kwargs)))
            return self.harmless(layer, original, args, kwargs)

        call.__signature__ = signature  # type: ignore[attr-defined]  # Keras reads it
        return self.side.unconverted(call)

    def subject(self, layer: Any, bound: Any) -> Subject:
        """Return what one call gave the layer."""
        first, *states = as_list(next(iter(bound.arguments.values())))
        states = states or as_list(bound.arguments.get("initial_state"))
        mask = next((item for item in as_list(bound.arguments.get("mask")) if item is not None), None)
        if type(first).__name__ == "RaggedTensor":
            return Subject(layer, (BATCH, STEPS, SIZE), "float32", False, [], ragged=True)
        shapes = [(tuple(item.shape), dtype_of(item)) for item in states if item is not None]
        return Subject(layer, first.shape, dtype_of(first), mask is not None, shapes)

    def harmless(self, layer: Any, original: Any, args: Any, kwargs: Any) -> Any:
        """Run a call so that it cannot stop for want of a GPU, or because of one."""
        insisted = getattr(layer, "use_cudnn", None) is True
        if insisted:
            layer.use_cudnn = "auto"
        try:
            try:
                return original(*args, **kwargs)
            except Exception:
                with self.side.believing():
                    return original(*args, **kwargs)
        finally:
            if insisted:
                layer.use_cudnn = True
