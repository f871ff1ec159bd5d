"""Models made by hand, so that the shell can be tested whatever the front ends do."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from newest_releases import NEWEST

from cudnnlint.core.fact import Known, Unknown
from cudnnlint.core.layer import Call, Construction, FileHints, Layer, Model
from cudnnlint.core.place import SavedPlace, SourcePlace

SOURCE = """\
import keras
from keras import layers

model = keras.Sequential([
    layers.Input((None, 8)),
    layers.LSTM(64, return_sequences=True),
    layers.LSTM(32, recurrent_dropout=0.2, return_sequences=True),
    layers.GRU(
        16, return_sequences=True,
        activation="relu",
    ),
    layers.LSTM(8, activation=chosen),
])
"""


def span(path: str, row: int, text: str, cell: int | None = None, source: str = SOURCE) -> SourcePlace:
    """The place of `text`, which begins in `row`."""
    lines = source.split("\n")
    column = lines[row - 1].index(text.split("\n")[0]) + 1
    last = text.split("\n")[-1]
    end_row = row + text.count("\n")
    return SourcePlace(path, row, column, end_row, (column if end_row == row else 1) + len(last), cell)


def source_model(path: str = "model.py", hints: FileHints | None = None) -> Model:
    """What the source front end would make of SOURCE."""

    def layer(kind: str, row: int, text: str, **arguments: object) -> Layer:
        place = span(path, row, text)
        given: dict[str, Any] = {"units": Known(8), **arguments}
        return Layer(None, place, (Construction(kind, f"keras.layers.{kind}", given, place=place),))

    return Model(
        path,
        "python",
        (
            layer("LSTM", 6, "layers.LSTM(64, return_sequences=True)"),
            layer(
                "LSTM", 7, "layers.LSTM(32, recurrent_dropout=0.2, return_sequences=True)",
                recurrent_dropout=Known(0.2, span(path, 7, "recurrent_dropout=0.2")),
            ),
            layer(
                "GRU", 8, 'layers.GRU(\n        16, return_sequences=True,\n        activation="relu",\n    )',
                activation=Known("relu", span(path, 10, 'activation="relu"')),
            ),
            layer(
                "LSTM", 12, "layers.LSTM(8, activation=chosen)",
                activation=Unknown("chosen is not defined in this file", span(path, 12, "activation=chosen")),
            ),
        ),
        hints or FileHints(framework="keras", imports=frozenset({"keras"})),
        source=SOURCE,
    )  # fmt: skip


def saved_model(path: str = "model.keras", name: str = "lstm_1") -> Model:
    """What the saved-model front end would make of a model with one layer that is fine and one that is not."""

    def layer(name: str, **arguments: object) -> Layer:
        place = SavedPlace(path, f"encoder/{name}")
        given = {"units": Known(8, place), **arguments}
        made = Construction("LSTM", "keras.layers.LSTM", given, place=place)  # type: ignore[arg-type]
        return Layer(name, place, (made,), (Call(),), layer_path="encoder", saved=True)

    fault = Known(0.2, SavedPlace(path, f"encoder/{name}", "recurrent_dropout"))
    hints = FileHints(framework="keras", keras_version=NEWEST)
    return Model(path, "keras", (layer("lstm"), layer(name, recurrent_dropout=fault)), hints)


def write(folder: Path, name: str, text: str = "") -> Path:
    """A file in `folder`, with the folders above it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


LSTM = {
    "name": "lstm", "units": 8, "activation": "tanh", "recurrent_activation": "sigmoid", "use_bias": True,
    "dropout": 0.0, "recurrent_dropout": 0.0, "unroll": False, "return_sequences": True, "go_backwards": False,
    "stateful": False, "zero_output_for_mask": False, "return_state": False, "seed": None,
}  # fmt: skip


def entry(class_name: str, config: dict[str, Any], module: str = "keras.layers") -> dict[str, Any]:
    """A layer as a `.keras` file holds it."""
    return {"module": module, "class_name": class_name, "config": config, "registered_name": None}


def recurrent(number: int, changed: dict[str, Any]) -> dict[str, Any]:
    """An LSTM of its own name, or another class, with some settings changed."""
    class_name = changed.pop("class_name", "LSTM")
    usual = LSTM if class_name.endswith(("LSTM", "GRU", "RNN")) else {}
    return entry(class_name, {**usual, "name": f"lstm_{number}", **changed})


def keras_file(path: Path, *layers: dict[str, Any], version: str = NEWEST) -> None:
    """A `.keras` file of a Sequential model with these LSTMs (or what their `class_name` says)."""
    config = {
        "name": "sequential",
        "layers": [
            entry("InputLayer", {"batch_shape": [None, None, 8], "dtype": "float32", "name": "input"}),
            *(recurrent(number, dict(layer)) for number, layer in enumerate(layers)),
        ],
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", json.dumps({"keras_version": version}))
        archive.writestr("config.json", json.dumps(entry("Sequential", config, "keras")))
        archive.writestr("model.weights.h5", b"\x89HDF\r\n\x1a\n")
