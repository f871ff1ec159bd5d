"""Saved models of one release that another was asked to load (foreign_files.py): what stopped is said to stop, and
what was loaded is not. Of a file the evidence has its configuration and the version that it names, and no weights.
"""

from __future__ import annotations

import io
import json
import lzma
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import h5py
import pytest
from cudnnlint.targets import environment, requested

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_integer_inputs import name
from test_loaded import said

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "foreign_files.xz"
HELD: dict[str, Any] = json.loads(lzma.decompress(EVIDENCE.read_bytes()))


def written(file: str) -> bytes:
    """Return the file as it was, but for its weights."""
    kept, data = HELD["files"][file], io.BytesIO()
    if file.endswith(".keras"):
        with ZipFile(data, "w") as archive:
            archive.writestr("metadata.json", json.dumps({"keras_version": kept["version"]}))
            archive.writestr("config.json", kept["config"])
            archive.writestr("model.weights.h5", b"")
        return data.getvalue()
    with h5py.File(data, "w") as saved:
        saved.attrs.update({"keras_version": kept["version"], "backend": "tensorflow", "model_config": kept["config"]})
    return data.getvalue()


@pytest.mark.parametrize("asked", HELD["answers"], ids=name)
def test_a_file_is_said_to_load_where_keras_loads_it(asked: dict[str, Any]) -> None:
    (target,) = requested.parse([name(asked)], environment.known())
    wrong = []
    for file, letter in asked["found"].items():
        verdicts, told = said(written(file), file, target)
        if told if letter == "r" else not told and verdicts != {"raises"}:
            wrong.append((file, letter, told, verdicts))
    assert wrong == []
    assert {"r", "s"} <= set(asked["found"].values())
