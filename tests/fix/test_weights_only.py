"""`cudnnlint convert --config`: weights alone become a model, with the layers that another file holds."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest
from shell_run import Run

SAVED = Path(__file__).resolve().parents[2] / "fixtures" / "saved"
#: Whole files of old releases that `convert` converts; each is taken apart into weights and layers.
WHOLE = [
    path
    for path in sorted(
        [*(SAVED / "legacy").glob("*.h5"), *(SAVED / f"{name}.h5" for name in ("k2_cudnn", "k2_plain", "k2_nested"))]
    )
    if "model_weights" in h5py.File(path, "r")
]

pytestmark = pytest.mark.usefixtures("rewritten_here")


def apart(whole: Path, folder: Path, change: Callable[[Any], None] = lambda entry: None) -> tuple[Path, Path]:
    """Write the weights as `save_weights` of Keras 2 does, and the layers as `to_json` does; return both paths."""
    weights, layers = folder / "weights.h5", folder / "layers.json"
    with h5py.File(whole, "r") as old, h5py.File(weights, "w") as new:
        group = old["model_weights"]
        for name in group:
            old.copy(group[name], new, name=name)
        for name in group.attrs:
            new.attrs[name] = group.attrs[name]
        entry = json.loads(old.attrs["model_config"])
        said = {name: old.attrs[name] for name in ("keras_version", "backend") if name in old.attrs}
    change(entry)
    texts = {name: text.decode() if isinstance(text, bytes) else text for name, text in said.items()}
    layers.write_text(json.dumps({**entry, **texts}))
    return weights, layers


def content(path: Path) -> tuple[Any, dict[str, bytes]]:
    """The configuration of a `.keras` file and every array of a layer in it, by its path."""
    found: dict[str, bytes] = {}

    def keep(name: str, item: h5py.Group | h5py.Dataset) -> None:
        if isinstance(item, h5py.Dataset) and not name.startswith("optimizer/"):
            found[name] = numpy.asarray(item).tobytes()

    with zipfile.ZipFile(path) as archive:
        config = json.loads(archive.read("config.json"))
        config.pop("compile_config", None)
        with archive.open("model.weights.h5") as stream, h5py.File(stream, "r") as file:
            file.visititems(keep)
    return config, found


@pytest.mark.parametrize("whole", WHOLE, ids=lambda path: path.stem)
def test_weights_and_layers_apart_give_what_the_whole_file_gives(
    run: Callable[..., Run], tmp_path: Path, whole: Path
) -> None:
    weights, layers = apart(whole, tmp_path)
    once = run("convert", str(whole), str(tmp_path / "a.keras"))
    again = run("convert", "--config", str(layers), str(weights), str(tmp_path / "b.keras"))
    assert once.status == again.status, again.err
    if once.status == 0:
        assert content(tmp_path / "a.keras") == content(tmp_path / "b.keras")


def test_the_layers_may_be_those_of_another_model_file(run: Callable[..., Run], tmp_path: Path) -> None:
    weights, _ = apart(SAVED / "k2_cudnn.h5", tmp_path)
    done = run("convert", "--config", str(SAVED / "k2_cudnn.h5"), str(weights), str(tmp_path / "new.keras"))
    assert done.status == 0, done.err
    run("convert", str(SAVED / "k2_cudnn.h5"), str(tmp_path / "whole.keras"))
    assert content(tmp_path / "new.keras") == content(tmp_path / "whole.keras")


@pytest.mark.parametrize("generation", ["k2", "k3"])
def test_weights_in_folders_find_their_layers(run: Callable[..., Run], tmp_path: Path, generation: str) -> None:
    config, weights = SAVED / f"{generation}_plain.h5", SAVED / f"{generation}_plain.weights.h5"
    done = run("convert", "--config", str(config), str(weights), str(tmp_path / "new.keras"))
    assert done.status == 0, done.err
    with h5py.File(weights, "r") as file:
        embeddings = numpy.asarray(file["layers/embedding/vars/0"]).tobytes()
    assert content(tmp_path / "new.keras")[1]["layers/embedding/vars/0"] == embeddings


def of_all(entry: Any, change: Callable[[dict[str, Any]], None]) -> None:
    """Change every record of a layer in a configuration."""
    if isinstance(entry, dict):
        if "class_name" in entry and isinstance(entry.get("config"), dict):
            change(entry)
        for inner in entry.values():
            of_all(inner, change)
    elif isinstance(entry, list):
        for inner in entry:
            of_all(inner, change)


def test_weights_of_cudnn_layers_fit_a_configuration_of_plain_ones(run: Callable[..., Run], tmp_path: Path) -> None:
    def plain(entry: dict[str, Any]) -> None:
        if entry["class_name"] in ("CuDNNLSTM", "CuDNNGRU"):
            entry["class_name"] = entry["class_name"].removeprefix("CuDNN")
            entry["config"]["recurrent_activation"] = "hard_sigmoid"  # Keras 2's default: not what these weights are of

    weights, layers = apart(SAVED / "k2_cudnn.h5", tmp_path, lambda entry: of_all(entry, plain))
    done = run("convert", "--config", str(layers), str(weights), str(tmp_path / "new.keras"))
    assert done.status == 0, done.err
    assert "its weights are those of CuDNN" in done.out
    run("convert", str(SAVED / "k2_cudnn.h5"), str(tmp_path / "whole.keras"))
    assert content(tmp_path / "new.keras") == content(tmp_path / "whole.keras")


def other_units(entry: dict[str, Any]) -> None:
    """Give the first recurrent layers other units than those that were stored."""
    if "units" in entry["config"] and entry["class_name"] != "Dense":
        entry["config"]["units"] += 1


def other_words(entry: dict[str, Any]) -> None:
    """Give the embedding another vocabulary."""
    if entry["class_name"] == "Embedding":
        entry["config"]["input_dim"] += 1


@pytest.mark.parametrize(("change", "weight"), [(other_units, "kernel"), (other_words, "embeddings")])
def test_weights_of_another_shape_are_refused_with_both_shapes(
    run: Callable[..., Run], tmp_path: Path, change: Callable[[dict[str, Any]], None], weight: str
) -> None:
    weights, layers = apart(SAVED / "k2_plain.h5", tmp_path, lambda entry: of_all(entry, change))
    done = run("convert", "--config", str(layers), str(weights), str(tmp_path / "new.keras"))
    assert done.status == 1
    assert f"its {weight} in the weights file has the shape" in done.err
    assert not (tmp_path / "new.keras").exists()


def test_a_whole_model_needs_no_configuration(run: Callable[..., Run], tmp_path: Path) -> None:
    whole = str(SAVED / "k2_plain.h5")
    done = run("convert", "--config", whole, whole, str(tmp_path / "new.keras"))
    assert done.status == 1
    assert "--config is not needed" in done.err


def test_weights_alone_name_the_option(run: Callable[..., Run], tmp_path: Path) -> None:
    weights, _ = apart(SAVED / "k2_plain.h5", tmp_path)
    done = run("convert", str(weights), str(tmp_path / "new.keras"))
    assert done.status == 1
    assert "--config FILE" in done.err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"class_name": "Sequential"}', "no JSON"])
def test_a_configuration_that_is_none_is_one_line(run: Callable[..., Run], tmp_path: Path, text: str) -> None:
    weights, layers = apart(SAVED / "k2_plain.h5", tmp_path)
    layers.write_text(text)
    done = run("convert", "--config", str(layers), str(weights), str(tmp_path / "new.keras"))
    assert (done.status, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert not (tmp_path / "new.keras").exists()


def test_another_file_is_replaced_only_by_force(run: Callable[..., Run], tmp_path: Path) -> None:
    new = tmp_path / "new.keras"
    new.write_bytes(b"something of value")
    assert run("convert", str(SAVED / "k2_plain.h5"), str(new)).status == 2
    assert new.read_bytes() == b"something of value"
    assert run("convert", "--force", str(SAVED / "k2_plain.h5"), str(new)).status == 0
    assert zipfile.is_zipfile(new)
