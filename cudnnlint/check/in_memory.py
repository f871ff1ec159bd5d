"""Judges a Keras model that is in memory, by its configuration: `check_model`, `assert_cudnn`, `WarnBeforeTraining`.

Imports no framework: the model brings its own. The target is what runs here, so nothing has to be named.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from cudnnlint import engine
from cudnnlint.check import across_releases, drawn
from cudnnlint.core import report_text
from cudnnlint.core.errors import UsageError
from cudnnlint.core.fact import Known, Unknown
from cudnnlint.core.layer import Call, Construction, FileHints, Layer, Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import FileReport, Report
from cudnnlint.core.target import Target, is_keras_3
from cudnnlint.core.verdict import Verdict
from cudnnlint.core.version import __version__
from cudnnlint.frontends import saved
from cudnnlint.rulebook import loader

ROOTS = ("keras", "tf_keras", "tensorflow")
PATH = "<model>"


def check_model(model: Any, target: str | None = None) -> Report:
    """Return the report on a Keras model or layer in memory, for its own Keras or for another `target`.

    Settings that a file would lose (`use_cudnn`) count. Raises UsageError for what is not a Keras object.
    """
    return compared_model(model, target, 0)


def compared_model(model: Any, target: str | None, most: int) -> Report:
    """Return the same report, with what all releases do with the first `most` layers that differ."""
    book = loader.load()
    root = _root(model)
    chosen = _target(target or _running(root))
    read = _read(model, root)
    judged = engine.judge(read, (chosen,), book)
    graph = drawn.graph(read, judged.layers, (chosen,), book.tables)
    file = FileReport(PATH, "config", (chosen,), judged.layers, notes=read.notes, graph=graph)
    file = replace(file, comparisons=across_releases.compare(read, judged.layers, most))
    return Report((file,), judged.diagnostics, 1, __version__)


def assert_cudnn(model: Any, target: str | None = None, depends: bool = False) -> None:
    """Raise AssertionError unless every recurrent layer of the model will run in cuDNN on a GPU.

    `depends` True lets those pass that run in cuDNN as long as the data allow it.
    """
    report = check_model(model, target)
    if not any(file.layers for file in report.files):
        raise AssertionError("The model has no recurrent layer.")
    report.assert_cudnn(depends)


class WarnBeforeTraining:
    """A Keras callback that warns, before the first step, of layers that will not run in cuDNN.

    `model.fit(..., callbacks=[cudnnlint.WarnBeforeTraining()])`, in Keras 2 and 3 alike: it is a callback by what it
    answers, not by its base class, so that no Keras has to be imported for it.
    """

    async_safe = True
    _supports_tf_logs = True

    def __init__(self, target: str | None = None) -> None:
        self.target = target
        self.model: Any = None

    def set_model(self, model: Any) -> None:
        """Remember the model that Keras is about to train."""
        self.model = model

    def set_params(self, params: Any) -> None:
        """Accept the parameters of the training; they have no effect."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Warn of every layer that leaves cuDNN, once."""
        report = check_model(self.model, self.target)
        for file in report.files:
            for layer in file.layers:
                if layer.worst is not Verdict.CUDNN:
                    warnings.warn(f"cudnnlint: {report_text.described(layer, report)}", stacklevel=2)

    def __getattr__(self, name: str) -> Any:
        """Return a function that does nothing, for every other event."""
        if name.startswith("on_"):
            return lambda *_, **__: None
        if name.startswith("_implements_"):
            return lambda: False
        raise AttributeError(name)


# ---------------------------------------------------------------- which Keras


def _root(model: Any) -> str:
    """Return the package that the model's class, or a base of it, comes from."""
    for kind in type(model).__mro__:
        root = kind.__module__.split(".")[0]
        if root in ROOTS and hasattr(model, "get_config"):
            return root
    more = " For a file: next(cudnnlint.check_many([PATH]))." if isinstance(model, str | os.PathLike) else ""
    raise UsageError(f"A {type(model).__name__} is not a Keras model or layer.{more}")


def _running(root: str) -> str:
    """Return the Keras that is imported here, as `--target` takes it."""
    version = str(sys.modules[root].__version__)
    if root != "keras" or not is_keras_3(version):
        return f"{root}@{version}"
    backend = str(sys.modules[root].backend.backend())
    beneath = sys.modules.get("tensorflow") if backend == "tensorflow" else None
    return f"keras@{version}:{backend}" + (f"@{beneath.__version__}" if beneath else "")


