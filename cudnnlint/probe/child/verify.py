"""Runs a saved model once, on inputs in a file, outputs to a file."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import zipfile
from collections.abc import Iterator
from typing import Any

from .about import keras_of
from .channel import Channel, Json, said
from .recurrent import as_list, dtype_of


def verify(job: Json, answers: Channel) -> None:
    """Run a saved model once. The inputs come from the file `given`, which is made to its shapes if there is none."""
    try:
        numpy = importlib.import_module("numpy")
        keras = keras_that_wrote(job["model"])
        if isinstance(keras, str):
            answers.send(error=keras)
            return
        model = load_legacy(keras, job["model"])
        if not os.path.exists(job["given"]):
            numpy.savez(job["given"], *made_for(model, numpy.random.RandomState(job["seed"])))
        with numpy.load(job["given"]) as file:
            given = [file[name] for name in file.files]
        outputs = model.predict(given[0] if len(given) == 1 else given, batch_size=len(given[0]), verbose=0)
        numpy.savez(job["outputs"], *flattened(outputs))
    except (Exception, SystemExit) as error:
        answers.send(error=said(error))
        return
    answers.send(error=None, keras="{} {}".format(keras.__name__.split(".")[0], keras.__version__))


def keras_that_wrote(path: str) -> Any:
    """Return the installed Keras of the generation that the file is for, or a sentence that says what to install."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            version = json.loads(archive.read("metadata.json").decode("utf-8"))["keras_version"]
    else:
        with importlib.import_module("h5py").File(path, "r") as file:
            version = file.attrs["keras_version"]
    generation = str(version).partition(".")[0]
    names = ("keras", "tensorflow") if generation == "3" else ("tf_keras", "keras", "tensorflow")
    for name in names:
        if importlib.util.find_spec(name) is None:
            continue
        keras = keras_of(name)
        if generation == str(keras.__version__).partition(".")[0]:
            return keras
    package = "keras" if generation == "3" else "tf_keras"
    return f"it is for Keras {generation}, which is not installed; pip install {package}"


def load_legacy(keras: Any, path: str) -> Any:
    """Load without compiling; in an .h5 file LSTM and GRU stand in for CuDNN layers (Keras converts the weights)."""
    stand_ins = {"CuDNNLSTM": keras.layers.LSTM, "CuDNNGRU": keras.layers.GRU}
    return keras.models.load_model(path, custom_objects=stand_ins, compile=False)


def made_for(model: Any, draw: Any) -> Json:
    """Return random inputs of two rows; ids where the model looks anything up, and the last row padded with zeros."""
    words = [layer.input_dim for layer in all_layers(model) if type(layer).__name__ == "Embedding"]
    made = []
    for item in as_list(model.inputs):
        open_size = 5 if len(item.shape) < 4 else 32
        shape = [size or (open_size if axis else 2) for axis, size in enumerate(item.shape)]
        if words or "int" in dtype_of(item):
            array = draw.randint(1, max(2, min(words or [2])), shape).astype(dtype_of(item))
        else:
            array = draw.normal(0.0, 1.0, shape).astype(dtype_of(item))
        if len(shape) > 1 and shape[1] > 2:
            array[-1, -2:] = 0
        made.append(array)
    return made


def all_layers(model: Any) -> Iterator[Any]:
    """Yield every layer, those of nested models and in wrappers too."""
    for layer in [*getattr(model, "layers", []), getattr(model, "layer", None)]:
        if layer is not None:
            yield layer
            yield from all_layers(layer)


def flattened(outputs: Any) -> Json:
    """Return the arrays in what predict returned."""
    if isinstance(outputs, dict):
        outputs = list(outputs.values())
    return [part for item in outputs for part in flattened(item)] if isinstance(outputs, (list, tuple)) else [outputs]
