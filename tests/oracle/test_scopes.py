"""Names of models, wrapped layers and cells, as Keras itself takes them (scopes.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from line_verdicts import fits, verdicts_by_line
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "scopes.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
#: Source does not show that no other model holds this one, in whose scope these names would be fine.
OPEN = ("name='_model'", "name='-model'", "name='>model'")


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_name_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    said = verdicts_by_line(list(asked["found"]), asked, name(asked))
    wrong = {
        text: said[text]
        for text, letter in asked["found"].items()
        if (said[text] != {"unknown"} if any(one in text for one in OPEN) else not fits(said[text], letter))
    }
    assert not wrong
