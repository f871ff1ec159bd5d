"""What runs other people's code with stand-ins: it sees what is constructed, and notices what is listed otherwise."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "executed"))

import executed_code as code

FILES = {
    "shop/__init__.py": "",
    "shop/build.py": """
        from keras.layers import LSTM, Bidirectional

        def build(units, rate=0.25):
            return Bidirectional(LSTM(units, recurrent_dropout=rate))
    """,
    "train.py": """
        import pandas as pd
        from keras.layers import GRU
        from shop.build import build

        first, (second, third) = pd.read_csv("sales.csv").values
        if len(first) > second:
            build(4 * 8)
        else:
            build(4 * 8, rate=0.5)
        with open("weights.bin", "rb") as file:
            GRU(len(file.read()), reset_after=False)
    """,
    "look.ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": "Units"},
                {"cell_type": "code", "source": ["%matplotlib inline\n", "from tensorflow.keras import layers"]},
                {"cell_type": "code", "source": ["\n", "layers.SimpleRNN(12, 'relu')"]},
            ]
        }
    ),
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the rows of a call are known from Python 3.11 on")
def test_what_a_repository_constructs_is_what_is_listed(repository: Path) -> None:
    numbers, shown = code.compared(repository, shown=code.KINDS)
    assert (numbers["wrong"], numbers["missing"], numbers["died"]) == (0, 0, 0)
    assert {(story.kind, story.class_name, story.call) for story in shown} == {
        ("right", "SimpleRNN", ("look.ipynb", 2, 2)),
        ("unknown", "GRU", ("train.py", 12, None)),
        ("right", "LSTM", ("shop/build.py", 5, None)),
    }
    rates = [story.made["named"]["recurrent_dropout"] for story in shown if story.class_name == "LSTM"]
    assert {"value": 0.25} in rates
    assert {"value": 0.5} in rates


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the rows of a call are known from Python 3.11 on")
def test_a_layer_that_is_listed_otherwise_or_not_at_all_is_noticed(repository: Path) -> None:
    layers, _ = code.listed(repository)
    told = code.run(repository, repository / "look.ipynb", 0)
    (made,) = told["made"]
    call = tuple(made["calls"][0])
    assert code.judged(made, False, layers[call], repository)[0] == "right"
    assert code.judged(made, False, [], repository)[0] == "missing"
    for change in ({"class": "GRU"}, {"given": [{"value": 13}]}, {"named": {"unroll": {"value": True}}}):
        assert code.judged({**made, **change}, False, layers[call], repository)[0] == "wrong", change


@pytest.mark.skipif(not code.RECORDS.exists(), reason="nothing was recorded")
def test_nothing_that_other_people_s_code_constructs_was_wrong_or_missing() -> None:
    rows = json.loads(code.RECORDS.read_text(encoding="utf-8"))
    assert sum(row["wrong"] + row["missing"] for row in rows.values()) == 0
    assert sum(row["right"] for row in rows.values()) > 250
