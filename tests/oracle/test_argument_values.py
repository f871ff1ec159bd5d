"""Values of arguments, as Keras itself takes them (argument_values.py asked releases)."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from argument_values import VALUES, text
from line_verdicts import verdicts_by_line
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "argument_values.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
#: What stops when it is called as a function; and what only numpy tells from a number or a truth value of Python.
CALLED = {(name, value) for name in ("activation", "recurrent_activation") for value in ("object()", "len")}
NUMPY = ("np.bool_(True)", "np.float32(0.5)")
MOST_UNKNOWN = 0.17  # of the cases of a release


def line(layer: str, argument: str, value: str) -> str:
    """A layer with one argument, called on data."""
    return f"{text(layer, argument, value)}(keras.layers.Input(batch_shape=(2, 3, 4)))"


def judged(argument: str, value: str) -> bool:
    """Whether a value of an argument can be told from others before the layer is called."""
    return (argument, value) not in CALLED and value not in NUMPY


@cache
def every_line(framework: str) -> list[str]:
    """The lines that some release of a framework was asked about."""
    alike = [asked["found"] for asked in ANSWERS if asked["framework"] == framework]
    pairs = dict.fromkeys((layer, one) for found in alike for layer, arguments in found.items() for one in arguments)
    return [line(layer, one, value) for layer, one in pairs for value in VALUES if judged(one, value)]


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_value_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    cases = {
        line(layer, argument, value): letter
        for layer, arguments in asked["found"].items()
        for argument, letters in arguments.items()
        for value, letter in zip(VALUES, letters, strict=True)
        if letter != "n" and judged(argument, value)
    }
    said = verdicts_by_line(every_line(asked["framework"]), asked, name(asked))
    unknown = [made for made in cases if said[made] == {"unknown"}]
    wrong = {made: said[made] for made in cases if (said[made] == {"raises"}) != (cases[made] == "s")}
    assert {made: verdicts for made, verdicts in wrong.items() if made not in unknown} == {}
    assert len(unknown) <= MOST_UNKNOWN * len(cases)
