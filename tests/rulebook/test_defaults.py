"""defaults.toml held against released constructors: those recorded from wheels, and those of the installed Keras."""

from __future__ import annotations

import importlib
import inspect
import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.tables import Signature
from cudnnlint.core.target import Point
from cudnnlint.rulebook.loader import load
from cudnnlint.rulebook.milestones import MILESTONES

TABLES = load().tables
EVIDENCE = json.loads((Path(__file__).parents[2] / "fixtures/evidence/signatures.json").read_text(encoding="utf-8"))
KNOWN_OF_STANDALONE = {"LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU"}


def standalone(framework: str, version: str) -> bool:
    """Is it a Keras that was no part of TensorFlow?"""
    return framework == "keras" and Version(version) < MILESTONES.dates["packaged"]


#: What a decorator of standalone Keras takes and renames to what the class refuses (asked of 2.1.6 and 2.3.1).
REFUSED_LATER = {"SimpleRNN": {"inner_activation"}}
RECORDED = [
    (release, name, EVIDENCE["signatures"][number])
    for release, classes in EVIDENCE["releases"].items()
    for name, number in classes.items()
    if name in KNOWN_OF_STANDALONE or not standalone(*release.split())
]
#: Where the classes stand that no public name leads to.
PRIVATE = {
    "CuDNNLSTM": "layers.rnn.cudnn_lstm", "CuDNNGRU": "layers.rnn.cudnn_gru",
    "v1.LSTM": "layers.rnn.lstm_v1", "v1.GRU": "layers.rnn.gru_v1",
}  # fmt: skip
INSTALLED = [(name, one.version) for name in ("keras", "tf_keras") for one in metadata.distributions(name=name)]


def signature(framework: str, version: str, name: str) -> Signature | None:
    tensorflow = None if framework == "keras" else Version(version)
    return TABLES.signature(name, Point(framework, Version(version), "tensorflow", tensorflow))


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_there_is_evidence_for_many_releases() -> None:
    assert len(EVIDENCE["releases"]) >= 60
    assert len(RECORDED) > 400


@pytest.mark.parametrize(("release", "name", "found"), RECORDED, ids=[f"{r}-{n}" for r, n, _ in RECORDED])
def test_the_table_is_what_was_released(release: str, name: str, found: dict[str, Any]) -> None:
    told = signature(*release.split(), name)
    assert told is not None
    refused = REFUSED_LATER.get(name, set()) if standalone(*release.split()) else set()
    assert set(told.defaults) | told.extra == {*found["required"], *found["defaults"], *found["extra"]} - refused
    assert dict(told.defaults) == {key: found["defaults"].get(key) for key in told.defaults}  # dtype among **kwargs


@pytest.mark.parametrize("release", sorted(EVIDENCE["releases"]))
def test_a_class_that_was_not_released_has_no_signature(release: str) -> None:
    framework, version = release.split()
    every = ("ConvLSTM1D", "ConvLSTM3D", "CuDNNLSTM", "CuDNNGRU")
    classes = {name for name in every if name not in EVIDENCE["releases"][release]}
    assert all(signature(framework, version, name) is None for name in classes)


@pytest.mark.parametrize(
    ("framework", "release", "names"),
    [("keras", "2.0.0", ("LSTM", "GRU", "SimpleRNN")), ("tensorflow", "1.4.0", ("CuDNNLSTM", "CuDNNGRU"))],
)
def test_the_first_releases_have_these_classes(framework: str, release: str, names: tuple[str, ...]) -> None:
    assert all(signature(framework, release, name) for name in names)


def constructor(framework: str, name: str) -> Any:
    """The class itself, in the installed framework."""
    keras = pytest.importorskip(framework)
    if name in PRIVATE:
        module = importlib.import_module(f"{framework}.src.{PRIVATE[name]}")
        return getattr(module, name.removeprefix("v1."))
    return getattr(keras.layers, name)


def classes_of(framework: str, version: str) -> list[str]:
    return list(EVIDENCE["releases"][f"{framework} {version}"])


