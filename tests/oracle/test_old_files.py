"""The files of Keras 2 among the fixtures, which every minor release of Keras 3 was asked to load, and to build a model
from the configuration in them (old_files.py): what stopped is never said to run, and what was loaded is never refused.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import h5py
import pytest
from cudnnlint.targets import environment, requested

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_loaded import said

FIXTURES = Path(__file__).parents[2] / "fixtures"
EVIDENCE = FIXTURES / "evidence" / "old_files.json"
FILES = {path.name: path for path in (FIXTURES / "saved").rglob("*.h5")}
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]

releases = pytest.mark.parametrize("asked", ANSWERS, ids=lambda asked: str(asked["keras"]))


def told(asked: dict[str, Any], name: str, data: bytes) -> tuple[set[str], bool]:
    (target,) = requested.parse([f"keras@{asked['keras']}"], environment.known())
    return said(data, name, target)


@releases
def test_no_layer_is_said_to_run_of_a_file_that_does_not_load(asked: dict[str, Any]) -> None:
    refused = set()
    for name, letter in asked["loaded"].items():
        verdicts, unloadable = told(asked, name, FILES[name].read_bytes())
        if letter == "r":
            assert not unloadable, name
            assert verdicts != {"raises"}, name
        else:
            assert unloadable or verdicts <= {"raises", "unknown"}, name
            refused |= {name} if unloadable and verdicts == {"raises"} else set()
    assert {"keras-2.1.6-text.h5", "keras-2.3.1-padded.h5", "tensorflow-1.15.5-cells.h5"} <= refused


@releases
def test_the_text_of_a_model_of_keras_2_is_refused(asked: dict[str, Any]) -> None:
    assert set(asked["built"].values()) == {"s"}
    for name in asked["built"]:
        with h5py.File(FILES[name]) as file:
            text = file.attrs["model_config"]
        verdicts, unloadable = told(asked, "model.json", text.encode() if isinstance(text, str) else text)
        assert (verdicts, unloadable) == ({"raises"}, True), name
