"""SavedModel folders that real TensorFlow and Keras wrote, old and new: what their graphs run on a GPU and on a CPU."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from newest_releases import NEWEST
from shell_run import Run

import cudnnlint

Command = Callable[..., Run]
GRAPHS = Path(cudnnlint.__file__).resolve().parent.parent / "fixtures" / "saved" / "graphs"
KERAS_2 = ["fits", "both/forward_gru", "both/backward_gru", "simple", "slow"]
KERAS_3 = ["fits_1", "both_1/forward_gru_1", "both_1/backward_gru_1", "simple_1", "slow_1"]
PAIRS = ["depends", "depends", "depends", "fallback", "fallback"]  # what Grappler may choose, and two loops


def unpack(name: str, folder: Path) -> None:
    """A SavedModel folder of this name."""
    (folder / name).mkdir()
    (folder / name / "saved_model.pb").write_bytes(gzip.decompress((GRAPHS / f"{name}.pb.gz").read_bytes()))
    if (beside := GRAPHS / f"{name}.metadata.pb.gz").exists():
        (folder / name / "keras_metadata.pb").write_bytes(gzip.decompress(beside.read_bytes()))


def judged(run: Command, name: str, folder: Path) -> dict[str, Any]:
    unpack(name, folder)
    report: dict[str, Any] = json.loads(run(name, "--output-format", "report").out)
    return report


@pytest.mark.parametrize(
    ("name", "target", "paths", "verdicts", "codes"),
    [
        ("tf24", "tensorflow@2.4.4", KERAS_2, PAIRS, {"CDN201", "CDN111", "CDN403"}),
        ("tf212", "keras@2.12", KERAS_2, PAIRS, {"CDN201", "CDN111", "CDN403"}),
        ("tfk221", "tf_keras@2.21.0", KERAS_2, PAIRS, {"CDN201", "CDN111", "CDN403"}),
        ("k3_cpu", f"keras@{NEWEST}:tensorflow", KERAS_3, ["fallback"] * 5, {"CDN403", "CDN111"}),
        ("k3_gpu", f"keras@{NEWEST}:tensorflow", KERAS_3, ["cudnn"] * 3 + ["fallback"] * 2,
         {"CDN207", "CDN111", "CDN403"}),
    ],
)  # fmt: skip
def test_a_graph_shows_what_was_baked_in(
    name: str, target: str, paths: list[str], verdicts: list[str], codes: set[str], tmp_path: Path, run: Command
) -> None:
    report = judged(run, name, tmp_path)
    (file,) = report["files"]
    assert (file["kind"], file["targets"][0]["text"]) == ("savedmodel", target)
    assert [layer["layer_path"] for layer in file["layers"]] == paths
    assert [layer["verdicts"][0]["verdict"] for layer in file["layers"]] == verdicts
    assert {found["code"] for found in report["diagnostics"]} == codes
    assert {found["layer_path"] for found in report["diagnostics"]} <= set(paths)


#: What `reused` and `each` of fixtures/saved/graphs/make.py hold: the class of each recurrent layer, by its path.
REUSED = {
    "tower/inner": "GRU", "shared": "LSTM", "both/forward_gru": "GRU", "both/backward_gru": "GRU", "celled": "RNN",
    "simple": "SimpleRNN",
}  # fmt: skip
EACH = {"by_word/enc/word": "LSTM", "by_g/g": "GRU", "sentence": "LSTM", "unrolled": "LSTM"}


@pytest.mark.parametrize(
    ("name", "layers", "verdicts"),
    [
        ("tf115", REUSED, ["fallback"] * 6),
        ("tf24_reused", REUSED, ["cudnn"] * 4 + ["fallback"] * 2),
        ("tf215", REUSED, ["cudnn"] * 4 + ["fallback"] * 2),
        ("tf115_each", EACH, ["unknown"] * 4),  # whose loops TensorFlow 1 wrote node by node
        ("tf215_each", EACH, ["cudnn"] * 3 + ["unknown"]),
    ],
)
def test_the_metadata_of_keras_name_each_layer_once_with_its_class(
    name: str, layers: dict[str, str], verdicts: list[str], tmp_path: Path, run: Command
) -> None:
    (file,) = judged(run, name, tmp_path)["files"]
    found = {layer["layer_path"]: layer for layer in file["layers"]}
    assert len(found) == len(file["layers"])
    assert {path: layer["class_name"] for path, layer in found.items()} == layers
    assert [found[path]["verdicts"][0]["verdict"] for path in layers] == verdicts


def test_a_layer_that_the_metadata_alone_name_is_unknown_with_a_reason(tmp_path: Path, run: Command) -> None:
    report = judged(run, "tf215_each", tmp_path)
    (told,) = [found["message"] for found in report["diagnostics"] if found["layer_path"] == "unrolled"]
    assert "neither a loop nor a cuDNN operation" in told


@pytest.mark.parametrize("metadata", [b"", b"\x0a\xff\xff\xff\x7f", b"\x0a\x03\x2a\x01{", None])
def test_damaged_or_missing_metadata_leave_what_the_graph_shows(
    metadata: bytes | None, tmp_path: Path, run: Command
) -> None:
    unpack("tf215", tmp_path)
    path = tmp_path / "tf215" / "keras_metadata.pb"
    path.unlink() if metadata is None else path.write_bytes(metadata)
    (file,) = json.loads(run("tf215", "--output-format", "report").out)["files"]
    assert file["error"] is None
    assert {"shared", "celled"} <= {layer["layer_path"] for layer in file["layers"]}
    assert any("metadata cannot be read" in note for note in file["notes"])


def test_the_words_for_a_loop_and_for_an_operation(tmp_path: Path, run: Command) -> None:
    cpu = " ".join(found["message"] for found in judged(run, "k3_cpu", tmp_path)["diagnostics"])
    assert "The saved graph has a loop: no GPU was visible when it was traced" in cpu
    gpu = judged(run, "k3_gpu", tmp_path)["diagnostics"]
    (fits,) = [found for found in gpu if found["layer_path"] == "fits_1"]
    assert "no CPU can run it" in fits["message"]
    assert fits["severity"] == "info"


def test_a_loop_that_keras_2_saved_is_no_matter_of_the_machine(tmp_path: Path, run: Command) -> None:
    unpack("tf24", tmp_path)
    said = " ".join(run("tf24").out.split())
    assert "the layer could not use cuDNN where it was made" in said
    assert "Exporting on another machine does not help" in said
    assert "use_cudnn" not in said


def test_the_target_of_a_savedmodel_is_its_writer(tmp_path: Path, run: Command) -> None:
    unpack("tf24", tmp_path)
    (target,) = json.loads(run("target", "tf24", "--output-format", "json").out)
    assert (target["text"], target["origin"]) == ("tensorflow@2.4.4", "the file was written by TensorFlow 2.4.4")


def test_a_broken_savedmodel_is_still_called_one(tmp_path: Path, run: Command) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "saved_model.pb").write_bytes(b"\xff" * 20)
    (file,) = json.loads(run("broken", "--output-format", "report").out)["files"]
    assert (file["kind"], file["error"]["code"]) == ("savedmodel", "CDN001")
    assert file["error"]["message"] == "The protocol buffer in it is cut off or damaged."
    (tmp_path / "broken" / "saved_model.pb").write_bytes(b"")
    (file,) = json.loads(run("broken", "--output-format", "report").out)["files"]
    assert file["error"]["message"] == "Its saved_model.pb is empty."
