"""Standalone Keras 1, which projects still pin: no recurrent kernel, and keywords of its own.

The evidence was recorded in Keras 1.1.1 and 1.2.2 on TensorFlow 1.15: each class was constructed with one keyword.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.target import Release, Target
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine import judge
from cudnnlint.frontends.source import read
from cudnnlint.rulebook import loader

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "keras_1.json"
ASKED = [
    (one["keras"], name, keyword, answer == "takes")
    for one in json.loads(EVIDENCE.read_text())
    for name, answers in one["classes"].items()
    for answer in ("takes", "refuses")
    for keyword in answers[answer]
]
#: `create_input_layer` went in 1.2, and `units` is what the table calls the first argument of every release.
MILDER = {("1.2.2", "create_input_layer"), ("1.1.1", "units"), ("1.2.2", "units")}


def verdict(text: str, release: str) -> Verdict:
    book = loader.load()
    model = read("a.py", f"from keras.layers.recurrent import GRU, LSTM\n{text}\n".encode(), book.tables.names)
    target = Target("keras", Release(Version(release)), "tensorflow")
    (layer,) = judge(model, (target,), book).layers
    return layer.judgements[0].verdict


@pytest.mark.parametrize(("release", "name", "keyword", "taken"), ASKED)
def test_a_keyword_is_taken_as_keras_1_took_it(release: str, name: str, keyword: str, taken: bool) -> None:
    found = verdict(f"{name}(4, {keyword}=None)" if keyword != "units" else f"{name}(units=4)", release)
    assert found is (Verdict.FALLBACK if taken or (release, keyword) in MILDER else Verdict.RAISES)


def test_the_evidence_holds_both_answers() -> None:
    assert len(ASKED) > 150
    assert {taken for *_, taken in ASKED} == {True, False}


@pytest.mark.parametrize("release", ["1.1.1", "1.2.2"])
@pytest.mark.parametrize(
    "text", ["LSTM(4, 'glorot_uniform', 'orthogonal', 'one', 'tanh')", "GRU(4, 'uniform', 'orthogonal', 'tanh')"]
)
def test_positions_that_mean_the_initializers_of_keras_1_are_not_taken_for_later_arguments(
    text: str, release: str
) -> None:
    """There they are init, inner_init, forget_bias_init and activation, which such a release takes."""
    assert verdict(text, release) is Verdict.FALLBACK
    assert verdict(text[:-1] + ", nothing=1)", release) is Verdict.RAISES
