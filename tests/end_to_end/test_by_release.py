"""What changes from release to release, as a user meets it: one run, several targets, source and saved models."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import pytest
from newest_releases import ALL, NEWEST
from shell_run import Run
from shell_samples import keras_file, write

import cudnnlint

Command = Callable[..., Run]
SAVED = Path(cudnnlint.__file__).resolve().parent.parent / "fixtures" / "saved"


@dataclass(frozen=True)
class Told:
    """What one target is told: the verdicts of the layers in order, the codes, and words of a message."""

    target: str
    verdicts: str
    codes: str = ""
    says: str = ""


def told(run: Command, path: str, *expected: Told) -> dict[str, Any]:
    """Judge `path` for all targets in one run, hold the report against what is expected, and return it."""
    found = run(path, "--target", ",".join(each.target for each in expected), "--output-format", "report")
    report: dict[str, Any] = json.loads(found.out)
    (file,) = report["files"]
    names = [target["text"] for target in file["targets"]]
    assert len(names) == len(expected)
    for number, each in enumerate(expected):
        verdicts = [layer["verdicts"][number]["verdict"] for layer in file["layers"]]
        mine = [one for one in report["diagnostics"] if one["target"] == names[number]]
        assert " ".join(verdicts) == each.verdicts, each.target
        assert sorted({one["code"] for one in mine}) == sorted(each.codes.split()), each.target
        assert each.says in " ".join(one["message"] for one in mine), each.target
    return report


def condition(report: dict[str, Any], layer: int = 0, target: int = 0) -> str:
    return report["files"][0]["layers"][layer]["verdicts"][target]["condition"] or ""


MASKED = """\
import keras
inputs = keras.Input((None, 3))
x = keras.layers.Masking()(inputs)
model = keras.Model(inputs, keras.layers.LSTM(2)(x))
"""
EAGER = MASKED + 'model.compile("adam", "mse", run_eagerly=True)\n'
MASKS = (
    Told("keras@3.1", "fallback", "CDN109", "does not support masks. On a GPU this LSTM runs step by step in a loop"),
    Told("keras@3.2", "depends", "CDN201", "cuDNN only supports right padding"),
    Told("keras@3.15", "depends", "CDN201", "cuDNN only supports right padding"),
)


def test_masks_reach_the_kernel_from_3_2_on(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "masked.py", MASKED)
    report = told(run, "masked.py", *MASKS)
    assert "raises an error; otherwise it runs in cuDNN" in condition(report, target=1)
    keras_file(tmp_path / "masks.keras", {"class_name": "Masking", "mask_value": 0.0}, {}, version="3.1.1")
    report = json.loads(run("masks.keras", "--target", "keras@3.1,keras@3.2", "--output-format", "report").out)
    ((layer,),) = [file["layers"] for file in report["files"]]
    assert [told["verdict"] for told in layer["verdicts"]] == ["fallback", "depends"]


def test_a_wrong_mask_falls_back_eagerly_and_stops_a_graph(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "eager.py", EAGER)
    report = told(run, "eager.py", Told("keras@3.1", "fallback", "CDN109"), Told("keras@3.2", "depends", "CDN201"))
    text = condition(report, target=1)
    assert "falls back to a loop without cuDNN; otherwise it runs in cuDNN" in text


def test_early_tensorflow_hides_the_mask_from_a_nested_sequential(tmp_path: Path, run: Command) -> None:
    nested = "model = tf.keras.Model(inputs, tf.keras.Sequential([tf.keras.layers.LSTM(2)])(x))\n"
    text = (
        MASKED[: MASKED.index("model")]
        .replace("import keras", "import tensorflow as tf")
        .replace(" keras", " tf.keras")
    )
    write(tmp_path, "nested.py", text + nested)
    told(run, "nested.py", Told("tensorflow@2.1", "cudnn"), Told("tensorflow@2.2", "cudnn"),
         Told("tensorflow@2.3", "depends", "CDN201 CDN213"), Told("tensorflow@2.4", "depends", "CDN201"))  # fmt: skip


DROPOUT = (
    Told("keras@3.3", "fallback", "CDN104", "this Keras release does not use cuDNN for a layer with dropout"),
    Told("keras@3.8", "cudnn", "CDN601", "applies it at inference too, so predictions are random"),
    Told("keras@3.9", "cudnn"),
)


def test_a_gpu_that_the_requirements_name_counts_and_a_target_that_is_given_does_not_know_it(
    tmp_path: Path, run: Command
) -> None:
    write(tmp_path, "m.py", "import tensorflow as tf\na = tf.keras.layers.LSTM(2)\n")
    for release, verdict in (("2.18.0", "raises"), ("2.12.0", "unknown")):
        write(tmp_path, "requirements.txt", f"tensorflow=={release}\ntensorflow-metal\n")
        (file,) = json.loads(run("m.py", "--output-format", "report").out)["files"]
        (layer,) = file["layers"]
        assert layer["verdicts"][0]["verdict"] == verdict
        (blocker,) = [one for one in layer["verdicts"][0]["requirements"] if one["code"] == "CDN405"]
        assert blocker["found"] == "an Apple GPU (requirements.txt asks for tensorflow-metal)"
        assert blocker["origin"] == "assumed"
    told(run, "m.py", Told("keras@3.8.0:tensorflow", "cudnn"))


def test_input_dropout_is_slow_then_wrong_then_right(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "drop.py", "import keras\nlayer = keras.layers.LSTM(2, dropout=0.2)\n")
    keras_file(tmp_path / "drop.keras", {"dropout": 0.2}, version="3.8.0")
    for path in ("drop.py", "drop.keras"):
        told(run, path, *DROPOUT)
    assert run("drop.py", "--target", "keras@3.8", "--fail-on", "error").status == 1
    assert run("drop.keras", "--target", "keras@3.9").status == 0


STATE = (
    Told("keras@3.11.2", "raises", "CDN602", "returns a GRU's state in the wrong shape"),
    Told("keras@3.11.3", "cudnn"),
)


def test_the_state_of_a_gru_is_right_from_3_11_3_on(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "state.py", "import keras\ny, h = keras.layers.GRU(2, return_state=True)(keras.Input((5, 3)))\n")
    gru = {"class_name": "GRU", "reset_after": True, "return_state": True, "return_sequences": False}
    keras_file(tmp_path / "state.keras", gru, version="3.11.2")
    for path in ("state.py", "state.keras"):
        told(run, path, *STATE)
    report = told(run, "state.py", Told("keras@3.11", "cudnn"))
    assert condition(report) == "before Keras 3.11.3 it raises an error"


def test_use_cudnn_is_lost_by_saving_and_by_early_bidirectionals(tmp_path: Path, run: Command) -> None:
    model = "model = keras.Sequential([keras.Input((5, 3)), keras.layers.LSTM(2, use_cudnn=False)])\n"
    write(tmp_path, "saved.py", f'import keras\n{model}model.save("m.keras")\n')
    lost = Told("keras@3.15", "fallback", "CDN110 CDN302", 'model.save("m.keras") does not save it')
    told(run, "saved.py", Told("keras@3.2", "fallback", "CDN110 CDN302"), lost)
    keras_file(tmp_path / "saved.keras", {}, version="3.15.1")
    told(run, "saved.keras", Told("keras@3.15", "cudnn"))  # what the loader makes of it, not what its author chose
    both = "import keras\npair = keras.layers.Bidirectional(keras.layers.LSTM(2, use_cudnn=False))\n"
    write(tmp_path, "pair.py", both)
    told(
        run,
        "pair.py",
        Told("keras@3.11", "cudnn cudnn", "CDN302", "Bidirectional rebuilds its layers"),
        Told("keras@3.12", "fallback fallback", "CDN110", "which turns cuDNN off for this layer"),
    )


def test_on_torch_the_lstm_came_last(tmp_path: Path, run: Command) -> None:
    text = "import keras\na = keras.layers.LSTM(2)\nb = keras.layers.GRU(2)\nc = keras.layers.LSTM(2, use_cudnn=True)\n"
    write(tmp_path, "torchy.py", text)
    told(
        run,
        "torchy.py",
        Told("keras@3.13:torch", "fallback fallback raises", "CDN202 CDN402", "Keras 3.13.2 has no working cuDNN"),
        Told("keras@3.14:torch", "fallback cudnn fallback", "CDN402", "Keras 3.14.1 has no working cuDNN"),
        Told("keras@3.15:torch", "cudnn cudnn cudnn"),
    )
    keras_file(tmp_path / "m.keras", {}, version="3.15.1")
    told(run, "m.keras", Told("keras@3.14:torch", "fallback", "CDN402"), Told("keras@3.15:torch", "cudnn"))


def test_on_jax_no_gru_and_a_flipped_backward_sequence(tmp_path: Path, run: Command) -> None:
    backward = "keras.layers.LSTM(2, go_backwards=True, return_sequences=True)"
    write(tmp_path, "jaxy.py", f"import keras\na = keras.layers.GRU(2)\nb = {backward}\n")
    flip = "reverses such a sequence once too often"
    told(
        run,
        "jaxy.py",
        Told("keras@3.13:jax", "fallback fallback", "CDN402"),
        Told("keras@3.14:jax", "fallback cudnn", "CDN402 CDN603", flip),
        Told("keras@3.15:jax", "fallback cudnn", "CDN402 CDN603", flip),
    )
    keras_file(tmp_path / "m.keras", {"go_backwards": True}, version="3.15.1")
    told(run, "m.keras", Told("keras@3.14:jax", "cudnn", "CDN603", flip), Told("keras@3.14:tensorflow", "cudnn"))


def test_tensorflow_2_1_compares_the_name_of_an_activation(tmp_path: Path, run: Command) -> None:
    layers = "a = tf.keras.layers.LSTM(2, activation=tf.nn.tanh)\nb = tf.keras.layers.LSTM(2, activation='tanh')\n"
    write(tmp_path, "callable.py", "import tensorflow as tf\n" + layers)
    told(
        run,
        "callable.py",
        Told("tensorflow@2.1", "fallback cudnn", "CDN101", "activation is tensorflow.nn.tanh"),
        Told("tensorflow@2.2", "cudnn cudnn"),
        Told("tensorflow@2.12", "cudnn cudnn"),
    )


def test_tensorflow_2_0_loads_the_layers_of_tensorflow_1(tmp_path: Path, run: Command) -> None:
    """Asked of TensorFlow 2.0.4 and 2.1.4: the same file loaded in both."""
    layers = [
        {"class_name": "LSTM", "config": {"units": 2, "return_sequences": True}},
        {"class_name": "GRU", "config": {"units": 2, "reset_after": True}},
    ]
    model = {"class_name": "Sequential", "config": {"layers": layers}, "keras_version": "2.2.4-tf"}
    write(tmp_path, "old.json", json.dumps(model))
    says = "the class that TensorFlow 2.0 uses for a saved LSTM"
    old, new = Told("tensorflow@2.0", "fallback fallback", "CDN112", says), Told("tensorflow@2.1", "cudnn cudnn")
    told(run, "old.json", old, new)
    write(tmp_path, "new.py", "import tensorflow as tf\nlayer = tf.keras.layers.LSTM(2)\n")
    told(run, "new.py", Told("tensorflow@2.0", "cudnn"))


def test_a_list_of_dropout_masks_stops_training_from_keras_3_8_on(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "one.py", "import keras\nlayer = keras.layers.LSTM(2, implementation=1, dropout=0.2)\n")
    told(
        run,
        "one.py",
        Told("keras@3.4", "cudnn", "CDN601"),
        Told("keras@3.7", "cudnn", "CDN601"),
        Told("keras@3.8", "raises", "CDN212"),
        Told("keras@3.15:jax", "raises", "CDN212", "training stops with a shape error"),
    )


def test_bfloat16_has_a_kernel_from_tensorflow_2_13_on(tmp_path: Path, run: Command) -> None:
    text = "import tensorflow as tf\nlayer = tf.keras.layers.LSTM(2, dtype='mixed_bfloat16')\n"
    write(tmp_path, "half.py", text)
    told(
        run,
        "half.py",
        Told("tensorflow@2.12", "raises", "CDN204", "which does not work with this kernel"),
        Told("tensorflow@2.13", "cudnn"),
        Told("keras@3.8:tensorflow@2.18", "cudnn"),
    )


@pytest.mark.parametrize("name", ["k2_plain.keras", "k2_plain.h5"])
def test_a_keras_2_file_does_not_load_in_keras_3(name: str, tmp_path: Path, run: Command) -> None:
    shutil.copy(SAVED / name, tmp_path / name)
    codes = "CDN206 CDN214" if name.endswith(".keras") else "CDN206"  # there Embedding has a batch_input_shape
    told(
        run,
        name,
        Told("keras@3.5", "raises raises raises", codes, "contains time_major, which only Keras 2 writes"),
        Told("keras@3.15", "raises raises raises", codes, "contains time_major, which only Keras 2 writes"),
        Told("tf_keras@2.21", "depends fallback fallback", "CDN101 CDN102 CDN103 CDN105 CDN106 CDN107 CDN201 CDN606"),
    )


def test_a_lambda_that_was_saved_as_an_activation_does_not_load(tmp_path: Path, run: Command) -> None:
    """Asked of Keras 3.15.1 and tf_keras 2.21.0, .keras and .h5: "Could not interpret", "Improper config format"."""
    keras_file(tmp_path / "m.keras", {"activation": {"value": ["4wEAAAA=", None, None]}}, version="3.15.1")
    says = "Keras cannot load lstm_0, which was given a lambda"
    told(run, "m.keras", Told("keras@3.15", "raises", "CDN214", says))
    told(run, "m.keras", Told("tf_keras@2.21", "raises", "CDN214", says))


def test_a_ragged_tensor_reaches_the_kernel_from_2_8_to_keras_3(tmp_path: Path, run: Command) -> None:
    ragged = "inputs = tf.keras.Input((None, 3), ragged=True)\nx = tf.keras.layers.LSTM(2)(inputs)\n"
    write(tmp_path, "ragged.py", "import tensorflow as tf\n" + ragged)
    told(
        run,
        "ragged.py",
        Told("tensorflow@2.7", "fallback", "CDN209", "which cannot run in cuDNN on this target"),
        Told("tensorflow@2.8", "cudnn"),
        Told("tensorflow@2.18", "raises", "CDN209"),
    )
    assert saved_ragged(tmp_path, run) == {("raises", "raises")}  # of tf_keras, which writes what these do not know
    with h5py.File(tmp_path / "ragged.h5", "r+") as file:
        file.attrs["model_config"] = file.attrs["model_config"].replace(', "optional": false', "")
    assert ("fallback", "cudnn") in saved_ragged(tmp_path, run)


def saved_ragged(folder: Path, run: Command) -> set[tuple[str, ...]]:
    """Return the pairs of verdicts on a file with a ragged input, which is made where there is none."""
    if not (folder / "ragged.h5").exists():
        shutil.copy(SAVED / "k2_ragged.h5", folder / "ragged.h5")
    report = json.loads(run("ragged.h5", "--target", "keras@2.7,keras@2.8", "--output-format", "report").out)
    return {tuple(v["verdict"] for v in layer["verdicts"]) for layer in report["files"][0]["layers"]}


def test_an_open_release_is_judged_for_the_newest_and_says_what_changes_where(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "drop.py", "import keras\nlayer = keras.layers.LSTM(2, dropout=0.2)\n")
    changes = "before Keras 3.4.0 it falls back to a loop without cuDNN"
    only = "This applies to Keras 3.4.0 to before 3.9.0 only"
    report = told(run, "drop.py", Told("keras@3", "cudnn", "CDN601", only))
    assert report["files"][0]["layers"][0]["verdicts"][0]["possible"] == ["cudnn", "fallback"]
    assert condition(report) == changes
    assert "the newest matching release" in report["files"][0]["targets"][0]["origin"]
    assert run("drop.py", "--target", "keras@3", "--strict").status == 0
    write(tmp_path, "requirements.txt", "keras>=3.3,<3.9\n")
    whole = run("drop.py")
    assert (whole.status, "error[CDN601]" in whole.out) == (1, True)  # the newest that is admitted, 3.8.0, has it
    assert whole.out.splitlines()[0].startswith("drop.py: assumed: keras@3.8.0:tensorflow")
    only = Told("keras@3.5..", "cudnn", "CDN601", "This applies to Keras 3.5 to before 3.9.0 only.")
    told(run, "drop.py", only)
    assert run("drop.py", "--target", "keras@3.5..").status == 0


def test_a_plain_lstm_under_an_open_tensorflow_is_cudnn(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "plain.py", "import tensorflow as tf\nlayer = tf.keras.layers.LSTM(2)\n")
    report = told(run, "plain.py", Told("tensorflow@2.16", "cudnn"))
    assert condition(report) == "before Keras 3.0.1 it falls back to a loop without cuDNN"
    (target,) = report["files"][0]["targets"]
    assert (target["keras"], target["tensorflow"]) == ("3.15.1", "2.16.2")
    assert condition(told(run, "plain.py", Told("tensorflow@2.17", "cudnn"))) == ""
    bare = json.loads(run("plain.py", "--output-format", "report").out)["files"][0]["layers"][0]["verdicts"][0]
    assert (bare["verdict"], bare["possible"]) == ("cudnn", ["cudnn", "fallback"])
    assert bare["condition"] == "from Keras 3.0.0 to before 3.0.1 it falls back to a loop without cuDNN"


def test_standalone_keras_has_cudnn_in_its_cudnn_layers_alone(tmp_path: Path, run: Command) -> None:
    slow = ("LSTM(2)", "GRU(2, W_regularizer='l2')", "LSTM(2, time_major=True)")
    layers = (*slow, "CuDNNLSTM(2)", "CuDNNGRU(2, return_state=True)", "CuDNNLSTM(2, dropout=0.2)")
    write(tmp_path, "old.py", "import keras\n" + "".join(f"keras.layers.{layer}\n" for layer in layers))
    loops = "fallback fallback raises"
    for release in ("keras@2.1", "keras@2.2", "keras@2.3", "keras@2.3:tensorflow@1.15"):
        says = "has no working cuDNN kernel"
        told(run, "old.py", Told(release, f"{loops} cudnn cudnn raises", "CDN208 CDN402", says))
    told(run, "old.py", Told("keras@2.3:tensorflow@2.1", f"{loops} raises raises raises", "CDN203 CDN208 CDN402"))
    write(tmp_path, "one.py", "import keras\nlayer = keras.layers.LSTM(2)\n")
    report = told(run, "one.py", Told("keras@2.4", "cudnn"))  # the tf.keras of its TensorFlow
    assert report["files"][0]["targets"][0]["tensorflow"] == "2.5.3"
    write(tmp_path, "tf1.py", "import tensorflow as tf\ntf.keras.layers.LSTM(2)\ntf.keras.layers.CuDNNGRU(2)\n")
    told(run, "tf1.py", Told("tensorflow@1.15", "fallback cudnn", "CDN402"))


@pytest.mark.parametrize(
    ("version", "more", "verdicts"),
    [("2.1.6", {}, ["fallback", "cudnn"]), ("2.2.4", {}, ["fallback", "cudnn"]), ("2.3.0-tf", {}, ["cudnn", "cudnn"]),
     ("2.3.0", {"keras_api": {}}, ["cudnn", "cudnn"])],
)  # fmt: skip
def test_a_file_of_standalone_keras_is_not_tensorflows(
    version: str, more: dict[str, Any], verdicts: list[str], tmp_path: Path, run: Command
) -> None:
    settings = {"LSTM": {"recurrent_activation": "sigmoid", "return_sequences": True}, "CuDNNLSTM": {}}
    layers = [{"class_name": name, "config": {"units": 2, "name": name, **own}} for name, own in settings.items()]
    model = {"class_name": "Sequential", "config": {"layers": layers}, "keras_version": version, **more}
    write(tmp_path, "m.json", json.dumps(model))
    (file,) = json.loads(run("m.json", "--output-format", "report").out)["files"]
    assert [layer["verdicts"][0]["verdict"] for layer in file["layers"]] == verdicts
    assert ("standalone Keras" in file["targets"][0]["origin"]) is (verdicts[0] == "fallback")


def test_an_import_of_old_keras_is_named_mended_and_no_cover_for_the_arguments(tmp_path: Path, run: Command) -> None:
    text = "from keras.layers.recurrent import LSTM\nlayer = LSTM(2, recurrent_dropout=0.2)\n"
    path = write(tmp_path, "old.py", text)
    told(run, "old.py", Told("keras@3.15", "raises", "CDN103 CDN203", "imported from keras.layers.recurrent"))
    run("old.py", "--target", "keras@3.15", "--fix")
    assert path.read_text().splitlines()[0] == "from keras.layers import LSTM"
    told(run, "old.py", Told("keras@3.15", "fallback", "CDN103"))


def test_all_targets_are_judged_in_one_run(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "drop.py", "import tensorflow as tf\nlayer = tf.keras.layers.LSTM(2, dropout=0.2)\n")
    report = json.loads(run("drop.py", "--target", "all", "--output-format", "report").out)
    (file,) = report["files"]
    verdicts = [one["verdict"] for one in file["layers"][0]["verdicts"]]
    found = dict(zip((target["text"] for target in file["targets"]), verdicts, strict=True))
    assert len(found) == ALL
    assert {name for name, verdict in found.items() if verdict not in ("cudnn", "fallback")} == set()
    assert (found["keras@3.3.3:tensorflow"], found["keras@3.4.1:tensorflow"]) == ("fallback", "cudnn")
    assert (found["keras@3.13.2:jax"], found["keras@3.14.1:jax"]) == ("fallback", "cudnn")


def test_a_release_that_no_table_knows_is_assumed(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "drop.py", "import keras\nlayer = keras.layers.LSTM(2, recurrent_dropout=0.2)\n")
    newer = f"assumed: 3.99.0 is newer than {NEWEST}, the newest tested release"
    report = told(run, "drop.py", Told("keras@3.99.0", "fallback", "CDN103", newer))
    assert newer in condition(report)
    said = " ".join(run("drop.py", "--target", "keras@3.99").out.split())
    assert f"newer than {NEWEST}, the newest known release, so its verdicts are assumed" in said
