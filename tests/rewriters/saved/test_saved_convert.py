"""Files of TensorFlow 1.13 and 1.15 and of Keras 2.1 to 2.3, converted without any framework: what is in the result."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

import h5py
import numpy
import pytest
from newest_releases import NEWEST
from saved_samples import FOLDER, NEW, OLD, arrays, config, convert_here, holds, name, records

from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.rewriters.saved import convert

BOTH = pytest.mark.parametrize("suffix", [".keras", ".h5"])
HDF5 = b"\x89HDF\r\n\x1a\n"
GONE = {"time_major", "batch_input_shape", "implementation", "input_length"}


def test_there_are_samples() -> None:
    assert len(OLD) == 37
    assert len(NEW) == 8


@BOTH
@pytest.mark.parametrize("source", OLD, ids=name)
def test_a_legacy_file_becomes_one_of_keras_3(source: Path, suffix: str, tmp_path: Path) -> None:
    before = source.read_bytes()
    result, outcome = convert_here(source, tmp_path, suffix)
    found = list(records(config(result)))
    assert found
    for record in found:
        assert "CuDNN" not in record["class_name"]
        assert not GONE & set(record["config"])
        assert record["class_name"] != "GRU" or "reset_after" in record["config"]
    assert any("written for Keras 3" in change for change in outcome.changes)
    assert source.read_bytes() == before


@BOTH
@pytest.mark.parametrize("source", [path for path in OLD if "defaults" not in path.name], ids=name)
def test_every_weight_of_another_layer_is_carried_over_bit_by_bit(source: Path, suffix: str, tmp_path: Path) -> None:
    result, _ = convert_here(source, tmp_path, suffix)
    after = arrays(result)
    old = arrays(source)
    changed = ("rnn", "lstm", "gru", "lst_m", "forward", "backward")
    kept = [key for key in old if not any(word in key for word in changed)]
    assert kept or "stateful" not in source.name
    assert all(holds(after, old[key]) for key in kept)
    assert len(after) == len(old)


@pytest.mark.parametrize("source", [path for path in OLD if "stack" in path.name], ids=name)
def test_cudnn_weights_are_laid_out_anew(source: Path, tmp_path: Path) -> None:
    result, outcome = convert_here(source, tmp_path, ".keras")
    with h5py.File(source) as file:
        group = file["model_weights"][file["model_weights"].attrs["layer_names"][0]]
        kernel, recurrent, bias = (group[key][()] for key in group.attrs["weight_names"])
    gates = [numpy.hsplit(kernel, 4), numpy.hsplit(recurrent, 4)]
    after = arrays(result)
    expected = numpy.hstack([gate.T.reshape(gate.shape, order="F") for gate in gates[0]])
    assert numpy.array_equal(after["layers/lstm/cell/vars/0"], expected)
    assert numpy.array_equal(after["layers/lstm/cell/vars/1"], numpy.hstack([gate.T for gate in gates[1]]))
    assert numpy.array_equal(after["layers/lstm/cell/vars/2"], bias[:16] + bias[16:])
    assert after["layers/gru/cell/vars/2"].shape == (2, 9)
    assert sum("carried over exactly" in change for change in outcome.changes) == 2


@pytest.mark.parametrize("source", OLD, ids=name)
def test_cudnn_goes_and_keras_2_stays_where_that_is_asked_for(source: Path, tmp_path: Path) -> None:
    result, _ = convert_here(source, tmp_path, ".h5", keras=2)
    assert not any("CuDNN" in record["class_name"] for record in records(config(result)))
    with h5py.File(source) as old, h5py.File(result) as new:
        assert old.attrs["keras_version"] == new.attrs["keras_version"]


@BOTH
@pytest.mark.parametrize("source", OLD[::3] + NEW, ids=name)
def test_converting_again_changes_no_byte(source: Path, suffix: str, tmp_path: Path) -> None:
    once, _ = convert_here(source, tmp_path, suffix)
    again, outcome = convert_here(once, tmp_path, suffix)
    assert again.read_bytes() == once.read_bytes()
    assert outcome.changes == []


@pytest.mark.parametrize("source", NEW, ids=name)
def test_the_other_container_and_back_loses_nothing(source: Path, tmp_path: Path) -> None:
    keras = 2 if source.name.startswith("tf_keras") else 3
    other = {".keras": ".h5", ".h5": ".keras"}[source.suffix]
    there, _ = convert_here(source, tmp_path, other, keras)
    back, outcome = convert_here(there, tmp_path, source.suffix, keras)
    before, after = arrays(source), arrays(back)
    assert all(holds(after, before[key]) for key in before if not key.startswith(("metrics", "layers/dropout")))
    assert any("optimizer" in key for key in after)
    assert outcome.warnings == []


def test_what_the_old_compile_was_given_is_not_lost_silently(tmp_path: Path) -> None:
    _, outcome = convert_here(FOLDER / "tf_keras-2.21.0-slow.h5", tmp_path, ".keras")
    assert any("compile" in warning for warning in outcome.warnings)


def test_what_a_masked_bidirectional_once_did_is_told(tmp_path: Path) -> None:
    said = {}
    for stem in ("keras-2.2.4-padded", "tensorflow-1.15.5-padded", "tensorflow-1.13.2-defaults"):
        _, outcome = convert_here(FOLDER / f"{stem}.h5", tmp_path, ".keras")
        said[stem] = " ".join(outcome.warnings)
    assert "masked steps" in said["keras-2.2.4-padded"]
    assert said["tensorflow-1.15.5-padded"] == ""
    assert "TensorFlow 1.13 wrote" in said["tensorflow-1.13.2-defaults"]


def test_attention_that_did_not_heed_its_mask_is_refused(tmp_path: Path) -> None:
    source = Path(shutil.copy(FOLDER / "tensorflow-2.8.4-masked_attention.h5", tmp_path / "old.h5"))
    with pytest.raises(Refused, match=r"did not in Keras 2\.8\.0") as refusal:
        convert_here(source, tmp_path, ".keras")
    assert refusal.value.layer_path == "multi_head_attention"
    with h5py.File(source, "r+") as file:
        file.attrs["keras_version"] = "2.10.0"  # the first whose MultiHeadAttention takes the mask of its inputs
    assert convert_here(source, tmp_path, ".keras")[1].changes


def test_operations_of_a_tensorflow_graph_become_those_of_keras_3(tmp_path: Path) -> None:
    """The file is of TensorFlow 2.3, which wrote each operation as its graph had it (TensorFlowOpLayer)."""
    result, _ = convert_here(FOLDER / "tensorflow-2.3.4-operations.h5", tmp_path, ".keras")
    found = [layer["class_name"] for layer in config(result)["config"]["layers"]]
    assert not any("OpLa" in kind for kind in found)
    assert "Shape" not in found
    assert {"Swapaxes", "Matmul", "Minimum", "Where", "GetItem", "Concatenate"} <= set(found)
    assert found.count("Reshape") == 2  # one that leaves the batch as it is, one of the zeros that are a first state


def test_a_convolution_of_theano_is_refused_by_name(tmp_path: Path) -> None:
    source = Path(shutil.copy(FOLDER / "keras-2.2.4-images.h5", tmp_path / "images.h5"))
    with h5py.File(source, "r+") as file:
        file.attrs["backend"] = b"theano"
    with pytest.raises(Refused, match="Theano") as refusal:
        convert_here(source, tmp_path, ".keras")
    assert refusal.value.layer_path == "conv2d_1"


def test_a_file_of_keras_1_says_which_release_still_reads_it(tmp_path: Path) -> None:
    source = Path(shutil.copy(FOLDER / "keras-2.2.4-images.h5", tmp_path / "images.h5"))
    with h5py.File(source, "r+") as file:
        file.attrs["keras_version"] = "1.2.2"
    with pytest.raises(Refused, match=r"Keras 1\.2\.2: load it in the first Keras 2"):
        convert_here(source, tmp_path, ".keras")


def keras_file(path: Path, members: dict[str, bytes]) -> Path:
    """A copy of a sample with further members, and a date on each."""
    with zipfile.ZipFile(FOLDER / "keras-3.15.1-slow.keras") as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            new.writestr(info, old.read(info))
        for member, content in members.items():
            new.writestr(zipfile.ZipInfo(member, (2020, 1, 2, 3, 4, 6)), content, zipfile.ZIP_DEFLATED)
    return path


def test_assets_are_told_where_the_other_container_has_no_place(tmp_path: Path) -> None:
    source = keras_file(tmp_path / "assets.keras", {"assets/words.txt": b"a\nb\n"})
    _, outcome = convert_here(source, tmp_path, ".h5")
    assert any("assets/words.txt" in warning for warning in outcome.warnings)


def test_the_public_function_replaces_its_destination_at_once(tmp_path: Path) -> None:
    target = tmp_path / "new.keras"
    target.write_text("what was here before")
    outcome = convert(OLD[0], target, NEWEST)
    assert outcome.changes
    assert zipfile.is_zipfile(target)
    assert [path.name for path in tmp_path.iterdir()] == ["new.keras"]


def test_a_file_may_replace_itself(tmp_path: Path) -> None:
    path = Path(shutil.copy(FOLDER / "tensorflow-1.15.5-stack.h5", tmp_path / "model.h5"))
    path.chmod(0o640)
    convert(path, path, NEWEST)
    assert path.stat().st_mode & 0o777 == 0o640
    assert [found.name for found in tmp_path.iterdir()] == ["model.h5"]
    assert config(path)["config"]["layers"][0]["class_name"] == "InputLayer"


def test_a_refusal_leaves_everything_as_it_was(tmp_path: Path) -> None:
    source = Path(shutil.copy(FOLDER / "tensorflow-1.15.5-stack.h5", tmp_path / "model.h5"))
    with h5py.File(source, "r+") as file:
        written = file.attrs["model_config"]
        text = written if isinstance(written, str) else written.decode()
        file.attrs["model_config"] = text.replace('"Dropout"', '"OwnDropout"')
    before = source.read_bytes()
    with pytest.raises(Refused, match="OwnDropout") as refusal:
        convert(source, source, NEWEST)
    assert refusal.value.layer_path == "dropout"
    assert source.read_bytes() == before
    assert os.listdir(tmp_path) == ["model.h5"]


@pytest.mark.parametrize("destination", ["model.hdf", "model", "model.zip", "missing/model.keras"])
def test_a_destination_that_makes_no_sense_is_refused(destination: str, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        convert(OLD[0], tmp_path / destination, NEWEST)


def test_keras_3_is_not_turned_back_into_keras_2(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be converted to Keras 2"):
        convert_here(FOLDER / "keras-3.15.1-slow.h5", tmp_path, ".h5", keras=2)


@pytest.mark.parametrize("content", [b"", b"no model", b"PK\x03\x04", HDF5, HDF5 + b"\0" * 900])
def test_what_is_no_model_is_unreadable(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.h5"
    path.write_bytes(content)
    with pytest.raises(UnreadableInput):
        convert(path, tmp_path / "new.keras", NEWEST)
    assert [found.name for found in tmp_path.iterdir()] == ["broken.h5"]


def test_a_git_lfs_pointer_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "model.h5"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    with pytest.raises(UnreadableInput) as error:
        convert(path, tmp_path / "new.keras", NEWEST)
    assert error.value.pointer


def test_a_folder_and_a_missing_file_are_unreadable(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "none.h5"):
        with pytest.raises(UnreadableInput):
            convert(source, tmp_path / "new.keras", NEWEST)


@pytest.mark.parametrize("size", [512, 1024, 2048])
def test_a_block_of_the_user_before_the_model_is_passed_over(size: int, tmp_path: Path) -> None:
    source = FOLDER / "tensorflow-1.15.5-stack.h5"
    with h5py.File(source) as old, h5py.File(tmp_path / "block.h5", "w", userblock_size=size) as new:
        for name in old.attrs:
            new.attrs[name] = old.attrs[name]
        for name in old:
            old.copy(name, new)
    with (tmp_path / "block.h5").open("r+b") as stream:
        stream.write(b"whatever its user wrote")
    found, _ = convert_here(tmp_path / "block.h5", tmp_path, ".keras")
    expected, _ = convert_here(source, tmp_path, ".keras")
    after, before = arrays(found), arrays(expected)
    assert after.keys() == before.keys()
    assert all(numpy.array_equal(after[key], before[key]) for key in before)


def test_weights_alone_are_told_apart(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "weights.h5", "w") as file:
        file.attrs["layer_names"] = [b"lstm"]
    with pytest.raises(UnreadableInput, match="weights only"):
        convert(tmp_path / "weights.h5", tmp_path / "new.keras", NEWEST)


def test_metadata_of_the_result_names_keras_3(tmp_path: Path) -> None:
    result, _ = convert_here(OLD[0], tmp_path, ".keras")
    with zipfile.ZipFile(result) as archive:
        assert archive.namelist() == ["metadata.json", "config.json", "model.weights.h5"]
        assert json.loads(archive.read("metadata.json"))["keras_version"].startswith("3.")


def test_the_recorded_judgement_holds_and_is_large_enough() -> None:
    found = json.loads((FOLDER.parents[1] / "evidence" / "convert.json").read_text())
    assert found["compared"] >= 300
    assert found["beyond_tolerance"] == 0
    assert found["largest_difference"] <= found["tolerance"] == 1e-6
    assert found["models_with_cudnn_layers"] > 100
    assert found["models_whose_outputs_hardly_vary"] < found["compared"] / 10
    assert len(found["layers"]) > 60
    assert not any("WRONG" in reason for reason in found["refused_by_design"].values())
