"""Values of a Keras 2 configuration in the words of Keras 3: initialisers, regularisers, dtypes, tuples, ..."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.layer_tree import words

#: The functions that Keras 2 and 3 know under one name. All but hard_sigmoid compute the same.
ACTIVATIONS = words(
    """
    elu exponential gelu hard_sigmoid linear mish relu relu6 selu sigmoid silu softmax softplus softsign swish tanh
    """
)

#: Keras 3's initialisers and their arguments; none of this changes a loaded number.
_INITIALIZERS: dict[str, str] = {
    "Zeros": "",
    "Ones": "",
    "Constant": "value",
    "Identity": "gain",
    "OrthogonalInitializer": "gain seed",  # all releases of Keras 3 read this name, those before 3.5 no other
    "RandomNormal": "mean stddev seed",
    "RandomUniform": "minval maxval seed",
    "TruncatedNormal": "mean stddev seed",
    "VarianceScaling": "scale mode distribution seed",
    **dict.fromkeys(
        ("GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "LecunNormal", "LecunUniform"),
        "seed",
    ),
}
_REGULARIZERS: dict[str, str] = {"L1": "l1", "L2": "l2", "L1L2": "l1 l2", "OrthogonalRegularizer": "factor mode"}
_CONSTRAINTS: dict[str, str] = {
    "MaxNorm": "max_value axis",
    "MinMaxNorm": "min_value max_value rate axis",
    "NonNeg": "",
    "UnitNorm": "axis",
}


def value(path: str, argument: str, found: Any, reported: list[str]) -> Any:
    """Return the value of one argument for Keras 3; append a sentence to `reported` where something is left out."""
    found = plain(path, found)
    if argument == "dtype":
        return dtype(path, found)
    if argument.endswith("activation"):
        return activation(path, argument, found)
    if argument.endswith("_initializer"):
        return initializer(path, argument, found, reported)
    if argument.endswith("_regularizer"):
        return _known(path, argument, found, "keras.regularizers", _REGULARIZERS)
    if argument.endswith("_constraint"):
        return _known(path, argument, found, "keras.constraints", _CONSTRAINTS)
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


def activation(path: str, argument: str, found: Any) -> Any:
    """Return an activation by name; None is linear. Raise Refused for a function that Keras 3 does not have."""
    if isinstance(found, dict) and found.get("class_name") == "function":
        found = found.get("config")
    if found is None:
        return "linear"
    if not isinstance(found, str) or found not in ACTIVATIONS:
        shown = found.get("class_name", "an object") if isinstance(found, dict) else found
        raise Refused(path, f"{argument} is {shown!r}, a function that Keras 3 does not have")
    return found


def initializer(path: str, argument: str, found: Any, reported: list[str]) -> Any:
    """Return an initialiser; one that Keras 3 does not have becomes Zeros, since all weights are in the file."""
    if found is None:
        return None
    name, config = _object(path, argument, found)
    name = name.removesuffix("V2").replace("OrthogonalInitializer", "Orthogonal")
    name = name.replace("Orthogonal", "OrthogonalInitializer").replace("IdentityInitializer", "Identity")
    if name not in _INITIALIZERS or (name == "Constant" and not isinstance(config.get("value"), (int, float))):
        reported.append(f"{path}: {argument} {name} is dropped (the weights are kept)")
        name, config = "Zeros", {}
    if config.get("distribution") == "normal":  # what Keras 2.2 called so was cut off at two deviations
        config = {**config, "distribution": "truncated_normal"}
    return _made("keras.initializers", name, config, _INITIALIZERS[name])


def _known(path: str, argument: str, found: Any, module: str, known: dict[str, str]) -> Any:
    if found is None:
        return None
    name, config = _object(path, argument, found)
    if name not in known:
        raise Refused(path, f"{argument} is {name!r}, which Keras 3 does not have")
    return _made(module, name, config, known[name])


def _object(path: str, argument: str, found: Any) -> tuple[str, dict[str, Any]]:
    if isinstance(found, str):
        return "".join(word.capitalize() for word in found.split("_")) if found.islower() else found, {}
    config = found.get("config") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(found.get("class_name"), str) or not isinstance(config, dict):
        raise Refused(path, f"{argument} has a value that Keras does not write")
    return found["class_name"], config


def _made(module: str, name: str, config: dict[str, Any], takes: str) -> dict[str, Any]:
    kept = {key: config[key] for key in takes.split() if key in config}
    return {"module": module, "class_name": name, "config": kept, "registered_name": None}
