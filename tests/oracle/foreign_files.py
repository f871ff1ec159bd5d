"""Which saved models of other releases the installed Keras loads: `foreign_files.py FOLDER --framework tensorflow`.

    python foreign_files.py FOLDER --framework tensorflow --write     saves its own models there
    python foreign_files.py FOLDER --framework tensorflow             prints {..., "found": {file: letter}}
    python foreign_files.py FOLDER --pack ANSWERS                     both into fixtures/evidence/foreign_files.xz

r: the file was loaded, with the functions that it names; s: it stopped. A file is named RELEASE_MODEL.FORM. Of a file
the evidence keeps what cudnnlint reads: its configuration and the version that it names.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import sys
import zipfile
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from ask import asked_of, keras_of
from packed_answers import pack

EVIDENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/evidence/foreign_files.xz")


def own(x: Any) -> Any:
    """An activation of the user's own."""
    return x


def models(keras: Any) -> dict[str, Any]:
    """Return functions that build a model each."""
    layers = keras.layers

    def one(*steps: Any) -> Any:
        x = i = layers.Input((5, 4))
        for step in steps:
            x = step(x)
        return keras.Model(i, x)

    def joined(name: str | None) -> Any:
        words, others = layers.Input((5,)), layers.Input((5, 2))
        both = layers.Concatenate(name=name)([layers.Embedding(9, 3, mask_zero=True)(words), others])
        return keras.Model([words, others], layers.GRU(2)(both))

    def attended() -> Any:
        i = layers.Input((5, 4))
        return keras.Model(i, layers.LSTM(2)(layers.MultiHeadAttention(2, 3)(i, i)))

    return {
        "lstm": lambda: one(layers.LSTM(2)), "gru": lambda: one(layers.GRU(2)),
        "bidirectional": lambda: one(layers.Bidirectional(layers.LSTM(2))),
        "cells": lambda: one(layers.RNN([layers.LSTMCell(2), layers.GRUCell(2)])),
        "sequential": lambda: keras.Sequential([layers.Input((5, 4)), layers.LSTM(2)]),
        "own": lambda: one(layers.LSTM(2, activation=own)),
        "owndense": lambda: one(layers.LSTM(2), layers.Dense(1, activation=own)),
        "leaky": lambda: one(layers.LSTM(2, activation=layers.LeakyReLU())), "attention": attended,
        "joined": lambda: joined(None), "joinednamed": lambda: joined("both"),
    }  # fmt: skip


def write(keras: Any, stem: str) -> None:
    """Save every model, as an archive where the release can write one."""
    for name, make in models(keras).items():
        for form in ("keras", "h5"):
            keras.backend.clear_session()
            path = f"{stem}_{name}.{form}"
            archives = {"save_format": "keras_v3"} if form == "keras" and "2.12" in stem else {}
            make().save(path, **archives)
            if form == "keras" and not zipfile.is_zipfile(path):
                os.remove(path)


def load(keras: Any, path: str) -> str:
    """Load one file."""
    keras.backend.clear_session()
    try:
        keras.models.load_model(path, custom_objects={"own": own}, compile=False)
    except Exception as error:
        print(os.path.basename(path), type(error).__name__, str(error)[:150], file=sys.stderr)
        return "s"
    return "r"


def kept(path: str) -> dict[str, Any]:
    """Return what the evidence keeps of a file."""
    import h5py

    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            said = json.loads(archive.read("metadata.json"))["keras_version"]
            return {"version": said, "config": archive.read("config.json").decode()}
    with h5py.File(path) as file:
        return {"version": str(file.attrs["keras_version"]), "config": str(file.attrs["model_config"])}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pack")
    options = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(options.folder, "*_*.*")))
    if options.pack:
        pack(paths, options.pack, kept, EVIDENCE)
        return
    keras = keras_of(options.framework)
    about = asked_of(options.framework, keras)
    version = about["tensorflow" if options.framework == "tensorflow" else "keras"]
    release = f"{options.framework.replace('_', '')}-{version}"
    if options.write:
        write(keras, os.path.join(options.folder, release))
    else:
        generation = "keras-3" if about["keras"].startswith("3") else "t"
        wanted = [path for path in paths if os.path.basename(path).startswith(generation)]
        print(json.dumps({**about, "found": {os.path.basename(path): load(keras, path) for path in wanted}}))


if __name__ == "__main__":
    main()
