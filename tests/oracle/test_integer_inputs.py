"""Integers in layers without a kernel, as Keras itself takes them (integer_inputs.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import integer_inputs
from test_input_ranks import fits, said_of
from test_state_dtypes import target

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "integer_inputs.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


def name(asked: dict[str, Any]) -> str:
    """The release and backend that were asked, as `--target` takes them."""
    return f"{target(asked)}:{asked['backend']}" if asked["keras"].startswith("3.") else target(asked)


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_integers_stop_where_they_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    lines, letters = [], []
    for layer, answers in asked["found"].items():
        text, shape = integer_inputs.LAYERS[layer]
        for dtype, letter in zip(integer_inputs.DTYPES, answers["graph"], strict=True):
            if letter != "n":
                lines.append(f"{text}(keras.Input({shape}, dtype={dtype!r}))")
                letters.append(letter)
    said = said_of(tmp_path / "integers.py", lines, asked, name(asked))
    wrong = [lines[row] for row, letter in enumerate(letters) if not fits(said.get(row, set()), letter)]
    assert wrong == []