NEWEST = [(framework, version, name) for framework, version in INSTALLED for name in classes_of(framework, version)]


@pytest.mark.slow
@pytest.mark.parametrize(("framework", "version", "name"), NEWEST)
def test_the_installed_constructor_has_these_defaults(framework: str, version: str, name: str) -> None:
    told = signature(framework, version, name)
    assert told is not None
    parameters = inspect.signature(constructor(framework, name).__init__).parameters
    seen = {
        key: plain(parameter.default)
        for key, parameter in parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.default is not parameter.empty
    }
    assert set(seen) <= set(told.defaults) | told.extra
    assert {key: told.defaults[key] for key in seen if key in told.defaults} == {
        key: value for key, value in seen.items() if key in told.defaults
    }


#: What is given where None would be refused for its own sake.
GIVEN = {
    "units": 4, "filters": 2, "kernel_size": 2, "input_dim": 4, "input_shape": (3, 4), "batch_input_shape": (2, 3, 4),
    "trainable": True, "dynamic": False,
}  # fmt: skip
OTHERS = {"inner_activation", "batch_shape", "no_such_argument"}


@pytest.mark.slow
@pytest.mark.parametrize(("framework", "version", "name"), NEWEST)
def test_the_installed_constructor_takes_these_and_no_others(framework: str, version: str, name: str) -> None:
    told = signature(framework, version, name)
    assert told is not None
    make = constructor(framework, name)
    required = [each for each in ("units", "filters", "kernel_size", "cell") if each in told.extra]
    every = {key for s in TABLES.signatures for key in (*s.defaults, *s.extra)} | OTHERS
    wrong = []
    for key in sorted(every - set(required)):
        given = {each: GIVEN.get(each) for each in required}
        if "cell" in given:
            given["cell"] = constructor(framework, "LSTMCell")(3)
        given[key] = GIVEN.get(key, told.defaults.get(key))
        try:
            make(**given)
        except (TypeError, ValueError):
            taken = False
        else:
            taken = True
        if taken != (key in told.defaults or key in told.extra):
            wrong.append(key)
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("means", ["tanh", "sigmoid"])
@pytest.mark.parametrize(("framework", "version"), INSTALLED)
def test_the_functions_that_pass_are_one_function_each(framework: str, version: str, means: str) -> None:
    """Every accepted name that can be imported here is a function that the layer itself takes for `means`."""
    keras = pytest.importorskip(framework)
    pytest.importorskip("tensorflow")
    point = Point(framework, Version(version), "tensorflow", None)
    rows = [i for i in TABLES.identities if i.means == means and i.scope.holds(point)]
    other = "tf_keras" if framework == "keras" else "keras"
    tried = 0
    for dotted in sorted({name for row in rows for name in row.accepts}):
        head, *rest = dotted.split(".")
        if head == other or "keras" in rest:  # tf.keras stands for one of the two, as the environment says
            continue
        function: Any = importlib.import_module(head)
        for part in rest:
            function = getattr(function, part)
        tried += 1
        assert passes(keras, framework, means, function), dotted
    assert tried >= 8
    assert not passes(keras, framework, means, lambda x: x)


def passes(keras: Any, framework: str, means: str, function: Any) -> bool:
    """Does the installed Keras take `function` to cuDNN, told that there is a GPU?"""
    argument = {"tanh": "activation", "sigmoid": "recurrent_activation"}[means]
    if framework == "tf_keras":
        return bool(keras.layers.LSTM(2, **{argument: function})._could_use_gpu_kernel)
    backend = importlib.import_module("keras.src.backend.tensorflow.rnn")
    functions = {"tanh": keras.activations.tanh, "sigmoid": keras.activations.sigmoid, means: function}
    return bool(
        backend._do_lstm_arguments_support_cudnn(
            activation=functions["tanh"], recurrent_activation=functions["sigmoid"], unroll=False, use_bias=True
        )
    )
