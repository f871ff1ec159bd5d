"""States, cells and names that stop in some releases, as Keras itself takes them (stops.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cudnnlint import check_many

sys.path.insert(0, str(Path(__file__).resolve().parent))

from line_verdicts import every_line, verdicts_by_line
from stop_lines import PARTS
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "stops.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
LEAST_DECIDED = 0.8  # of the texts that a release was asked for
RAN, STOPPED = {"cudnn", "fallback"}, {"raises"}
#: Names that TensorFlow takes in the scope of a model only; what is around the layer decides.
WITHIN = ("name='_a'", "name='-a'")
#: A dtype that JAX's kernel refuses: the releases were asked on a CPU, where the layer loops.
REFUSED_BY_JAX = "dtype='mixed_float16'"



def standalone(asked: dict[str, Any]) -> bool:
    """Whether standalone Keras 2 was asked."""
    return asked["framework"] == "keras" and asked["keras"].startswith("2.")


def point(asked: dict[str, Any]) -> str:
    """The release that was asked, as a target."""
    return f"{name(asked)}:tensorflow@{asked['tensorflow']}" if standalone(asked) else name(asked)


@pytest.mark.parametrize("asked", [one for one in ANSWERS if one["lines"]], ids=name)
def test_a_line_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    left_out = ("n", *PARTS) if standalone(asked) else ("n",)
    lines = {line: letter for line, letter in asked["lines"].items() if not {line, letter} & set(left_out)}
    said = verdicts_by_line(every_line(ANSWERS, asked), asked, point(asked))
    expected = {line: STOPPED if letter == "s" else RAN for line, letter in lines.items()}
    doubts = {line for line in lines if said[line] == {"unknown"} and any(text in line for text in WITHIN)}
    right = {line for line in lines if said[line] and said[line] <= expected[line]}
    assert {line: said[line] for line in lines if line not in doubts | right} == {}


@pytest.mark.parametrize("asked", [one for one in ANSWERS if one["words"]], ids=name)
def test_a_text_is_refused_where_it_was_refused(asked: dict[str, Any]) -> None:
    """Texts that some release takes, or that every one refuses, are judged; any other may be registered somewhere."""
    taken = {
        f"layers.LSTM(4, {argument}={word!r})(keras.Input((5, 4)))": kind == "words"
        for kind in ("words", "refused")
        for argument, words in asked[kind].items()
        for word in words
    }
    said = verdicts_by_line(sorted(taken), asked, point(asked))
    decided = {line: found for line, found in said.items() if found != {"unknown"}}
    judged = {line: found for line, found in decided.items() if asked["backend"] != "jax" or REFUSED_BY_JAX not in line}
    assert {line: found for line, found in judged.items() if not found <= (RAN if taken[line] else STOPPED)} == {}
    assert len(decided) >= LEAST_DECIDED * len(taken)


REGISTERING = (
    "with keras.utils.custom_object_scope({'he': lambda shape, dtype=None: 1}):\n    {}",
    "keras.utils.get_custom_objects()['he'] = print\n{}",
)


@pytest.mark.parametrize("around", REGISTERING)
def test_a_text_that_the_program_may_register_is_not_judged(tmp_path: Path, around: str) -> None:
    made = "keras.layers.LSTM(4, kernel_initializer='he')"
    file = tmp_path / "registered.py"
    file.write_text(f"import keras\n{around.replace('{}', made)}\n", encoding="utf-8")
    (report,) = check_many([file], target="keras@3.15.1")
    assert [one.verdict.value for layer in report.files[0].layers for one in layer.judgements] == ["unknown"]
