"""Configurations without weights, as `to_json` writes them, which releases of Keras were asked to build again
(loaded_configs.py): what stopped is said to stop.
"""

from __future__ import annotations

import io
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import h5py
import pytest
from cudnnlint.targets import environment, requested

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from loaded_evidence import EVIDENCE as FILES
from test_integer_inputs import name
from test_loaded import said

EVIDENCE = FILES.with_name("loaded_configs.json")
#: What Keras 3.0 wrote and later releases do not build, which no row says yet: the release, the model.
GAPS = {
    ("keras@3.15.1:tensorflow", "keras@3.0.1 l05_shared_inside_and_outside"),
    ("keras@3.15.1:tensorflow", "keras@3.0.1 l20_ops_reshape"),
}
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()] if EVIDENCE.exists() else []


@cache
def written() -> dict[str, str]:
    """Every configuration, by the release that wrote it and the model: Keras 3 writes `to_json` as in a `.keras`."""
    found = {}
    for release, answered in packed.read(FILES).items():
        if " from " in release:
            continue
        for model, forms in answered.programs.items():
            form = "keras" if str(answered.about["keras"]).startswith("3") else "h5"
            if form in forms and forms[form][0].data:
                data = io.BytesIO(forms[form][0].data)
                found[f"{release} {model}"] = _of_archive(data) if form == "keras" else _of_hdf5(data)
    return found


def _of_archive(data: io.BytesIO) -> str:
    with ZipFile(data) as archive:
        return archive.read("config.json").decode()


def _of_hdf5(data: io.BytesIO) -> str:
    with h5py.File(data) as file:
        text = file.attrs["model_config"]
        return text if isinstance(text, str) else text.decode()


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_configuration_is_said_to_load_where_keras_builds_it(asked: dict[str, Any]) -> None:
    (target,) = requested.parse([name(asked)], environment.known())
    wrong = []
    for config, letter in asked["found"].items():
        verdicts, told = said(written()[config].encode(), "model.json", target)
        if told if letter == "r" else not told and verdicts != {"raises"}:
            wrong.append((name(asked), config))
    assert wrong == [gap for gap in sorted(GAPS) if gap[0] == name(asked)]
    assert "s" in asked["found"].values()
