"""Fixes applied to chosen layers of files by tf_keras 2.21 and Keras 3.15: what changes, and what keeps its bytes."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import h5py
import numpy
import pytest
from saved_samples import FOLDER, NEW, arrays, config, holds, name, records, rewrite_here

from cudnnlint.core.edit import CellToLayer, DropArgument, Effect, Intent, ReplaceClass, SetArgument, Unroll
from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved import rewrite

CELLS = [path for path in NEW if "cells" in path.name]
SLOW = [path for path in NEW if "slow" in path.name]
BIAS = Intent(
    (DropArgument("use_bias"), SetArgument("unit_forget_bias", False)), Effect.SAME_AT_INFERENCE, "give it a bias"
)
EVERY = {
    "cells": [("one", CellToLayer("LSTM")), ("three", Unroll(("LSTM", "GRU", "LSTM")))],
    "slow": [
        ("biasless", BIAS),
        ("ways/forward_both", BIAS),
        ("ways/backward_both", BIAS),
        ("ways/forward_both", DropArgument("recurrent_dropout")),
        ("ways/backward_both", DropArgument("recurrent_dropout")),
        ("ways/forward_both", DropArgument("unroll")),
        ("ways/backward_both", DropArgument("unroll")),
    ],
}


def layer(path: Path, wanted: str) -> dict[str, object]:
    return next(record for record in records(config(path)) if record["config"].get("name") == wanted)


@pytest.mark.parametrize("source", CELLS, ids=name)
def test_a_cell_becomes_its_layer_and_later_folders_are_renumbered(source: Path, tmp_path: Path) -> None:
    result, outcome = rewrite_here(source, tmp_path, ("one", CellToLayer("LSTM")))
    assert layer(result, "one")["class_name"] == "LSTM"
    before, after = arrays(source), arrays(result)
    assert all(holds(after, array) for key, array in before.items())
    assert outcome.changes == ["one: RNN(LSTMCell) is now LSTM, with the same weights"]
    if source.suffix == ".keras":
        assert numpy.array_equal(after["layers/lstm_1/cell/vars/0"], before["layers/rnn/cell/vars/0"])
        moved = before["layers/rnn_1/cell/cells/gru_cell/vars/0"]
        assert numpy.array_equal(after["layers/rnn/cell/cells/gru_cell/vars/0"], moved)


@pytest.mark.parametrize("source", CELLS, ids=name)
def test_stacked_cells_become_a_chain_whose_last_layer_keeps_the_name(source: Path, tmp_path: Path) -> None:
    result, _ = rewrite_here(source, tmp_path, ("three", Unroll(("LSTM", "GRU", "LSTM"))))
    found = [(record["class_name"], record["config"]["name"]) for record in config(result)["config"]["layers"]]
    chain = [("LSTM", "three_part_1"), ("GRU", "three_part_2"), ("LSTM", "three")]
    assert found[3:6] == chain
    assert all(layer(result, link)["config"]["return_sequences"] for _, link in chain)
    assert all(holds(arrays(result), array) for array in arrays(source).values())


@pytest.mark.parametrize("source", SLOW, ids=name)
def test_a_zero_bias_is_added_and_no_other_weight_changes(source: Path, tmp_path: Path) -> None:
    result, outcome = rewrite_here(source, tmp_path, ("biasless", DropArgument("use_bias")))
    record = layer(result, "biasless")
    assert record["config"]["use_bias"] is True
    assert record["config"]["unit_forget_bias"] is False
    before, after = arrays(source), arrays(result)
    weights = {key: array for key, array in before.items() if "optimizer" not in key and "metrics" not in key}
    assert all(holds(after, array) for array in weights.values())
    assert sum(array.shape == (12,) and not array.any() for array in after.values()) == 1
    assert any("bias" in warning for warning in outcome.warnings)
    assert any("optimizer" in warning for warning in outcome.warnings)
    assert not any("optimizer" in key for key in after)


@pytest.mark.parametrize("source", [path for path in SLOW if path.suffix == ".h5"], ids=name)
def test_the_new_bias_stands_behind_the_kernels_in_an_h5_file(source: Path, tmp_path: Path) -> None:
    result, _ = rewrite_here(source, tmp_path, ("ways/forward_both", BIAS), ("ways/backward_both", BIAS))
    with h5py.File(result) as file:
        group = file["model_weights/ways"]
        shapes = [group[key].shape for key in group.attrs["weight_names"]]
    assert shapes == [(3, 6), (2, 6), (2, 6)] * 2


@pytest.mark.parametrize("source", SLOW, ids=name)
def test_arguments_that_only_training_sees(source: Path, tmp_path: Path) -> None:
    steps = [step for step in EVERY["slow"] if isinstance(step[1], DropArgument)]
    result, outcome = rewrite_here(source, tmp_path, *steps)
    inner = [record["config"] for record in records(config(result)) if record["class_name"] == "GRU"]
    directions = [found for found in inner if found["name"].endswith("both")]
    assert directions
    assert all(found["recurrent_dropout"] == 0.0 and found["unroll"] is False for found in directions)
    assert any("training" in warning for warning in outcome.warnings)
    assert all(holds(arrays(result), array) for array in arrays(source).values())


@pytest.mark.parametrize("source", NEW, ids=name)
def test_a_second_pass_changes_no_byte(source: Path, tmp_path: Path) -> None:
    steps = [step for step in EVERY["cells" if "cells" in source.name else "slow"] if not isinstance(step[1], Unroll)]
    once, first = rewrite_here(source, tmp_path, *steps)
    again, second = rewrite_here(once, tmp_path, *steps)
    assert first.changes
    assert second.changes == []
    assert again.read_bytes() == once.read_bytes()


@pytest.mark.parametrize("source", [path for path in SLOW if path.suffix == ".keras"], ids=name)
def test_members_that_the_fix_does_not_touch_keep_their_bytes_and_dates(source: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(source, tmp_path / source.name))
    with zipfile.ZipFile(copy, "a") as archive:
        archive.writestr(zipfile.ZipInfo("assets/words.txt", (2020, 1, 2, 3, 4, 6)), b"a\nb\n", zipfile.ZIP_DEFLATED)
    result, _ = rewrite_here(copy, tmp_path, ("ways/forward_both", DropArgument("unroll")))
    with zipfile.ZipFile(copy) as old, zipfile.ZipFile(result) as new:
        assert old.namelist() == new.namelist()
        for before, after in zip(old.infolist(), new.infolist(), strict=True):
            assert before.date_time == after.date_time
            assert before.compress_type == after.compress_type
            assert (old.read(before) == new.read(after)) == (before.filename != "config.json")
        changed = json.loads(old.read("config.json")), json.loads(new.read("config.json"))
    assert changed[0]["compile_config"] == changed[1]["compile_config"]


@pytest.mark.parametrize("source", [path for path in SLOW if path.suffix == ".h5"], ids=name)
def test_attributes_and_groups_that_nobody_knows_stay(source: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(source, tmp_path / source.name))
    with h5py.File(copy, "r+") as file:
        file.attrs["mine"] = "kept"
        file["mine/too"] = numpy.arange(3)
        file["model_weights"].attrs["mine"] = 7
    result, _ = rewrite_here(copy, tmp_path, ("biasless", BIAS.steps[0]))
    with h5py.File(result) as file:
        assert file.attrs["mine"] == "kept"
        assert file["mine/too"][()].tolist() == [0, 1, 2]
        assert file["model_weights"].attrs["mine"] == 7
        assert "training_config" in file.attrs


REFUSED = [
    ("relu", DropArgument("activation"), "retrained"),
    ("before", DropArgument("reset_after"), "retrained"),
    ("before", SetArgument("reset_after", True), "retrained"),
    ("relu", DropArgument("use_cudnn"), "does not store use_cudnn"),
    ("relu", DropArgument("units"), "cannot be removed"),
    ("relu", SetArgument("units", 3), "cannot be changed"),
    ("relu", SetArgument("use_bias", False), "can only be added"),
    ("relu", ReplaceClass("CuDNNLSTM", "LSTM"), None),
    ("relu", CellToLayer("GRU"), "not an RNN of cells"),
    ("relu", Unroll(("LSTM", "LSTM")), "not an RNN of cells"),
    ("nowhere", DropArgument("unroll"), "no such layer"),
]


@pytest.mark.parametrize("source", SLOW, ids=name)
@pytest.mark.parametrize(("at", "step", "reason"), REFUSED)
def test_what_would_change_the_numbers_is_refused(
    source: Path, at: str, step: object, reason: str | None, tmp_path: Path
) -> None:
    if reason is None:  # it is an LSTM already
        assert rewrite_here(source, tmp_path, (at, step))[1].changes == []
        return
    with pytest.raises(Refused, match=reason) as refusal:
        rewrite_here(source, tmp_path, (at, step))
    assert refusal.value.layer_path == at


def test_an_intent_that_needs_new_weights_is_refused_with_its_own_words(tmp_path: Path) -> None:
    intent = Intent((DropArgument("activation"),), Effect.NEEDS_NEW_WEIGHTS, "remove activation")
    with pytest.raises(Refused, match="remove activation"):
        rewrite(SLOW[0], tmp_path / "new.keras", [("relu", intent)])
    assert list(tmp_path.iterdir()) == []


def test_a_fix_keeps_the_container(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="file format"):
        rewrite(FOLDER / "keras-3.15.1-slow.h5", tmp_path / "new.keras", [("biasless", BIAS)])


@pytest.mark.parametrize("source", SLOW, ids=name)
def test_the_public_function_applies_intents(source: Path, tmp_path: Path) -> None:
    target = tmp_path / f"fixed{source.suffix}"
    outcome = rewrite(source, target, EVERY["slow"])
    assert len(outcome.changes) == 7
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_an_activation_in_disguise_gets_its_name(suffix: str, tmp_path: Path) -> None:
    disguised = {"module": "keras.layers", "class_name": "Activation", "config": {"activation": "relu"}}
    source = Path(shutil.copy(FOLDER / f"keras-3.15.1-slow{suffix}", tmp_path / f"in{suffix}"))
    text = json.dumps(config(source)).replace('"activation": "relu"', f'"activation": {json.dumps(disguised)}', 1)
    if suffix == ".h5":
        with h5py.File(source, "r+") as file:
            file.attrs["model_config"] = text
    else:
        with zipfile.ZipFile(FOLDER / "keras-3.15.1-slow.keras") as old, zipfile.ZipFile(source, "w") as new:
            for member in old.namelist():
                new.writestr(member, text if member == "config.json" else old.read(member))
    result, _ = rewrite_here(source, tmp_path, ("relu", SetArgument("activation", "relu")))
    assert layer(result, "relu")["config"]["activation"] == "relu"
