"""signatures.toml held against what the wheels of the newest releases were read to take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.target import Point
from cudnnlint.rulebook.loader import load

TABLES = load().tables
EVIDENCE = json.loads((Path(__file__).parents[2] / "fixtures/evidence/signatures.json").read_text(encoding="utf-8"))
NEWEST = {
    framework: max(Version(name.split()[1]) for name in EVIDENCE["releases"] if name.split()[0] == framework)
    for framework in ("keras", "tf_keras")
}
RECORDED = [
    (framework, name, EVIDENCE["signatures"][number])
    for framework, version in NEWEST.items()
    for name, number in EVIDENCE["releases"][f"{framework} {version}"].items()
    if name in TABLES.names.positional
]
#: How many arguments may be passed by their place, as far as one of them matters here.
PLACES = {
    "LSTM": 17, "GRU": 16, "SimpleRNN": 20, "CuDNNLSTM": 16, "CuDNNGRU": 15, "RNN": 6, "ConvLSTM1D": 20,
    "ConvLSTM2D": 20, "ConvLSTM3D": 20, "LSTMCell": 16, "GRUCell": 15, "SimpleRNNCell": 14, "StackedRNNCells": 1,
    "Bidirectional": 4, "TimeDistributed": 1, "Wrapper": 1, "SpectralNormalization": 1, "Embedding": 4, "Masking": 1,
    "Permute": 1, "Reshape": 1, "Conv1D": 6, "SeparableConv1D": 6, "AveragePooling1D": 4, "AvgPool1D": 4,
    "MaxPool1D": 4, "MaxPooling1D": 4, "RepeatVector": 1, "Concatenate": 1, "Activation": 1, "Lambda": 4,
    "DTypePolicy": 1, "FloatDTypePolicy": 1, "Policy": 1, "Sequential": 1, "Model": 2, "Functional": 2, "Dense": 3,
    "Cropping1D": 1, "Dropout": 3, "AlphaDropout": 3, "GaussianDropout": 2, "SpatialDropout1D": 1, "GaussianNoise": 2,
}  # fmt: skip


def test_the_places_that_matter_are_told_of_each_class() -> None:
    assert {name: len(told) for name, told in TABLES.names.positional.items()} == PLACES


def test_the_recurrent_classes_of_both_are_held() -> None:
    assert len(RECORDED) >= 15


@pytest.mark.parametrize(("framework", "name", "found"), RECORDED, ids=[f"{f}-{n}" for f, n, _ in RECORDED])
def test_a_position_means_what_the_constructor_takes_there(framework: str, name: str, found: dict[str, object]) -> None:
    told = TABLES.names.positional[name]
    order = [*found["required"], *found["defaults"]]
    assert tuple(order[: len(told)]) == told


@pytest.mark.parametrize("framework", sorted(NEWEST))
@pytest.mark.parametrize("operation", ["LSTM", "GRU"])
def test_what_is_left_out_is_what_the_constructor_has_then(framework: str, operation: str) -> None:
    signature = TABLES.signature(operation, Point(framework, NEWEST[framework], "tensorflow", None))
    assert signature is not None
    told = {name: value for name, value in TABLES.left_out.items() if name in signature.defaults}
    assert told == {name: signature.defaults[name] for name in told}
    assert len(told) >= 8
