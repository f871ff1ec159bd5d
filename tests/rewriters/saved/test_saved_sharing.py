"""Layers and nested models that stand in several places, and weights that do not fit their layers.

shared-tf_keras-2.21.0.keras was saved by tf_keras 2.21 from `legacy_wiring.shared_everywhere` (seed 55): the model
`core` stands in `one` and in `two`, its LSTM at the top as well. tf_keras itself does not load it.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest
from saved_samples import FOLDER, arrays, config, convert_here, records

from cudnnlint.core.errors import Refused

SHARED = FOLDER / "shared-tf_keras-2.21.0.keras"
CORE = "layers/sequential/layers/functional/layers"


def test_every_place_of_a_shared_layer_gets_its_weights(tmp_path: Path) -> None:
    before = arrays(SHARED)
    result, outcome = convert_here(SHARED, tmp_path, ".keras")
    after = arrays(result)
    for key in ("lstm/cell/vars/0", "lstm/cell/vars/1", "dense/vars/0", "dense/vars/1"):
        for place in (CORE, "layers/functional/layers/functional/layers"):
            assert numpy.array_equal(after[f"{place}/{key}"], before[f"{CORE}/{key}"])
    assert numpy.array_equal(after["layers/lstm/cell/vars/0"], before[f"{CORE}/lstm/cell/vars/0"])
    # Keras 2 does not count what it has saved before: this is dense_1, the second Dense in the model `two`.
    assert numpy.array_equal(
        after["layers/functional/layers/dense/vars/0"], before["layers/functional/layers/dense/vars/0"]
    )
    assert len({id(name) for name in after}) == len(after)
    assert sum("was one layer with another place" in warning for warning in outcome.warnings) >= 2
    assert not any("shared_object_id" in record for record in records(config(result)))


def test_a_model_of_one_tensor_inside_a_sequential_hands_on_no_list(tmp_path: Path) -> None:
    result, _ = convert_here(SHARED, tmp_path, ".keras")
    layers = {layer["config"]["name"]: layer for layer in config(result)["config"]["layers"]}
    in_sequential = layers["one"]["config"]["layers"][1]["config"]
    in_graph = layers["two"]["config"]["layers"][1]["config"]
    assert (in_sequential["input_layers"], in_sequential["output_layers"]) == (["input_1", 0, 0], ["dense", 0, 0])
    assert (in_graph["input_layers"], in_graph["output_layers"]) == ([["input_1", 0, 0]], [["dense", 0, 0]])


def rewritten(target: Path, configure: Any = None, weigh: Any = None) -> Path:
    """A copy of the sample whose configuration or weights were changed by hand."""
    with zipfile.ZipFile(SHARED) as old, zipfile.ZipFile(target, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            if member == "config.json" and configure is not None:
                entry = json.loads(content)
                configure(entry)
                content = json.dumps(entry).encode()
            if member == "model.weights.h5" and weigh is not None:
                buffer = io.BytesIO(content)
                with h5py.File(buffer, "r+") as file:
                    weigh(file)
                content = buffer.getvalue()
            new.writestr(member, content)
    return target


def test_a_layer_without_its_weights_is_refused_by_name(tmp_path: Path) -> None:
    def lose(file: h5py.File) -> None:
        del file["layers/functional/layers/dense/vars/1"]

    with pytest.raises(Refused, match="lacks its bias") as refusal:
        convert_here(rewritten(tmp_path / "in.keras", weigh=lose), tmp_path, ".keras")
    assert refusal.value.layer_path == "two/dense_1"


def test_weights_without_a_layer_are_refused(tmp_path: Path) -> None:
    def add(file: h5py.File) -> None:
        file["layers/functional/layers/dense_7/vars/0"] = numpy.zeros((2, 2), "float32")

    with pytest.raises(Refused, match="dense_7") as refusal:
        convert_here(rewritten(tmp_path / "in.keras", weigh=add), tmp_path, ".h5")
    assert refusal.value.layer_path == "two"


def test_a_shared_layer_whose_first_place_is_not_to_be_found_is_refused(tmp_path: Path) -> None:
    def rename(entry: dict[str, Any]) -> None:
        core = entry["config"]["layers"][1]["config"]["layers"][1]  # where it was saved
        core["config"]["layers"][1]["config"]["units"] += 1

    with pytest.raises(Refused, match="lacks its kernel"):
        convert_here(rewritten(tmp_path / "in.keras", configure=rename), tmp_path, ".keras")


def test_the_sample_is_what_it_says(tmp_path: Path) -> None:
    copy = Path(shutil.copy(SHARED, tmp_path))
    shared = [
        record for record in records(config(copy)) if "shared_object_id" in record and "layers" in record["config"]
    ]
    assert [record["config"]["name"] for record in shared] == ["core"]
