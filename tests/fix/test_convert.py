"""`cudnnlint convert OLD NEW`: the old CuDNN file that nothing loads any more, and what is refused."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST_MINOR
from shell_run import Run

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "saved"


def test_an_old_cudnn_file_becomes_one_that_keras_3_runs_in_cudnn(run: Callable[..., Run], tmp_path: Path) -> None:
    done = run("convert", str(FIXTURES / "k2_cudnn.h5"), str(tmp_path / "new.keras"))
    assert done.status == 0, done.err
    assert "CuDNNGRU is now GRU" in done.out
    judged = run("--target", f"keras@{NEWEST_MINOR}:tensorflow", str(tmp_path / "new.keras"))
    assert "3 run in cuDNN" in judged.out
    assert "CDN203" not in judged.out


def test_what_would_change_the_numbers_is_refused_with_the_layer(run: Callable[..., Run], tmp_path: Path) -> None:
    old = FIXTURES / "legacy" / "tensorflow-2.8.4-masked_attention.h5"
    done = run("convert", str(old), str(tmp_path / "new.keras"))
    assert (done.status, done.out) == (1, "")
    assert "multi_head_attention" in done.err
    assert not (tmp_path / "new.keras").exists()


def test_a_file_is_replaced_only_where_that_is_asked_for(run: Callable[..., Run], tmp_path: Path) -> None:
    model = tmp_path / "model.keras"
    shutil.copy(FIXTURES / "k2_plain.keras", model)
    before = model.read_bytes()
    assert run("convert", str(model), str(model)).status == 2
    assert model.read_bytes() == before
    assert run("convert", "--in-place", str(model), str(model)).status == 0
    assert model.read_bytes() != before


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04xxx", b"\x89HDF\r\n\x1a\n" + b"\0" * 50])
def test_a_broken_file_is_one_line(run: Callable[..., Run], tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "old.h5").write_bytes(content)
    done = run("convert", "old.h5", "new.keras")
    assert done.status == (2 if content is None else 1)  # a file that is not there is wrong use
    assert done.err.count("\n") == 1
    assert not (tmp_path / "new.keras").exists()


def interpreter(folder: Path, *flags: str) -> str:
    """An interpreter with flags of its own; `-S` is one that finds no packages."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' {' '.join(flags)} \"$@\"\n")
    path.chmod(0o755)
    return str(path)


def test_verify_without_a_framework_says_what_to_install(run: Callable[..., Run], tmp_path: Path) -> None:
    python = interpreter(tmp_path, "-S")
    done = run("convert", "--verify", "--python", python, str(FIXTURES / "k2_cudnn.h5"), str(tmp_path / "new.keras"))
    assert done.status == 2
    assert "cudnnlint[probe]" in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "new.keras").exists()


def test_weights_alone_are_told_what_to_do(run: Callable[..., Run], tmp_path: Path) -> None:
    done = run("convert", str(FIXTURES / "k2_plain.weights.h5"), str(tmp_path / "new.keras"))
    assert done.status == 1
    assert "weights only" in done.err
    assert "load_weights()" in done.err


def test_a_destination_that_cannot_be_written_is_one_line(run: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "taken.keras").mkdir()
    done = run("convert", str(FIXTURES / "k2_cudnn.h5"), str(tmp_path / "taken.keras"))
    assert done.status == 2
    assert "Cannot write" in done.err
    assert done.err.count("\n") == 1
    assert not list((tmp_path / "taken.keras").iterdir())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere/new.keras",), "nowhere does not exist."),
        (("other.keras/new.keras",), "other.keras is not a folder."),
        (("new.keras", "--config", "nowhere.json"), "File 'nowhere.json' does not exist."),
        (("new.keras", "--config", "."), "is a directory."),
    ],
)
def test_a_path_that_leads_nowhere_is_wrong_use(
    run: Callable[..., Run], tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    shutil.copy(FIXTURES / "k2_plain.keras", tmp_path / "other.keras")
    done = run("convert", str(FIXTURES / "k2_cudnn.h5"), *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".keras"] == ["other.keras"]


@pytest.mark.slow
def test_verify_runs_both_files_before_the_new_one_stands(run: Callable[..., Run], tmp_path: Path) -> None:
    pytest.importorskip("tf_keras")
    name = "tensorflow-1.15.5-text.h5"
    model = Path(shutil.copy(FIXTURES / "legacy" / name, tmp_path / name))
    done = run("convert", "--verify", "--in-place", str(model), str(model))
    assert done.status == 0, done.err
    assert "verified: largest difference" in done.out
    assert not [path for path in tmp_path.iterdir() if "keras-" in path.name and path != model]


@pytest.mark.parametrize(
    "command", [("convert", "model.h5", "new.keras"), ("convert", "--in-place", "model.h5", "model.h5")]
)
def test_an_h5py_that_was_built_for_another_numpy_is_named(
    command: tuple[str, ...], tmp_path: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(FIXTURES / "k2_cudnn.h5", tmp_path / "model.h5")
    (tmp_path / "broken" / "h5py").mkdir(parents=True)
    (tmp_path / "broken" / "h5py" / "__init__.py").write_text('raise ValueError("numpy.dtype size changed")\n')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "broken"))
    before = (tmp_path / "model.h5").read_bytes()
    done = run(*command)
    assert done.err == ("cudnnlint: h5py cannot be imported: numpy.dtype size changed. Install h5py and numpy again.\n")
    assert (done.status, done.out, (tmp_path / "model.h5").read_bytes()) == (2, "", before)
    assert not (tmp_path / "new.keras").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"class_name": "Sequential", "config": []}', "name the file of its weights first, and this one as --config"),
        (b"\n<!DOCTYPE html><html></html>", "the download went wrong"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_no_model_is_called_by_its_name(
    run: Callable[..., Run], tmp_path: Path, content: bytes, says: str
) -> None:
    (tmp_path / "old.h5").write_bytes(content)
    done = run("convert", "old.h5", "new.keras")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert says in done.err


def test_what_became_of_several_layers_is_told_once(run: Callable[..., Run], tmp_path: Path) -> None:
    done = run("convert", str(FIXTURES / "legacy" / "keras-2.3.1-functional.h5"), str(tmp_path / "new.keras"))
    assert done.status == 0, done.err
    assert "cu_dnnlstm_1, cu_dnnlstm_2: CuDNNLSTM is now LSTM" in done.out
    assert done.out.count("CuDNNLSTM is now LSTM") == 1


def test_a_file_for_keras_2_is_told_to_be_one(run: Callable[..., Run]) -> None:
    told = "This was saved for Keras 2"
    assert told in run("check", str(FIXTURES / "legacy" / "keras-2.3.1-cells.h5")).out
    assert told in run("check", str(FIXTURES / "k2_plain.keras")).out
    assert told not in run("check", str(FIXTURES / "k3_plain.h5")).out
    assert told not in run("check", "--target", f"keras@{NEWEST_MINOR}", str(FIXTURES / "k2_plain.keras")).out
