"""Values of a Keras 2 configuration in the words of Keras 3: initialisers, regularisers, dtypes, tuples, ..."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rulebook.conversion_table import ConversionTable


def value(path: str, argument: str, found: Any, reported: list[str], table: ConversionTable) -> Any:
    """Return the value of one argument for Keras 3; append a sentence to `reported` where something is left out."""
    found = plain(path, found)
    if argument == "dtype":
        return dtype(path, found)
    if argument.endswith("activation"):
        return activation(path, argument, found, table)
    if argument.endswith("_initializer"):
        return initializer(path, argument, found, reported, table)
    if argument.endswith("_regularizer"):
        return _known(path, argument, found, "regularizers", table)
    if argument.endswith("_constraint"):
        return _known(path, argument, found, "constraints", table)
    return found


def plain(path: str, found: Any) -> Any:
    """Return tuples, shapes and small arrays as lists and numbers; Keras 2 writes them as `json_utils.Encoder` does."""
    if isinstance(found, list):
        return [plain(path, item) for item in found]
    if not isinstance(found, dict):
        return found
    if found.get("class_name") in ("__tuple__", "TensorShape"):
        return plain(path, found.get("items"))
    if found.get("type") == "ndarray" or found.get("class_name") == "__numpy__":
        inner = found.get("config", found)
        return inner.get("value") if isinstance(inner, dict) else inner
    if isinstance(found.get("class_name"), str) and found["class_name"].startswith("__"):
        raise Refused(path, f"holds {found['class_name']}, which needs its Python code")
    return {key: plain(path, item) for key, item in found.items()}


def dtype(path: str, found: Any) -> Any:
    """Return a dtype or a mixed-precision policy as Keras 3 writes it; raise Refused for a custom policy."""
    if isinstance(found, dict):
        config = found.get("config")
        name = config.get("name") if isinstance(config, dict) else None
        if not isinstance(name, str):
            raise Refused(path, "has a custom dtype policy")
        return {"module": "keras", "class_name": "DTypePolicy", "config": {"name": name}, "registered_name": None}
    return "float32" if found is None or found == "_infer" else found


def activation(path: str, argument: str, found: Any, table: ConversionTable) -> Any:
    """Return an activation by name; None is linear. Raise Refused for a function that Keras 3 does not have."""
    if isinstance(found, dict) and found.get("class_name") == "function":
        found = found.get("config")
    if found is None:
        return "linear"
    if not isinstance(found, str) or found not in table.activations:
        shown = found.get("class_name", "an object") if isinstance(found, dict) else found
        raise Refused(path, f"{argument} is {shown!r}, a function that Keras 3 does not have")
    return found


def initializer(path: str, argument: str, found: Any, reported: list[str], table: ConversionTable) -> Any:
    """Return an initialiser; one that Keras 3 does not have becomes Zeros, since all weights are in the file."""
    if found is None:
        return None
    name, config = _object(path, argument, found)
    name = name.removesuffix("V2").replace("OrthogonalInitializer", "Orthogonal")
    name = name.replace("Orthogonal", "OrthogonalInitializer").replace("IdentityInitializer", "Identity")
    known = table.objects["initializers"]
    if name not in known or (name == "Constant" and not isinstance(config.get("value"), (int, float))):
        reported.append(f"{path}: {argument} {name} is dropped (the weights are kept)")
        name, config = "Zeros", {}
    if config.get("distribution") == "normal":  # what Keras 2.2 called so was cut off at two deviations
        config = {**config, "distribution": "truncated_normal"}
    return _made("initializers", name, config, table)


def _known(path: str, argument: str, found: Any, kind: str, table: ConversionTable) -> Any:
    if found is None:
        return None
    name, config = _object(path, argument, found)
    if name not in table.objects[kind]:
        raise Refused(path, f"{argument} is {name!r}, which Keras 3 does not have")
    return _made(kind, name, config, table)


def _object(path: str, argument: str, found: Any) -> tuple[str, dict[str, Any]]:
    if isinstance(found, str):
        return "".join(word.capitalize() for word in found.split("_")) if found.islower() else found, {}
    config = found.get("config") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(found.get("class_name"), str) or not isinstance(config, dict):
        raise Refused(path, f"{argument} has a value that Keras does not write")
    return found["class_name"], config


def _made(kind: str, name: str, config: dict[str, Any], table: ConversionTable) -> dict[str, Any]:
    kept = {key: config[key] for key in table.objects[kind][name] if key in config}
    return {"module": f"keras.{kind}", "class_name": name, "config": kept, "registered_name": None}
