"""Builds a layer from facts, in any Keras."""

from __future__ import annotations

import importlib
from typing import Any

from .channel import Json
from .recurrent import PACKAGES


class Builder:
    """Builds a layer from what a linter saw of it. Runs no code of the user's.

    A layer is {"class_name", "path", "arguments": {name: VALUE}, "cells": [layer] | None, "wrappers": [WRAPPER],
    "policy", "input_dtype", "masked", "initial_state"}; a wrapper is {"kind", "arguments", "role", "other"}, from the
    innermost outwards, where `other` is the layer of the other direction if it was given. A VALUE is a literal, or
    {"ref": dotted name}, {"own": what}, {"tuple": [...]}, {"dict": [[key, value]]}.
    """

    def __init__(self, keras: Any) -> None:
        self.keras = keras

    def build(self, spec: Json) -> Any:
        """Return the layer in all its wrappers."""
        layer = self.bare(spec)
        for wrapper in spec["wrappers"]:
            arguments = self.arguments(wrapper["arguments"])
            kind = getattr(self.keras.layers, wrapper["kind"])
            layer = self.both(kind, layer, wrapper, arguments) if "other" in wrapper else kind(layer, **arguments)
        return layer

    def both(self, kind: Any, layer: Any, wrapper: Json, arguments: Json) -> Any:
        """Return a Bidirectional of the direction that was meant and the other one."""
        if wrapper["other"] is None:
            return kind(layer, **arguments)
        other = self.bare(wrapper["other"])
        forward, backward = (layer, other) if wrapper["role"] == "forward" else (other, layer)
        if wrapper["explicit"]:
            arguments["backward_layer"] = backward
        return kind(forward, **arguments)

    def bare(self, spec: Json) -> Any:
        """Return the layer without its wrappers."""
        arguments = self.arguments(spec["arguments"])
        kind = self.kind(spec)
        if spec.get("cells") is None:
            return kind(**arguments)
        cells = [self.bare(cell) for cell in spec["cells"]]
        alone = len(cells) == 1 and spec["class_name"] != "StackedRNNCells"
        return kind(cells[0] if alone else cells, **arguments)

    def kind(self, spec: Json) -> Any:
        """Return the class that a path means in this Keras: the v1 classes have their own."""
        if "compat.v1" in spec["path"]:
            layers = importlib.import_module("tensorflow").compat.v1.keras.layers
            return getattr(layers, spec["class_name"])
        return getattr(self.keras.layers, spec["class_name"])

    def arguments(self, values: Json) -> Json:
        """Return the arguments with every value decoded from the job."""
        return {name: self.value(value) for name, value in values.items()}

    def value(self, value: Json) -> Any:
        """Return a value decoded from the job: references, tuples and dicts are written as objects there."""
        if not isinstance(value, dict):
            return [self.value(item) for item in value] if isinstance(value, list) else value
        if "ref" in value:
            return self.function(value["ref"])
        if "tuple" in value:
            return tuple(self.value(item) for item in value["tuple"])
        if "dict" in value:
            return {key: self.value(item) for key, item in value["dict"]}
        return self.stranger(value["own"])

    def function(self, dotted: str) -> Any:
        """Return a library's function or class by its dotted name; an activation class becomes an object."""
        first, *rest = dotted.split(".")
        if first not in PACKAGES:
            raise ValueError(f"{dotted} is no library's function")
        found = importlib.import_module(first)
        for part in rest:
            found = getattr(found, part)
        return found

    def stranger(self, what: str) -> Any:
        """Return something that is none of Keras's own functions: an Activation layer, or a function of one's own."""
        if "layer" in what.lower():
            return self.keras.layers.Activation("tanh")
        return lambda value: value * 1.0
