"""What a newer Keras 3 writes and an older one does not know: who does not build the configuration is said not to load
it. Keras's own texts (later_models.py) and answers (loaded_configs.py) are in fixtures/evidence/later_settings.xz:
{"texts": {name: text}, "answers": [answer]}, each distinct text once.
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path
from typing import Any

import pytest
from cudnnlint.targets import environment, requested

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_integer_inputs import name
from test_loaded import said

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "later_settings.xz"
HELD: dict[str, Any] = json.loads(lzma.decompress(EVIDENCE.read_bytes()))


@pytest.mark.parametrize("asked", HELD["answers"], ids=name)
def test_a_newer_configuration_is_said_to_load_where_keras_builds_it(asked: dict[str, Any]) -> None:
    (target,) = requested.parse([name(asked)], environment.known())
    wrong = []
    for config, letter in asked["found"].items():
        verdicts, told = said(HELD["texts"][config].encode(), "model.json", target)
        if told if letter == "r" else not told and verdicts != {"raises"}:
            wrong.append((config, letter, told, verdicts))
    assert wrong == []


def test_some_of_them_stop_and_every_release_was_asked_about_every_text() -> None:
    assert all(set(asked["found"]) == set(HELD["texts"]) for asked in HELD["answers"])
    assert "s" in {letter for asked in HELD["answers"] for letter in asked["found"].values()}
