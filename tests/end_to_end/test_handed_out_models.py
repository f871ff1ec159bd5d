"""A model that a function runs on one padded batch, and hands to callers, meets other data there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

HEAD = """
import numpy as np
import keras
from keras import layers

batch = np.array([[1, 2, 0], [3, 0, 0]])
"""
MODELS = {
    "Own": """
class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.words = layers.Embedding(10, 4, mask_zero=True)
        self.rnn = layers.LSTM(6)
    def call(self, x):
        return self.rnn(self.words(x))
""",
    "sequential": """
def sequential():
    return keras.Sequential([layers.Embedding(10, 4, mask_zero=True), layers.LSTM(3)])
""",
    "functional": """
def functional():
    x = keras.Input((3,))
    return keras.Model(x, layers.LSTM(4)(layers.Embedding(10, 4, mask_zero=True)(x)))
""",
}
BUILDER = """
def build():
    model = {model}()
    {run}
    return {result}
"""


def _verdicts(text: str, tmp_path: Path, run: Callable[..., Run]) -> set[str]:
    file = tmp_path / "p.py"
    file.write_text(HEAD + text)
    report = json.loads(run("check", str(file), "--target", "keras@3.15", "--output-format", "report").out)
    return {layer["verdicts"][0]["verdict"] for layer in report["files"][0]["layers"]}


@pytest.mark.parametrize("model", ["Own", "sequential", "functional"])
@pytest.mark.parametrize("run_on", ["model(batch)", "model.predict(batch)"])
@pytest.mark.parametrize("result", ["model", "(model, 3)", "{'model': [model]}"])
def test_a_model_that_is_handed_out_may_get_other_data(
    model: str, run_on: str, result: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    text = MODELS[model] + BUILDER.format(model=model, run=run_on, result=result)
    assert _verdicts(text, tmp_path, run) == {"depends"}


@pytest.mark.parametrize("model", ["Own", "sequential", "functional"])
def test_a_model_of_the_program_itself_gets_what_it_is_given(
    model: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    assert _verdicts(f"{MODELS[model]}model = {model}()\nmodel(batch)\n", tmp_path, run) == {"cudnn"}


@pytest.mark.parametrize("model", ["Own", "sequential", "functional"])
@pytest.mark.parametrize("run_on", ["model(batch)", "model.predict(batch)"])
@pytest.mark.parametrize("called", ["built = build()", "if __name__ == '__main__':\n    build().summary()"])
def test_a_builder_that_the_program_calls_itself_hands_its_model_out_all_the_same(
    model: str, run_on: str, called: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    text = MODELS[model] + BUILDER.format(model=model, run=run_on, result="model")
    assert _verdicts(f"{text}{called}\n", tmp_path, run) == {"depends"}


@pytest.mark.parametrize("model", ["Own", "sequential", "functional"])
def test_a_model_that_is_run_again_where_it_was_handed_to_gets_what_it_is_given_there(
    model: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    text = MODELS[model] + BUILDER.format(model=model, run="model(batch)", result="model")
    assert _verdicts(f"{text}build().predict(batch)\n", tmp_path, run) == {"cudnn"}
