"""Integers in layers without a kernel, as Keras itself takes them (integer_inputs.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import integer_inputs
from line_verdicts import wrong
from test_state_dtypes import target

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "integer_inputs.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


def name(asked: dict[str, Any]) -> str:
    """The release and backend that were asked, as `--target` takes them."""
    return f"{target(asked)}:{asked['backend']}" if asked["keras"].startswith("3.") else target(asked)


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_integers_stop_where_they_stopped(asked: dict[str, Any]) -> None:
    cases = []
    for layer, answers in asked["found"].items():
        text, shape = integer_inputs.LAYERS[layer]
        calls = [f"{text}(keras.Input({shape}, dtype={dtype!r}))" for dtype in integer_inputs.DTYPES]
        cases += [case for case in zip(calls, answers["graph"], strict=True) if case[1] != "n"]
    assert wrong(cases, asked, name(asked)) == []
