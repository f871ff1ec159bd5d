"""Calls a model or a layer with tensors of what it takes; what they leave open gets a size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .channel import Json
from .recurrent import as_list, dtype_of
from .side import Side
from .subject import SIZE


class Feeder:
    """Calls with tensors of ones. `sizes`: batch, steps and features; `given`: an input shape without the batch."""

    def __init__(self, side: Side, sizes: Any, given: Any) -> None:
        self.side = side
        self.sizes = sizes
        self.given = given

    def for_model(self, model: Any) -> Callable[[bool], Any]:
        """Return a call of a model with tensors of its inputs' shapes."""
        tensors = [self.tensor_for(item) for item in as_list(model.inputs)]
        inputs = tensors[0] if len(tensors) == 1 else tensors
        return lambda training: model(inputs, training=training)

    def tensor_for(self, item: Any) -> Any:
        """Return a tensor for an input, ragged where that is (Keras 3 says so; its recurrent layers take none)."""
        shape, dtype = self.closed(item.shape), dtype_of(item)
        return self.side.ragged(shape, dtype) if getattr(item, "ragged", False) else self.side.ones(shape, dtype)

    def for_layer(self, layer: Any, spec: Json) -> Callable[[bool], Any]:
        """Return a call of a layer with what reached it in the source."""
        shape = self.shape_for(spec)
        more = {}  # type: dict[str, Any]
        if spec["masked"]:
            more["mask"] = self.side.booleans([[True] * shape[1]] * shape[0])
        if spec["initial_state"]:
            # as they come from another layer; Keras 2 casts nothing but the first argument
            dtype = getattr(layer, "compute_dtype", None) or getattr(layer, "_compute_dtype", None) or "float32"
            shown = spec["state_dtypes"] or [dtype]
            sizes = self.state_shapes(spec, shape[0])
            more["initial_state"] = [self.side.ones(s, shown[at % len(shown)]) for at, s in enumerate(sizes)]
        inputs = self.side.ones(shape, spec["input_dtype"] or "float32")
        return lambda training: layer(inputs, training=training, **more)

    def shape_for(self, spec: Json) -> Any:
        """Return the input shape of a layer: of the rank that its class takes."""
        name = spec["class_name"]
        rank = 3 + int(name[8]) if name.startswith("ConvLSTM") else 3
        times = any(wrapper["kind"] == "TimeDistributed" for wrapper in spec["wrappers"])
        batch, steps, size = self.sizes
        if len(self.given) == rank - 1 + times:
            return (batch, *self.given)
        return (batch, *[steps] * (1 + times), *[8] * (rank - 3), spec.get("features") or size)

    def state_shapes(self, spec: Json, batch: int) -> Any:
        """Return the shapes of an LSTM's or a GRU's states, for each direction."""
        units = spec["arguments"].get("units", SIZE)
        count = 2 if spec["class_name"] == "LSTM" else 1
        both = 2 if any(wrapper["kind"] == "Bidirectional" for wrapper in spec["wrappers"]) else 1
        return [(batch, units)] * count * both

    def closed(self, shape: Any) -> Any:
        """Return a shape with numbers for what is open."""
        batch, steps, size = self.sizes
        given = [batch, *self.given]
        numbers = given + [batch, steps, *[size] * 8][len(given) :]
        return tuple(numbers[place] if size is None else int(size) for place, size in enumerate(tuple(shape)))
