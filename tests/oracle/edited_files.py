"""Saved models whose configuration was changed by hand: which of them the installed Keras 3 loads.

    python edited_files.py FOLDER --write      saves three models there, and a file for each change of each
    python edited_files.py FOLDER              prints {"framework", "keras", ..., "found": {file: letter}}
    python edited_files.py FOLDER --pack ANSWERS     both into fixtures/evidence/edited_files.xz; ANSWERS a line each

r: the file was loaded; s: it stopped. A file is named RELEASE_MODEL.CHANGE.keras, by the release that wrote it. Of a
file the evidence keeps its configuration and the version that it names.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import sys
import zipfile
from typing import Any, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from packed_answers import pack

EVIDENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/evidence/edited_files.xz")
CONFIG, METADATA = "config.json", "metadata.json"
MODULES = [None, "keras.nosuch", "keras.src.layers", "tensorflow.keras.layers", "keras.models", "keras", 5, ""]
CLASSES = ["LSTMX", "lstm", "CuDNNLSTM"]
NAMES = ["Nope", 5, ""]
#: What is changed beside the configuration of a layer ("one"), a wrapper ("both") or a cell: key and values.
OUTSIDE = {"module": MODULES, "class_name": CLASSES, "registered_name": NAMES}
#: Values for keys of the configuration itself; a key is left out as well.
INSIDE: dict[str, list[Any]] = {
    "units": [None, "4", 0, 4.0], "name": [None, 5, "a/b"], "trainable": [None], "dropout": [None], "unroll": [1],
    "foo": [1], "time_major": [False], "use_cudnn": [True], "layer": [None, {}], "cell": [None, {}],
    "merge_mode": [None, "foo"], "mask_zero": [None, 1], "input_dim": [None], "layers": [None],
    "input_layers": [None, []], "output_layers": [None, []],
}  # fmt: skip
#: The objects that are changed in each model.
ONCE = {
    "functional": {"m", "emb", "both", "loop", "cell"},
    "spread": {"spread", "inner"},
    "sequential": {"m", "one", "dense"},
}


def models(keras: Any) -> dict[str, Any]:
    """Return the models that are changed."""
    layers = keras.layers
    words, data = layers.Input((6,), dtype="int32", name="ids"), layers.Input((3, 6, 4), name="data")
    x = layers.Embedding(9, 4, mask_zero=True, name="emb")(words)
    x = layers.LSTM(4, return_sequences=True, name="one")(x)
    x = layers.Bidirectional(layers.GRU(3, return_sequences=True, name="two"), name="both")(x)
    x = layers.RNN(layers.LSTMCell(3, name="cell"), return_sequences=True, name="loop")(x)
    y = layers.TimeDistributed(layers.LSTM(4, name="inner"), name="spread")(data)
    lines = [layers.Input((6, 4)), layers.LSTM(4, return_sequences=True, name="one"), layers.LSTM(3, name="two")]
    return {
        "functional": keras.Model(words, layers.GRU(2, name="last")(x), name="m"),
        "spread": keras.Model(data, layers.GRU(2, name="last")(layers.Masking(name="masking")(y)), name="m"),
        "sequential": keras.Sequential([*lines, layers.Dense(1, name="dense")], name="m"),
    }


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the model, its layers and cells in a configuration, by their names."""
    if isinstance(value, dict):
        if "class_name" in value and isinstance(value.get("config"), dict) and "name" in value["config"]:
            yield value
        for part in value.values():
            yield from objects(part)
    elif isinstance(value, list):
        for part in value:
            yield from objects(part)


def changes(text: str, of: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each change of some objects in a configuration, and what it then says."""
    for number, whole in enumerate(objects(json.loads(text))):
        if whole["config"]["name"] not in of:
            continue
        for table, inside in ((OUTSIDE, False), (INSIDE, True)):
            for key, values in table.items():
                if key not in (whole["config"] if inside else whole) and key not in ("foo", "time_major", "use_cudnn"):
                    continue
                for which, value in enumerate(["left out", *values]):
                    config = json.loads(text)
                    at = list(objects(config))[number]
                    at = at["config"] if inside else at
                    if which:
                        at[key] = value
                    else:
                        at.pop(key, None)
                    yield f"{whole['config']['name']}.{key}.{which}", json.dumps(config)


def write(keras: Any, stem: str) -> None:
    """Save every model, and it with every change."""
    for name, model in models(keras).items():
        path = f"{stem}_{name}.keras"
        model.save(path)
        with zipfile.ZipFile(path) as archive:
            members = {member: archive.read(member) for member in archive.namelist()}
        found = changes(members[CONFIG].decode(), ONCE[name])
        changed = {change: {**members, CONFIG: text.encode()} for change, text in found}
        for change, held in changed.items():
            with zipfile.ZipFile(f"{stem}_{name}.{change}.keras", "w") as archive:
                for key, data in held.items():
                    archive.writestr(key, data)


def load(keras: Any, path: str) -> str:
    """Load one file."""
    keras.backend.clear_session()
    try:
        keras.models.load_model(path, compile=False)
    except Exception as error:
        print(os.path.basename(path), type(error).__name__, str(error)[:150], file=sys.stderr)
        return "s"
    return "r"


def kept(path: str) -> dict[str, Any]:
    """Return what the evidence keeps of a file."""
    with zipfile.ZipFile(path) as archive:
        said = json.loads(archive.read(METADATA))["keras_version"]
        return {"version": said, "config": archive.read(CONFIG).decode()}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pack")
    options = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(options.folder, "*_*.keras")))
    if options.pack:
        pack(paths, options.pack, kept, EVIDENCE)
        return
    from ask import asked_of, keras_of

    keras = keras_of("keras")
    if options.write:
        write(keras, os.path.join(options.folder, keras.__version__))
    else:
        print(json.dumps({**asked_of("keras", keras), "found": {os.path.basename(p): load(keras, p) for p in paths}}))


if __name__ == "__main__":
    main()
