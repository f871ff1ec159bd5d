"""Values of arguments, as Keras itself takes them (argument_values.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cudnnlint import check_many

sys.path.insert(0, str(Path(__file__).resolve().parent))

from argument_values import VALUES, text
from test_integer_inputs import name
from test_state_dtypes import IMPORTS

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "argument_values.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
#: What stops when it is called as a function; and what only numpy tells from a number or a truth value of Python.
CALLED = {(name, value) for name in ("activation", "recurrent_activation") for value in ("object()", "len")}
NUMPY = ("np.bool_(True)", "np.float32(0.5)")
MOST_UNKNOWN = 0.17  # of the cases of a release


def said(path: Path, made: list[str], asked: dict[str, Any]) -> list[str]:
    """The verdict on each construction, one of a file."""
    start = [IMPORTS[asked["framework"]], "layers = keras.layers", "import numpy as np"]
    calls = (f"{one}(keras.layers.Input(batch_shape=(2, 3, 4)))" for one in made)
    path.write_text("\n".join([*start, *calls]), encoding="utf-8")
    (report,) = check_many([path], target=name(asked))
    found: dict[int, set[str]] = {}
    for layer in report.files[0].layers:
        found.setdefault(layer.place.row - 4, set()).update(one.verdict.value for one in layer.judgements)
    return ["/".join(sorted(found.get(row, ()))) for row in range(len(made))]


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_value_stops_where_it_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    cases = [
        (text(layer, argument, value), letter)
        for layer, arguments in asked["found"].items()
        for argument, letters in arguments.items()
        for value, letter in zip(VALUES, letters, strict=True)
        if letter != "n" and (argument, value) not in CALLED and value not in NUMPY
    ]
    verdicts = said(tmp_path / "values.py", [made for made, _ in cases], asked)
    wrong = [
        (made, letter, verdict)
        for (made, letter), verdict in zip(cases, verdicts, strict=True)
        if verdict != "unknown" and (verdict == "raises") != (letter == "s")
    ]
    assert wrong == []
    assert verdicts.count("unknown") <= MOST_UNKNOWN * len(cases)
