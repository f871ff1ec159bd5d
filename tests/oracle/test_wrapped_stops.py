"""What stops a program before its recurrent layer: nothing is believed to run where Keras stopped, or to stop there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from line_verdicts import every_line, verdicts_by_line
from test_integer_inputs import name
from test_stops import point, standalone
from wrapped_stops import packed, unpacked

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "wrapped_stops.json"
ANSWERS = unpacked(EVIDENCE.read_text(encoding="utf-8"))
RUNS, STOPS = {"cudnn", "depends", "fallback"}, {"raises"}
#: What is known to stop, or to do so at the masks of some data.
LEAST_SURE = 0.9
#: Not followed in standalone Keras, which takes no data without a graph, and casts no input to the dtype of a layer.
LEFT_OUT = ("__import__('numpy')", "dtype='double'", "dtype='half'")


def told(asked: dict[str, Any]) -> dict[str, tuple[str, set[str]]]:
    """Of each line what Keras did, and what is said."""
    left_out = LEFT_OUT if standalone(asked) else ()
    said = verdicts_by_line(every_line(ANSWERS, asked), asked, point(asked))
    return {
        line: (letter, said[line])
        for line, letter in asked["lines"].items()
        if letter != "n" and not any(text in line for text in left_out)
    }


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_layer_behind_one_that_stops_is_not_believed_to_run(asked: dict[str, Any]) -> None:
    found = told(asked)
    expected = {line: STOPS if letter == "s" else RUNS for line, (letter, _) in found.items()}
    unsure = {line for line, (_, said) in found.items() if "unknown" in said}
    assert {
        line: said for line, (_, said) in found.items() if not said or not said <= expected[line] | {"unknown"}
    } == {}
    unmasked = [line for line in found if "layers.Masking()(x)" not in line]
    assert len(unsure.intersection(unmasked)) <= (1 - LEAST_SURE) * len(unmasked)


def test_releases_differ() -> None:
    letters = [tuple(sorted(asked["lines"].items())) for asked in ANSWERS]
    assert {"s", "r"} <= {letter for each in letters for _, letter in each}
    assert len(set(letters)) > 2


def test_a_packed_file_gives_back_what_was_asked() -> None:
    answers = [
        {"framework": "keras", "keras": "3.0.0", "lines": {"a": "r"}},
        {"framework": "tf_keras", "keras": "2.21.0", "lines": {"a": "s", "b": "n"}},
    ]
    assert unpacked(packed(answers)) == answers
