"""Files whose configuration was changed by hand: what Keras does not load is not said to run, but for what is listed.

The files and Keras's answers are in fixtures/evidence/edited_files.xz; edited_files.py wrote them and asked.
"""

from __future__ import annotations

import io
import json
import lzma
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from edited_files import CONFIG, EVIDENCE, METADATA
from sweep import target_of
from test_loaded import said

STORED = json.loads(lzma.decompress(Path(EVIDENCE).read_bytes()))
ANSWERS = STORED["answers"]
#: What stops and is not said to: a cell of a class that no Keras 3 has, and no units, for which 3.8.0 makes a layer
#: that the weights in the file do not fit.
SILENT = {"functional.cell.class_name.3.keras", "sequential.dense.units.3.keras"}
#: What is said to stop and is loaded: Keras before 3.9 takes the registered name, Functional, where the class is none.
REFUSED = {"functional.m.class_name.3.keras"}


def archive(kept: dict[str, Any]) -> bytes:
    """The file again, without its weights."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr(METADATA, json.dumps({"keras_version": kept["version"]}))
        made.writestr(CONFIG, kept["config"])
    return data.getvalue()


@pytest.mark.parametrize("asked", ANSWERS, ids=lambda asked: str(asked["keras"]))
def test_a_changed_file_is_said_to_load_where_keras_loads_it(asked: dict[str, Any]) -> None:
    silent, refused = set(), set()
    for name, letter in asked["found"].items():
        verdicts, told = said(archive(STORED["files"][name]), "model.keras", target_of(asked))
        if letter == "r":
            refused |= {name.partition("_")[2]} if told or verdicts == {"raises"} else set()
        elif not told and not verdicts <= {"raises", "unknown"}:
            silent.add(name.partition("_")[2])
    assert refused <= REFUSED
    assert silent == SILENT


def test_files_load_and_stop() -> None:
    assert {letter for asked in ANSWERS for letter in asked["found"].values()} == {"r", "s"}
