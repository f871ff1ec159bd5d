"""Which files of Keras 2 the installed Keras 3 loads, and which of their texts it builds a model from: a line of JSON.

    KERAS_BACKEND=jax PYTHONPATH=FOLDER python old_files.py FILE.h5 ...

    {"keras", "loaded": {file: "r" if it was loaded, "s" if it stopped}, "built": {the same of its configuration}}

The answers for fixtures/saved are in fixtures/evidence/old_files.json, a release a line. A Lambda's code is allowed.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import Any, Callable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import h5py
import keras


def answer(work: Callable[[], Any]) -> str:
    """Do the work."""
    keras.backend.clear_session()
    keras.config.enable_unsafe_deserialization()
    try:
        work()
    except Exception:
        return "s"
    return "r"


def load(path: str) -> None:
    """Load a file."""
    keras.models.load_model(path, compile=False)


def build(path: str) -> None:
    """Build the model from the configuration in a file."""
    with h5py.File(path) as file:
        found = file.attrs["model_config"]
    keras.models.model_from_json(found if isinstance(found, str) else found.decode())


def main() -> None:
    """Ask about every file."""
    paths = {os.path.basename(path): path for path in sys.argv[1:]}
    loaded = {name: answer(partial(load, path)) for name, path in paths.items()}
    built = {name: answer(partial(build, path)) for name, path in paths.items()}
    print(json.dumps({"keras": keras.__version__, "loaded": loaded, "built": built}))


if __name__ == "__main__":
    main()
