"""Positional arguments, and the outputs of recurrent layers, as Keras itself has them (constructors.py asked it)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cudnnlint.core.fact import Unknown
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook import loader

ANSWERS = json.loads(
    (Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "constructors.json").read_text(encoding="utf-8")
)
POSITIONAL = loader.load().tables.names.positional
ORDERS = [(answer["about"]["keras"], name, order) for answer in ANSWERS for name, order in answer["orders"].items()]
OUTPUTS = sorted({item for answer in ANSWERS for item in answer["outputs"].items()})
PROGRAM = """
from keras import Input, layers
x = Input((5, 3))
layers.LSTM(len({}(x)))(x)
"""


@pytest.mark.parametrize(("release", "name", "order"), [row for row in ORDERS if row[1] in POSITIONAL])
def test_a_position_means_what_it_means_in_every_release(release: str, name: str, order: list[str]) -> None:
    ours = list(POSITIONAL[name])
    assert ours == order[: len(ours)] or order == ours[: len(order)]


@pytest.mark.parametrize(("text", "count"), OUTPUTS)
def test_a_layer_gives_as_many_outputs_as_in_keras(text: str, count: int) -> None:
    model = read("program.py", PROGRAM.format(text).encode(), loader.load().tables.names)
    (last,) = [layer for layer in model.layers if layer.place.column == 1]
    units = last.variants[0].argument("units")
    open_count = isinstance(units, Unknown) and "RNN(layers." in text  # its cell, which may be any, decides
    assert open_count or units.value == count
