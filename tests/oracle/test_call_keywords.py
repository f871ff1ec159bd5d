"""Arguments that a layer is called with by keyword, as Keras itself takes them (call_keywords.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from call_keywords import text
from line_verdicts import wrong
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "call_keywords.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


def test_data_in_a_tuple_is_no_list_of_the_call() -> None:
    cases = [
        ("model = keras.Sequential([layers.LSTM(2)]); model.fit((([[1.0]], [1]) for _ in range(2)))", "r"),
        ("x = keras.Input((3, 4)); model = keras.Sequential([layers.LSTM(2)]); model([x])", "s"),
        ("x = keras.Input((3, 4)); model = keras.Sequential([layers.LSTM(2)]); model(x); model([x])", "r"),
        ("x = keras.Input((3, 4)); model = keras.Sequential([x, layers.LSTM(2)]); model([x])", "r"),
        ("x = keras.Input((3, 4)); given = {'a': x}; layers.LSTM(2)(given)", "s"),
        ("data = open('a'); layers.LSTM(2)([data])", "s"),
        ("data = open('a'); keras.Sequential([layers.LSTM(2)])([data])", "s"),
        ("data = open('a'); model = keras.Sequential([layers.LSTM(2)]); model.predict([data])", "r"),
    ]
    assert wrong(cases, ANSWERS[0], "keras@3.15.1") == []


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_call_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    cases = [
        (text(layer, keyword), letter)
        for layer, answers in asked["found"].items()
        for keyword, letter in answers.items()
        if letter != "n"
    ]
    assert wrong(cases, asked, name(asked)) == []
