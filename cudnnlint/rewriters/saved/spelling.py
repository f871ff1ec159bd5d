"""How the two containers spell the same model: the module of each class, and what compile() was given.

A `.keras` file names the module of every object; an `.h5` file does not, and calls the records compile_config
and training_config (tf_keras 2.21 and keras 3.15.1, `serialization_lib.py`, `saving_utils.py`).
"""

from __future__ import annotations

from typing import Any

from cudnnlint.frontends.serialized.tree import MODELS
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths, words
from cudnnlint.rewriters.saved.layout import is_keras

#: tf_keras reads "keras.src." as "tf_keras.src."; Keras 2.13 to 2.15 has the module under this name.
_FUNCTIONAL = {2: "keras.src.engine.functional", 3: "keras.src.models.functional"}

#: What Keras 3 puts into the graph of a masked model beside the layers (keras 3.15.1 writes them into `.h5` files
#: without a module, and then does not find them there). A layer named Concatenate has `trainable`, these have not.
_OPERATIONS = words("Any Concatenate ExpandDims LogicalAnd LogicalOr NotEqual OnesLike ZerosLike")

#: compile("adam") is kept as that word in a `.keras` file.
_OPTIMIZERS = {
    name.lower(): name for name in words("Adadelta Adafactor Adagrad Adam Adamax AdamW Ftrl Lion Nadam RMSprop SGD")
}


def for_archive(root: LayerPart, keras: int) -> None:
    """Name the module of every layer, as a `.keras` file does."""
    for part in (root, *(part for _, part in paths(root))):
        if part.record.get("module"):
            continue
        if part.class_name == "Sequential":
            part.record.update(module="keras", registered_name=None)
        elif part.class_name in MODELS:
            part.record.update(module=_FUNCTIONAL[keras], class_name="Functional", registered_name="Functional")
        elif keras == 3 and part.class_name in _OPERATIONS and "trainable" not in part.config:
            part.record.update(module="keras.src.ops.numpy", registered_name=part.class_name)
        elif is_keras(part):
            part.record.update(module="keras.layers", registered_name=None)


def compile_config(training: dict[str, Any], keras: int, reported: list[str]) -> dict[str, Any] | None:
    """Return an `.h5` file's training_config as compile_config; None where optimizer or loss do not carry over."""
    optimizer = training.get("optimizer_config")
    name = optimizer.get("class_name") if isinstance(optimizer, dict) else None
    known = isinstance(name, str) and (keras == 3 or name.startswith("Custom>"))
    if not known or not isinstance(optimizer, dict) or not _plain(training.get("loss")) or not training.get("loss"):
        reported.append("the compile() settings are not converted: compile the model again to train it")
        return None
    record = {
        "module": "keras.optimizers",
        "class_name": str(name).removeprefix("Custom>"),
        "config": optimizer.get("config"),
        "registered_name": None,
    }
    return {"optimizer": record, **_rest(training, "optimizer_config", reported)}


def training_config(compiled: dict[str, Any], keras: int, reported: list[str]) -> dict[str, Any] | None:
    """Return a `.keras` file's compile_config as training_config; None where that does not carry over."""
    optimizer = compiled.get("optimizer")
    if isinstance(optimizer, str) and optimizer.lower() in _OPTIMIZERS:
        optimizer = {"module": "keras.optimizers", "class_name": _OPTIMIZERS[optimizer.lower()], "config": {}}
    if not isinstance(optimizer, dict) or optimizer.get("module") != "keras.optimizers" or not compiled.get("loss"):
        reported.append("the compile() settings are not converted: compile the model again to train it")
        return None
    prefix = "Custom>" if keras == 2 else ""
    record = {"class_name": f"{prefix}{optimizer['class_name']}", "config": optimizer.get("config")}
    return {**_rest(compiled, "optimizer", reported), "optimizer_config": record}


def _rest(record: dict[str, Any], without: str, reported: list[str]) -> dict[str, Any]:
    rest = {}
    for key, found in record.items():
        if key == without:
            continue
        if not _plain(found):
            reported.append(f"compile(): {key} contains objects and is dropped")
        rest[key] = found if _plain(found) else None
    return rest


def _plain(found: Any) -> bool:
    """Return whether it is made of names and numbers alone."""
    if isinstance(found, dict):
        return "class_name" not in found and all(_plain(item) for item in found.values())
    return all(_plain(item) for item in found) if isinstance(found, list) else True