def _target(text: str) -> Target:
    from cudnnlint.targets import environment, requested

    found = requested.parse([text], environment.known())
    if len(found) != 1:
        raise UsageError(f'The target "{text}" means several targets. Give one.')
    return replace(found[0], origin="the Keras that is imported here")


# ---------------------------------------------------------------- the model's facts


def _read(model: Any, root: str) -> Model:
    """Return the facts of a model; one whose configuration does not hold its layers is read layer by layer."""
    living = list(recurrent(model))
    read = _configured(model, root)
    if read is None or len(read.layers) != len(living):
        layers = [layer for path, live in living for layer in _alone(live, path, root, _masks(model))]
        return Model(PATH, "config", tuple(layers), FileHints())
    layers = [_live(layer, live, (), root) for layer, (_, live) in zip(read.layers, living, strict=True)]
    return Model(PATH, "config", tuple(layers), FileHints(), graph=read.graph)


def _configured(model: Any, root: str) -> Model | None:
    """Return what the model's configuration holds; None where it has none (a user's own class)."""
    try:
        text = _text(model, root)
    except (NotImplementedError, TypeError, ValueError, AttributeError):
        return None
    return saved.read_bytes(PATH, text.encode(), loader.load().tables.names)


def _alone(live: Any, path: tuple[str, ...], root: str, masks: bool) -> Iterator[Layer]:
    """One layer of a model whose own code calls it: how, cannot be seen."""
    because = "the model's own code calls it, and a layer of the model makes masks"
    calls = (Call({"mask": Unknown(because)}),) if masks else ()
    found = _configured(live, root)
    for layer in found.layers if found is not None else ():
        yield replace(_live(layer, live, path, root), calls=calls)


def _masks(model: Any) -> bool:
    """Return whether a layer in the model makes a mask."""
    within = getattr(model, "layers", None) or [getattr(model, "layer", None)]
    makes = getattr(model, "mask_zero", False) or type(model).__name__ == "Masking"
    return bool(makes) or any(_masks(layer) for layer in within if layer is not None)


def _text(model: Any, root: str) -> str:
    """Return the configuration as JSON, as Keras itself writes it."""
    if hasattr(model, "layers") and hasattr(model, "to_json"):
        return str(model.to_json())
    serialize = sys.modules[root].layers.serialize
    return json.dumps(serialize(model), default=lambda value: getattr(value, "name", None) or str(value))


def _live(layer: Layer, live: Any, path: tuple[str, ...], root: str) -> Layer:
    """Return the layer with what only the live one knows: its class, and a setting that is not saved."""
    made = _with_switch(layer.variants[0], live)
    where = made.path if made.subclass else _path(made.class_name, live, root)
    parents = "/".join(part for part in (*path, layer.layer_path) if part)
    wrappers = tuple(
        wrapper if wrapper.sibling is None else replace(wrapper, sibling=_with_switch(wrapper.sibling, live))
        for wrapper in layer.wrappers
    )  # what one direction hands to the other has been handed on by now: both are as this one is
    return replace(layer, variants=(replace(made, path=where),), wrappers=wrappers, saved=False, layer_path=parents)


def _with_switch(made: Construction, live: Any) -> Construction:
    """Return a construction with the live layer's `use_cudnn`, which no configuration holds."""
    switch = getattr(live, "use_cudnn", "auto")
    if switch == "auto":
        return made
    return replace(made, arguments={**made.arguments, "use_cudnn": Known(switch, made.place)})


def _path(class_name: str, live: Any, root: str) -> str:
    """Return the import path of a live layer's class: the v1 classes have the same names as the others."""
    module = type(live).__module__
    if module.endswith("_v1") or ".compat.v1." in module or class_name.startswith("CuDNN"):
        return f"tensorflow.compat.v1.keras.layers.{class_name}"
    return f"{root}.layers.{class_name}"


def recurrent(model: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every recurrent layer in a live model, each with the names of what it stands in."""
    if hasattr(model, "forward_layer"):
        for layer in (model.forward_layer, model.backward_layer):
            yield (*path, model.name), layer
    elif hasattr(model, "layers"):
        for layer in model.layers:
            yield from recurrent(layer, (*path, *_inside(layer)))
    elif hasattr(model, "layer"):
        yield from recurrent(model.layer, (*path, model.name))
    elif hasattr(model, "cell") or any("RNN" in kind.__name__ for kind in type(model).__mro__):
        yield path, model


def _inside(layer: Any) -> tuple[str, ...]:
    """Return the name that a nested model adds to the paths of its layers."""
    return (layer.name,) if hasattr(layer, "layers") else ()
