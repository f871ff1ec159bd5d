"""What happens where two packages of Keras meet in one program: one line of JSON for the packages installed here.

    python two_kerases.py

    {"keras", "tf_keras", "tensorflow", "backend", "found": {program: {"INNER in OUTER": a letter}}}

r: the program ran. s: it stopped. n: a package or a class is not there. The answers of several environments are in
fixtures/evidence/two_kerases.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

#: Where each package has its layers and models; "python" is what TensorFlow keeps for itself.
LAYERS = {
    "keras": "keras.layers",
    "tensorflow": "tensorflow.keras.layers",
    "tf_keras": "tf_keras.layers",
    "python": "tensorflow.python.keras.layers.recurrent",
}
MODELS = {
    "keras": "keras.models",
    "tensorflow": "tensorflow.keras.models",
    "tf_keras": "tf_keras.models",
    "python": "tensorflow.python.keras.models",
}
ONE = "model = outer.Sequential([{}])\nmodel.predict(numpy.zeros((1, 3, 4)), verbose=0)"
CALL = "inner_layers.{}(outer_layers.Input((3, 4)))"
#: Programs with a recurrent layer; `inner` is the package of what is put into something of `outer`.
PROGRAMS = {
    "Sequential": ONE.format("inner_layers.LSTM(2, input_shape=(3, 4))"),
    "Sequential, GRU": ONE.format("inner_layers.GRU(2, input_shape=(3, 4))"),
    "Sequential.add": "model = outer.Sequential()\nmodel.add(outer_layers.Embedding(9, 4))\n"
    "model.add(inner_layers.LSTM(2))\nmodel.predict(numpy.zeros((1, 3)), verbose=0)",
    "Sequential, Dense": ONE.format("outer_layers.LSTM(2, input_shape=(3, 4)), inner_layers.Dense(1)"),
    "Sequential, Sequential": ONE.format("inner.Sequential([inner_layers.LSTM(2, input_shape=(3, 4))])"),
    "Sequential, Bidirectional": ONE.format("inner_layers.Bidirectional(inner_layers.LSTM(2), input_shape=(3, 4))"),
    "Bidirectional": ONE.format("outer_layers.Bidirectional(inner_layers.LSTM(2), input_shape=(3, 4))"),
    "TimeDistributed": "outer_layers.TimeDistributed(inner_layers.LSTM(2))(outer_layers.Input((2, 3, 4)))",
    "Model": "x = inner_layers.Input((3, 4))\nouter.Model(x, inner_layers.LSTM(2)(x))",
    **{f"tensor, {name.partition('(')[0]}": CALL.format(name) for name in (
        "LSTM(2)", "GRU(2)", "SimpleRNN(2)", "RNN(inner_layers.LSTMCell(2))",
        "Bidirectional(inner_layers.LSTM(2))",
    )},
    "tensor, TimeDistributed": "inner_layers.TimeDistributed(inner_layers.LSTM(2))(outer_layers.Input((2, 3, 4)))",
    "tensor, Sequential": "inner.Sequential([inner_layers.LSTM(2)])(outer_layers.Input((3, 4)))",
    "output, LSTM": "inner_layers.LSTM(2)(outer_layers.Embedding(9, 4)(outer_layers.Input((3,))))",
    "layer before, Embedding": "inner_layers.LSTM(2)(inner_layers.Embedding(9, 4)(outer_layers.Input((3,))))",
    **{f"layer before, {name.partition('(')[0]}": f"inner_layers.LSTM(2)({CALL.format(name)})" for name in (
        "Dense(2)", "Masking()", "Dropout(0.5)", "Conv1D(2, 1)", "BatchNormalization()", "LayerNormalization()",
        "Activation('relu')", "Permute((2, 1))", "Reshape((4, 3))", "SpatialDropout1D(0.5)", "MaxPooling1D()",
    )},
}  # fmt: skip
BEGIN = """\
import numpy
import {outer_models} as outer
import {inner_models} as inner
import {outer_layers} as outer_layers
import {inner_layers} as inner_layers
"""


def pairs() -> list[str]:
    """Return every pair of different packages."""
    return [f"{inner} in {outer}" for inner in LAYERS for outer in LAYERS if inner != outer]


def text(program: str, pair: str) -> str:
    """Return a program for a pair, as source."""
    inner, outer = pair.split(" in ")
    begin = BEGIN.format(
        outer_models=MODELS[outer], inner_models=MODELS[inner], outer_layers=LAYERS[outer], inner_layers=LAYERS[inner]
    )
    return f"{begin}{PROGRAMS[program]}\n"


def answer(program: str, pair: str) -> str:
    """Run the program once."""
    source = text(program, pair)
    try:
        exec(source[: source.index("inner_layers\n") + len("inner_layers\n")], {})
    except ImportError:
        return "n"
    try:
        exec(source, {})
    except AttributeError as error:
        return "n" if "module" in str(error) and "has no attribute" in str(error) else "s"
    except Exception:
        return "s"
    return "r"


def release(package: str) -> str:
    """Return the release of an installed package; "" where there is none."""
    try:
        return str(__import__(package).__version__)
    except ImportError:
        return ""


if __name__ == "__main__":
    versions = {package: release(package) for package in ("keras", "tf_keras", "tensorflow")}
    backend = os.environ.get("KERAS_BACKEND", "tensorflow")
    found = {program: {pair: answer(program, pair) for pair in pairs()} for program in PROGRAMS}
    told = {name: {pair: letter for pair, letter in of.items() if letter != "n"} for name, of in found.items()}
    sys.stdout.write(json.dumps({**versions, "backend": backend, "found": told}) + "\n")
