"""The rewrites judged by real Kerases on a CPU: tf_keras 2.21 and Keras 3.15 load the results and compute.

The truth for files of TensorFlow 1.13 and 1.15 and of Keras 2.1 to 2.3 is what these themselves computed
(NAME.npz beside each).

What one machine computes twice with the same operations is equal bit for bit. Other operations, and another processor
(where the recorded numbers come from), add up in another order and round otherwise.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy
import pytest
from saved_samples import FOLDER, NEW, OLD, convert_here, name, rewrite_here
from test_saved_fixes import EVERY

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
keras = pytest.importorskip("keras", minversion="3")
tf_keras = pytest.importorskip("tf_keras")

from legacy_carried import CARRIED, LOOKUPS, batch, words_for  # noqa: E402
from legacy_judge import apart, judge, judge_refusal  # noqa: E402
from legacy_models import RECIPES, flat  # noqa: E402
from legacy_refusals import REFUSALS  # noqa: E402

from cudnnlint.probe.verify import verify  # noqa: E402
from cudnnlint.rulebook.conversion_table import conversion_table  # noqa: E402

pytestmark = pytest.mark.slow
L = keras.layers
#: In units of the largest output, as `apart` has it. Float32 rounds at 6e-8; over all steps and layers that came to
#: 6e-7 at most where it was tried, with oneDNN and without. A weight out of place is far beyond.
ROUNDING = 1e-5


def run(model: Any, source: Path) -> list[Any]:
    """What the model computes here for the inputs beside a sample."""
    with numpy.load(FOLDER / f"{source.stem}.npz") as file:
        given = [file[key] for key in file.files if key.startswith("input")]
    return predicted(model, given, batch_size=2)


def predicted(model: Any, given: list[Any], **how: Any) -> list[Any]:
    """What the model computes, without a graph for it: to trace one takes longer than all these numbers."""
    model.run_eagerly = True
    return flat(model.predict(given if len(given) > 1 else given[0], verbose=0, **how))


def recorded(source: Path) -> list[Any]:
    """What the Keras that wrote a sample computed for these inputs, on the machine where it was written."""
    with numpy.load(FOLDER / f"{source.stem}.npz") as file:
        return [file[key] for key in file.files if key.startswith("output_0")]


def load(path: Path, source: Path) -> Any:
    """Load with the Keras that wrote `source`; Keras 3.15 itself does not compile an .h5 file whose loss is "mse"."""
    two = source.name.startswith("tf_keras")
    return (tf_keras if two else keras).models.load_model(path, compile=two or path.suffix == ".keras")


GENUINE = [*OLD, *FOLDER.glob("tensorflow-2*-operations.h5")]
#: Each is rewritten into one container: the two take turns.
TURNS = list(zip(GENUINE, cycle((".keras", ".h5")), strict=False))


@pytest.mark.parametrize(("source", "suffix"), TURNS, ids=[f"{name(one)}{suffix}" for one, suffix in TURNS])
def test_a_genuine_old_file_computes_its_old_numbers(source: Path, suffix: str, tmp_path: Path) -> None:
    result, outcome = convert_here(source, tmp_path, suffix)
    found, expected = run(keras.saving.load_model(result, compile=False), source), recorded(source)
    said = " ".join(outcome.warnings)
    if "at masked steps" in said:
        found[0], expected[0] = found[0][:, :3], expected[0][:, :3]
    if "TensorFlow 1.13 wrote" in said and "1.13" in source.name:  # row 1 is the one whose last step is masked
        found, expected = [one[:1] for one in found], [one[:1] for one in expected]
    assert apart(expected, found) < ROUNDING


@pytest.mark.parametrize("seed", range(len(RECIPES)), ids=[recipe.__name__ for recipe in RECIPES])
def test_a_generated_legacy_model_computes_what_tf_keras_does(seed: int, tmp_path: Path) -> None:
    assert judge(seed, tmp_path)["difference"] < ROUNDING


@pytest.mark.parametrize("kind", CARRIED)
def test_a_mask_and_an_operation_are_carried_with_their_numbers(kind: str, tmp_path: Path) -> None:
    tf_keras.backend.clear_session()
    tf_keras.utils.set_random_seed(3)
    model = CARRIED[kind]()
    given = batch(model)
    expected = predicted(model, given)
    old, new = ((".h5", ".keras"), (".keras", ".h5"))[list(CARRIED).index(kind) % 2]  # they take turns
    model.save(tmp_path / f"old{old}")
    result, _ = convert_here(tmp_path / f"old{old}", tmp_path, new)
    assert apart(expected, predicted(keras.saving.load_model(result, compile=False), given)) < ROUNDING


@pytest.mark.parametrize("kind", LOOKUPS)
@pytest.mark.parametrize("suffix", [".keras", ".h5"])
@pytest.mark.parametrize("old", [".keras", ".h5"])
def test_a_vocabulary_is_carried_word_by_word(kind: str, old: str, suffix: str, tmp_path: Path) -> None:
    if old == ".h5" and kind != "given":
        pytest.skip("tf_keras writes no vocabulary that was learned into an .h5 file")
    tf_keras.backend.clear_session()
    tf_keras.utils.set_random_seed(3)
    model = LOOKUPS[kind]()
    given = words_for(model)
    expected = [numpy.asarray(one) for one in flat(model(given if len(given) > 1 else given[0]))]
    model.save(tmp_path / f"old{old}")
    result, outcome = convert_here(tmp_path / f"old{old}", tmp_path, suffix)
    loaded = keras.saving.load_model(result, compile=False)
    found = [numpy.asarray(one) for one in flat(loaded(given if len(given) > 1 else given[0]))]
    assert apart(expected, found) < ROUNDING
    assert not any("vocabulary" in warning for warning in outcome.warnings)


@pytest.mark.parametrize("seed", [2 * len(RECIPES) + index for index in (4, 9, 10)] + [len(RECIPES) + 5, 8])
def test_without_its_cudnn_layers_keras_2_loads_it_on_any_machine(seed: int, tmp_path: Path) -> None:
    assert judge(seed, tmp_path, generation=2)["difference"] < ROUNDING


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_keras_3_cannot_hold_is_refused_with_the_layer(kind: str, tmp_path: Path) -> None:
    found = judge_refusal(kind, tmp_path)
    assert found["reasons"]
    assert found["right"], found


@pytest.mark.parametrize("source", NEW, ids=name)
def test_every_fix_keeps_the_numbers_at_inference(source: Path, tmp_path: Path) -> None:
    result, outcome = rewrite_here(source, tmp_path, *EVERY["cells" if "cells" in source.name else "slow"])
    before, after = (run(load(path, source), source) for path in (source, result))
    assert outcome.changes
    assert apart(before, after) < ROUNDING
    assert apart(recorded(source), after) < ROUNDING


@pytest.mark.parametrize("source", NEW, ids=name)
def test_the_other_container_computes_the_same_and_goes_on_training(source: Path, tmp_path: Path) -> None:
    generation = 2 if source.name.startswith("tf_keras") else 3
    result, _ = convert_here(source, tmp_path, {".keras": ".h5", ".h5": ".keras"}[source.suffix], generation)
    before, after = load(source, source), load(result, source)
    assert all(numpy.array_equal(a, b) for a, b in zip(before.get_weights(), after.get_weights(), strict=True))
    found = run(after, source)
    assert apart(run(before, source), found) == 0.0  # the same operations on the same machine
    assert apart(recorded(source), found) < ROUNDING
    optimizers = [getattr(model, "optimizer", None) for model in (before, after)]
    if None not in optimizers:
        old, new = (list(optimizer.variables) for optimizer in optimizers)
        assert len(old) > 10
        assert all(numpy.array_equal(a.numpy(), b.numpy()) for a, b in zip(old, new, strict=True))


def test_the_table_of_arguments_is_that_of_the_installed_keras() -> None:
    assert len(conversion_table().arguments) > 90
    for class_name, taken in conversion_table().arguments.items():
        kind = getattr(L, class_name)
        accepted: set[str] = set()
        for base in kind.__mro__:
            if "__init__" not in vars(base):
                continue
            signature = inspect.signature(base.__init__).parameters.values()
            accepted |= {parameter.name for parameter in signature}
            if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in signature):
                break
        assert taken <= accepted, class_name


WEIGHTED: dict[str, Callable[[], Any]] = {
    "dense": lambda: L.Dense(3),
    "einsum": lambda: L.EinsumDense("abc,cd->abd", output_shape=(5, 3), bias_axes="d"),
    "conv": lambda: L.Conv1D(3, 2, use_bias=False),
    "transpose": lambda: L.Conv1DTranspose(3, 2),
    "separable": lambda: L.SeparableConv1D(3, 2),
    "depthwise": lambda: L.DepthwiseConv1D(2),
    "batch": lambda: L.BatchNormalization(scale=False),
    "layer": lambda: L.LayerNormalization(center=False),
    "group": lambda: L.GroupNormalization(groups=2),
    "rms": lambda: L.RMSNormalization(),
    "prelu": lambda: L.PReLU(),
    "normal": lambda: L.Normalization(),
    "lstm": lambda: L.LSTM(3),
    "gru": lambda: L.GRU(3, use_bias=False),
    "simple": lambda: L.SimpleRNN(3),
    "cells": lambda: L.RNN([L.LSTMCell(2), L.GRUCell(3), L.LSTMCell(2)]),
    "both": lambda: L.Bidirectional(L.RNN([L.LSTMCell(2), L.SimpleRNNCell(3)])),
    "spread": lambda: L.TimeDistributed(keras.Sequential([L.Dense(3), L.BatchNormalization()])),
    "frozen": lambda: L.TimeDistributed(L.BatchNormalization(trainable=False)),
}


@pytest.mark.parametrize("kind", WEIGHTED)
def test_weights_of_every_layer_survive_the_way_there_and_back(kind: str, tmp_path: Path) -> None:
    model = keras.Sequential([L.Input((5, 4)), WEIGHTED[kind](), L.Flatten(), L.Dense(2)])
    draw = numpy.random.default_rng(0)
    model.set_weights([draw.normal(0, 1, weight.shape) for weight in model.get_weights()])
    for suffix, other in ((".keras", ".h5"), (".h5", ".keras")):
        model.save(tmp_path / f"in{suffix}")
        there, _ = convert_here(tmp_path / f"in{suffix}", tmp_path, other)
        found = keras.saving.load_model(there, compile=False).get_weights()
        assert all(numpy.array_equal(a, b) for a, b in zip(model.get_weights(), found, strict=True))


def test_verify_runs_both_files_and_tells_how_far_they_are_apart(tmp_path: Path) -> None:
    source = FOLDER / "tensorflow-1.15.5-text.h5"
    result, _ = convert_here(source, tmp_path, ".keras")
    same, other = verify(source, result), verify(source, FOLDER / "keras-3.15.1-slow.keras")
    assert same.difference is not None
    assert same.difference < ROUNDING
    assert other.difference is None
    assert "does not run here" in str(other)
    assert same.releases == (f"tf_keras {tf_keras.__version__}", f"keras {keras.__version__}")
