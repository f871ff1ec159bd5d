"""What TensorFlow's functions, the operations of its graphs and those of Keras 3 take, and the objects of Keras: JSON.

    python operations.py        asks the installed keras, tf_keras and tensorflow about what conversion.toml names

    {"about": {package: release},
     "keras": {operation: {"made": [[parameter, default]], "called": [[parameter, default]]}},
     "functions": {function of TensorFlow: [[parameter, default]]},
     "raw": {operation of a graph: {"inputs": [name], "attributes": [name]}},
     "objects": {package: {kind: {class: [parameter]}}}, "activations": {package: [name]}}

A parameter without a default stands alone. The answers are in fixtures/evidence/operations.json.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

MODULES = ("core", "math", "nn", "numpy")
KINDS = ("initializers", "regularizers", "constraints")


def parameters(function: Callable[..., Any]) -> list[list[Any]]:
    """The parameters of a function, each with its default where that is plain."""
    found = []
    for one in inspect.signature(function).parameters.values():
        if one.name == "self" or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        plain = isinstance(one.default, (bool, int, float, str, type(None)))
        default = one.default if plain else str(one.default)
        found.append([one.name] if one.default is one.empty else [one.name, default])
    return found


def operations_of_keras() -> dict[str, Any]:
    """Every class of an operation, by its module and name."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(f"keras.src.ops.{name}")
        for kind, one in sorted(vars(module).items()):
            if inspect.isclass(one) and one.__module__ == module.__name__:
                found[f"{name}.{kind}"] = {"made": parameters(one.__init__), "called": parameters(one.call)}
    return found


def objects_of(package: str) -> dict[str, dict[str, list[str]]]:
    """The initializers, regularizers and constraints, each with what it is made with."""
    return {
        kind: {
            name: [one[0] for one in parameters(made.__init__)]
            for name, made in sorted(vars(importlib.import_module(f"{package}.{kind}")).items())
            if inspect.isclass(made)
        }
        for kind in KINDS
    }


def activations_of(package: str) -> list[str]:
    """The names by which a package finds an activation, of all that either of the two has."""
    names = {
        name
        for module in (importlib.import_module(f"{one}.activations") for one in ("keras", "tf_keras"))
        for name, one in vars(module).items()
        if inspect.isfunction(one) and not name.startswith("_") and name not in ("get", "serialize", "deserialize")
    }
    found = []
    for name in sorted(names | {"relu6", "silu"}):
        try:
            importlib.import_module(f"{package}.activations").get(name)
        except ValueError:
            continue
        found.append(name)
    return found


def main() -> None:
    """Ask, print."""
    import keras
    import tensorflow
    import tf_keras
    from cudnnlint.rulebook.conversion_table import conversion_table
    from tensorflow.python.framework import op_def_registry

    table, packages = conversion_table(), (keras, tf_keras, tensorflow)
    functions, raw = {}, {}
    for dotted in sorted({*table.operations, *(row.function for row in table.raw_operations.values())}):
        function: Any = tensorflow
        for part in dotted.split("."):
            function = tensorflow.math if part == "__operators__" else getattr(function, part)
        functions[dotted] = parameters(function)
    for name in table.raw_operations:
        known = op_def_registry.get(name)
        raw[name] = {"inputs": [one.name for one in known.input_arg], "attributes": [one.name for one in known.attr]}
    print(json.dumps({
        "about": {package.__name__: package.__version__ for package in packages},
        "keras": operations_of_keras(), "functions": functions, "raw": raw,
        "objects": {name: objects_of(name) for name in ("keras", "tf_keras")},
        "activations": {name: activations_of(name) for name in ("keras", "tf_keras")},
    }))  # fmt: skip


if __name__ == "__main__":
    main()
