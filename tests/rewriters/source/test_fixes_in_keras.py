"""Fixes in source judged by real Keras on a CPU: the numbers stay, and the oracle says that the layer reaches cuDNN."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fixed import ALL, SAFE, fixed, request
from newest_releases import NEWEST, NEWEST_TF_KERAS

from cudnnlint import pipeline
from cudnnlint.core.edit import Applicability

ORACLE = Path(__file__).parents[2] / "oracle" / "ask.py"
TARGETS = {"keras": f"keras@{NEWEST}:tensorflow", "tf_keras": f"tf_keras@{NEWEST_TF_KERAS}"}
#: Both programs run here, but not through the same operations, so that they round otherwise, and each processor in its
#: own way: float32 rounds at 6e-8, and six steps add that up. Another function is beyond 1e-3.
CLOSE = 1e-5

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("tf_keras") is None, reason="needs tensorflow, keras and tf_keras"),
]

#: Layers whose fix is safe, by framework; `k` is Keras, `L` its layers.
SAFELY = {
    "keras": [
        "L.LSTM(4, unroll=True, dropout=0.2)",
        "L.GRU(4, unroll=True, return_sequences=True)",
        "L.LSTM(4, activation=lambda x: k.ops.tanh(x))",
        "L.LSTM(4, activation=own_tanh, recurrent_activation=own_sigmoid)",
        "L.GRU(4, activation=L.Activation('tanh'))",
        "L.GRU(4, use_cudnn=False, dropout=0.1)",
        "L.RNN(L.LSTMCell(4))",
        "L.RNN(L.GRUCell(4, name='c'), True, name='outer')",
        "L.RNN(L.LSTMCell(4, unit_forget_bias=False), return_sequences=True, go_backwards=True)",
        "L.RNN(cell=L.GRUCell(4, kernel_initializer='ones'), return_sequences=True, zero_output_for_mask=True)",
        "L.Bidirectional(L.RNN(L.LSTMCell(4), return_sequences=True))",
        "L.Bidirectional(L.LSTM(4, unroll=True))",
        "L.LSTM(**{'units': 4, 'unroll': True})",
    ],
    "tf_keras": [
        "L.LSTM(4, unroll=True)",
        "L.GRU(4, activation=lambda x: tf.tanh(x))",
        "L.LSTM(4, activation=k.backend.tanh)",
        "L.LSTM(4, activation=own_tanh, recurrent_activation=own_sigmoid)",
        "L.RNN(L.LSTMCell(4), return_sequences=True)",
        "L.RNN(L.GRUCell(4), go_backwards=True)",
        "L.RNN(L.StackedRNNCells([L.GRUCell(4)]), return_sequences=True)",
        "L.RNN([L.LSTMCell(4)])",
        "L.Bidirectional(L.RNN(L.GRUCell(4)))",
        "tf.compat.v1.keras.layers.LSTM(4, recurrent_activation='sigmoid')",
        "tf.compat.v1.keras.layers.GRU(4, recurrent_activation='sigmoid', reset_after=True)",
    ],
}
#: Layers whose fix changes training, but not inference.
AT_INFERENCE = {
    "keras": [
        "L.LSTM(4, recurrent_dropout=0.3)",
        "L.RNN([L.LSTMCell(4), L.GRUCell(5)], return_sequences=True)",
        "L.RNN(L.StackedRNNCells([L.GRUCell(3), L.LSTMCell(4), L.GRUCell(2)]))",
        "L.RNN(L.LSTMCell(4, dropout=0.2))",
    ],
    "tf_keras": [
        "L.GRU(4, recurrent_dropout=0.3, return_sequences=True)",
        "L.LSTM(4, unroll=True, dropout=0.2)",
        "L.RNN([L.LSTMCell(4), L.LSTMCell(5)])",
    ],
}
PROGRAM = {
    "keras": """import keras as k
from keras import layers as L


def own_tanh(x):
    return k.ops.tanh(x)


def own_sigmoid(x):
    return k.ops.sigmoid(x)


model = k.Sequential([k.Input((6, 3)), {layer}])
""",
    "tf_keras": """import tensorflow as tf
import tf_keras as k
from tf_keras import layers as L


def own_tanh(x):
    return tf.tanh(x)


def own_sigmoid(x):
    return tf.nn.sigmoid(x)


model = k.Sequential([k.Input((6, 3)), {layer}])
""",
}


def fixed_pairs(
    folder: Path, framework: str, layers: list[str], kinds: frozenset[Applicability]
) -> list[tuple[str, str]]:
    """The programs with these layers as they were and as they are fixed, by their paths."""
    folder.mkdir()
    (folder / "cudnnlint.toml").write_text("")
    pairs = []
    for number, layer in enumerate(layers):
        old, new = folder / f"old_{number}.py", folder / f"new_{number}.py"
        old.write_text(PROGRAM[framework].format(layer=layer))
        data, outcome = fixed(old, TARGETS[framework], kinds=kinds)
        assert outcome.count == 1 or "own_sigmoid" in layer, layer
        assert data != old.read_bytes(), layer
        assert not outcome.outcome.report.diagnostics, layer
        new.write_bytes(data)
        pairs.append((str(old), str(new)))
    return pairs


def run(script: Path, framework: str, job: object, *options: str) -> Any:
    """What a script says to a job, in a process of its own."""
    command = [sys.executable, str(script), "--framework", framework, *options]
    around = {**os.environ, "TF_USE_LEGACY_KERAS": str(int(framework == "tf_keras"))}  # tf.keras is the framework asked
    done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, check=False, env=around)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def verdicts(paths: Sequence[str], framework: str) -> list[set[str]]:
    """What real Keras would do with the layers of each program on a GPU, in a graph."""
    answers = run(ORACLE, framework, [{"script": path} for path in paths], "--brief")["answers"]
    assert [answer["error"] for answer in answers] == [None] * len(paths)
    return [{layer["graph"] for layer in answer["layers"]} for answer in answers]


@pytest.mark.parametrize("framework", TARGETS)
def test_a_fix_keeps_the_numbers_that_it_says_it_keeps_and_leads_to_cudnn(framework: str, tmp_path: Path) -> None:
    """Real Keras runs all pairs in one process, and takes every fixed layer to cuDNN and none of the others."""
    layers = [*SAFELY[framework], *AT_INFERENCE[framework]]
    pairs = fixed_pairs(tmp_path / "safe", framework, SAFELY[framework], SAFE)
    pairs += fixed_pairs(tmp_path / "at_inference", framework, AT_INFERENCE[framework], ALL)
    for layer, apart in zip(layers, run(compare(), framework, pairs), strict=True):
        assert apart["inference"] < CLOSE, layer
        assert apart["training"] < CLOSE or layer in AT_INFERENCE[framework], layer
    old, new = zip(*pairs, strict=True)
    found = verdicts([*old, *new], framework)
    assert found == [{"fallback"}] * len(old) + [{"cudnn"}] * len(new)


def compare() -> Path:
    """The script that compares two models."""
    return Path(__file__).with_name("same_numbers.py")


def test_a_fix_that_needs_new_weights_says_so(tmp_path: Path) -> None:
    (tmp_path / "cudnnlint.toml").write_text("")
    path = tmp_path / "relu.py"
    path.write_text(PROGRAM["keras"].format(layer="L.LSTM(4, activation='relu')"))
    (found,) = pipeline.check(request(path, TARGETS["keras"])).report.diagnostics
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
    assert "has to be retrained" in found.fix.message
