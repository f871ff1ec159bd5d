"""A layer that insists on cuDNN stops where Keras's own loop is reached, and runs where a subclass replaces it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "oracle"), str(ROOT / "tests" / "rulebook")]

from cudnnlint.core.verdict import Verdict  # noqa: E402
from test_find import ask  # noqa: E402

from own_loops import SETTINGS  # noqa: E402

RECORDS = [
    json.loads(line) for line in (ROOT / "fixtures/evidence/own_loops.json").read_text(encoding="utf-8").splitlines()
]
#: What is overridden, as the front ends tell it.
MADE: dict[str, dict[str, Any]] = {
    "": {},
    "inner_loop": {"subclass": "Mine", "overrides": ("inner_loop",)},
    "call": {"subclass": "Mine", "overrides": ("call",)},
    "call, which calls super()": {"subclass": "Mine", "overrides": ("call",), "calls_super": ("call",)},
}


@pytest.mark.parametrize("what", MADE)
@pytest.mark.parametrize("name", ["LSTM", "GRU"])
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record['keras']} {record['backend']}")
def test_what_insists_on_cudnn_stops_where_it_stopped(record: dict[str, Any], name: str, what: str) -> None:
    where = f"keras {record['keras']} {record['backend']}"
    found = ""
    for given in SETTINGS[1:]:  # the first one stops on a CPU alone
        verdict = ask(where, class_name=name, use_cudnn=True, made=dict(MADE[what]), **given)[0]
        found += "s" if verdict is Verdict.RAISES else "r"
    assert found == record["found"][name][what][1:]
