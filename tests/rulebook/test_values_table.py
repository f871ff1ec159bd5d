"""values.toml held against what releases did with each value (tests/oracle/argument_values.py asked them)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from by_release import then
from packaging.version import Version

from cudnnlint.core.fact import NumpyNumber, Opaque, Ref
from cudnnlint.core.refused_values import kinds_of
from cudnnlint.core.target import Point
from cudnnlint.rulebook.milestones import MILESTONES

EVIDENCE = Path(__file__).parents[2] / "fixtures/evidence/argument_values.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
A_DICT, CALLED = Opaque("a dict", holds=True), "called as a function"
#: What was given, in the order of the evidence, as rules see it; np.float32 and np.bool_ are seen as plain ones.
GIVEN = (
    None, True, False, 0, 1, -1, 0.5, 1.0, float("nan"), NumpyNumber(2), 0.5, True, "", "x", b"x",
    Opaque("a list", holds=True), (1,), (1, 2), A_DICT, A_DICT, Opaque("an object object"), Ref("builtins.len"),
)  # fmt: skip
OF_NUMPY = (10, 11)
#: Other rules judge a function that computes an activation, and a name that Keras has not.
ACTIVATIONS = {"activation": (13, 20, 21), "recurrent_activation": (13, 20, 21)}


def where(asked: dict[str, str]) -> Point:
    """The release that was asked."""
    tensorflow = Version(asked["tensorflow"]) if asked["tensorflow"] else None
    if asked["framework"] != "tensorflow" or tensorflow is None:
        return Point(asked["framework"], Version(asked["keras"]), asked["backend"], tensorflow)
    bundled = tensorflow < MILESTONES.dates["packaged"]
    return Point("tensorflow" if bundled else "keras", tensorflow, "tensorflow", tensorflow)


def asked_of(answers: dict[str, Any]) -> Iterator[tuple[str, str, int, str]]:
    """Each layer, argument and place of a value that a release was asked, with its letter."""
    for layer, arguments in answers["found"].items():
        for argument, letters in arguments.items():
            for place, letter in enumerate(letters):
                if letter != "n" and argument != "dtype" and place not in (*OF_NUMPY, *ACTIVATIONS.get(argument, ())):
                    yield layer, argument, place, letter


@pytest.mark.parametrize("answers", ANSWERS, ids=lambda one: " ".join(map(str, (where(one).keras, one["backend"]))))
def test_a_value_is_refused_where_it_stopped(answers: dict[str, Any]) -> None:
    point, wrong = where(answers), []
    for layer, argument, place, letter in asked_of(answers):
        says = {then(argument, kind, point) for kind in kinds_of(GIVEN[place])} - {"runs"}
        if "unknown" not in says and ("raises" in says) != (letter == "s"):
            wrong.append((layer, argument, place, letter, says))
    assert wrong == []
