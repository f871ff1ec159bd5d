"""The tables of conversion and of machines hang together, and are refused where an entry has no proof."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from newest_releases import NEWEST
from packaging.version import Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.target import Point
from cudnnlint.rulebook import conversion_table, loader, machine_table

TABLES = loader.load().tables
CONVERSION = conversion_table.conversion_table()
NOW = Point("keras", Version(NEWEST), "tensorflow", None)
CONSTRUCTORS = json.loads(
    (loader.folder().parent / "fixtures" / "evidence" / "constructors.json").read_text(encoding="utf-8")
)
#: Arguments of both that no file has, or that the converter writes otherwise.
NOT_FILED = {"Bidirectional": {"weights"}, "InputLayer": {"batch_size", "input_tensor", "optional", "ragged"}}
RNNS = "LSTM GRU SimpleRNN ConvLSTM1D ConvLSTM2D ConvLSTM3D"
#: Arguments that one of the two constructors hands on without naming them, or takes by another name.
NEITHER_NAMES = {
    "batch_shape": "InputLayer", "data_format": "CenterCrop ZeroPadding1D", "dropout": "AdditiveAttention Attention",
    "keepdims": "GlobalAveragePooling1D", "negative_slope": "LeakyReLU", "unroll": "ConvLSTM1D ConvLSTM2D ConvLSTM3D",
    "seed": f"AdditiveAttention Attention {RNNS} LSTMCell GRUCell SimpleRNNCell SpatialDropout1D SpatialDropout2D "
            "SpatialDropout3D",
    "zero_output_for_mask": f"RNN {RNNS}",
}  # fmt: skip
UNTRAINED = {"trainable", "activity_regularizer"}  # arguments that a layer has not which trains nothing
RECURRENT = sorted(TABLES.names.recurrent & CONVERSION.arguments.keys())


@pytest.mark.parametrize("name", RECURRENT)
def test_a_converted_layer_has_no_argument_that_its_constructor_refuses(name: str) -> None:
    signature = TABLES.signature(name, NOW)
    assert signature is not None
    known = {*signature.defaults, *signature.extra, *TABLES.names.positional.get(name, ())}
    assert CONVERSION.arguments[name] <= known
    left = known - CONVERSION.arguments[name] - CONVERSION.idle
    assert left <= {"use_cudnn", "batch_size"}  # no file of Keras 2 has these


def test_a_converted_layer_takes_what_both_generations_take() -> None:
    orders = {record["about"]["framework"]: record["orders"] for record in CONSTRUCTORS}
    old, new = orders["tf_keras"], orders["keras"]
    everywhere = {"name", "dtype", "trainable", "activity_regularizer"}
    assert CONVERSION.arguments.keys() <= new.keys()
    for name, arguments in CONVERSION.arguments.items():
        both = set(new[name]) & set(old.get(name, ())) - everywhere - NOT_FILED.get(name, set())
        beside = {argument for argument, classes in NEITHER_NAMES.items() if name in classes.split()}
        assert arguments - everywhere == both | beside, name
        assert everywhere - arguments == (UNTRAINED if name.startswith("SpatialDropout") else set())


#: Names of tf_keras that no file has as a class: second names of a class, and what has no layer of its own.
SECOND_NAMES = re.compile(r"(Global)?(Max|Avg)Pool\dD|(Separable)?Convolution\dD(Transpose)?")
NO_LAYERS = {"AbstractRNNCell", "InputSpec", "Layer", "Wrapper"}
#: Layers that the converter writes as another one, or refuses for what is inside.
OTHERWISE = {"SpectralNormalization", "ThresholdedReLU"}


def test_every_layer_of_keras_2_is_converted_or_refused_by_name() -> None:
    (old,) = (set(record["orders"]) for record in CONSTRUCTORS if record["about"]["framework"] == "tf_keras")
    layers = {name for name in old if not SECOND_NAMES.fullmatch(name)} - NO_LAYERS
    assert layers - CONVERSION.arguments.keys() - CONVERSION.refused.keys() == OTHERWISE
    assert CONVERSION.refused.keys() - layers == {"ClassMethod", "InstanceMethod", "InstanceProperty"}  # of graphs
    assert not CONVERSION.refused.keys() & CONVERSION.arguments.keys()


def test_recurrent_layers_are_converted_but_those_of_cudnn_which_have_become_others() -> None:
    assert TABLES.names.recurrent - CONVERSION.arguments.keys() == {"CuDNNLSTM", "CuDNNGRU"}


def test_a_class_is_converted_or_refused_and_every_activation_is_one_of_keras() -> None:
    assert not CONVERSION.arguments.keys() & CONVERSION.refused.keys()
    assert CONVERSION.activations <= TABLES.names.activations


def test_what_keras_3_has_no_more_is_refused_but_what_is_written_otherwise() -> None:
    orders = {record["about"]["framework"]: record["orders"] for record in CONSTRUCTORS}
    gone = orders["tf_keras"].keys() - orders["keras"].keys() - {"AbstractRNNCell", "ThresholdedReLU"}
    assert {name for name, why in CONVERSION.refused.items() if why == "has no counterpart in Keras 3"} == gone


@pytest.mark.parametrize(
    ("argument", "value", "may"),
    [
        ("time_major", False, True),
        ("time_major", True, False),
        ("num_constants", 0, True),
        ("num_constants", 2, False),
        ("implementation", 1, True),
        ("activity_regularizer", None, True),
        ("units", 4, False),
    ],
)
def test_an_argument_goes_only_where_it_says_nothing(argument: str, value: object, may: bool) -> None:
    assert CONVERSION.may_go("LSTM", argument, value) is may


def test_what_separable_layers_inherit_may_go_from_them_alone() -> None:
    assert CONVERSION.may_go("SeparableConv1D", "kernel_initializer", {"class_name": "Zeros"})
    assert not CONVERSION.may_go("Conv1D", "kernel_initializer", {"class_name": "Zeros"})


@pytest.mark.parametrize(
    ("version", "broken"), [("8.0.5", False), ("8.1.0", True), ("8.9.1", True), ("8.9.2", False), ("9.3.0", False)]
)
def test_the_releases_of_cudnn_that_compute_wrongly_with_masks(version: str, broken: bool) -> None:
    assert (Version(version) in machine_table.machine_table().broken_cudnn) is broken


@pytest.mark.parametrize("module", [conversion_table, machine_table], ids=["conversion", "machine"])
@pytest.mark.parametrize("key", ["checked", "source"])
def test_an_entry_without_proof_is_refused(
    module: object, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = module.__name__.rpartition(".")[2]  # type: ignore[attr-defined]
    read = getattr(module, name).__wrapped__
    shutil.copytree(loader.folder() / "tables", tmp_path / "tables")
    table = tmp_path / "tables" / f"{name.removesuffix('_table')}.toml"
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    monkeypatch.setattr(module, "folder", lambda: tmp_path)
    for number in [number for number, line in enumerate(lines) if line.startswith(f"{key} = ")]:
        table.write_text("".join(lines[:number] + lines[number + 1 :]), encoding="utf-8")
        with pytest.raises(RulebookError):
            read()
