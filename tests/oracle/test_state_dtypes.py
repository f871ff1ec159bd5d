"""An initial state of each dtype under each policy, as Keras itself takes it (state_dtypes.py asked releases)."""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from cudnnlint.targets import environment, requested

sys.path.insert(0, str(Path(__file__).resolve().parent))

import state_dtypes
from sweep import Document, judged

ANSWERS = [
    json.loads(line)
    for line in (Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "state_dtypes.json")
    .read_text(encoding="utf-8")
    .splitlines()
]
IMPORTS = {
    "keras": "import keras",
    "tf_keras": "import tf_keras as keras",
    "tensorflow": "from tensorflow import keras",
}


def target(asked: dict[str, Any]) -> str:
    """The release that was asked, as `--target` takes it."""
    own = asked["tensorflow"] if asked["framework"] == "tensorflow" else asked["keras"]
    return f"{asked['framework']}@{own}"


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_a_state_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    """What ran is never said to stop, and what stopped never to run; TensorFlow 2.0 is left open by the tables."""
    (release,) = requested.parse([target(asked)], environment.known())
    lines = [IMPORTS[asked["framework"]], "layers = keras.layers"]
    setting = "experimental.set_policy" if asked["tensorflow"] < "2.4" else "set_global_policy"
    rows = {}
    for name in state_dtypes.POLICIES:
        lines.append(f'keras.mixed_precision.{setting}("{name}")')
        for kind in state_dtypes.CLASSES:
            for place, dtype in enumerate(state_dtypes.DTYPES):
                lines.append(state_dtypes.call(kind, dtype))
                rows[len(lines)] = (kind, name, dtype, asked["found"][kind][name][place])
    program = Document(Path("states.py"), "script", ("\n".join(lines) + "\n").encode())
    said: dict[Any, set[str]] = {}
    for layer in chain.from_iterable(judged(program, release).values()):
        said.setdefault(rows[layer.place.row], set()).update(j.verdict.value for j in layer.judgements)
    open_row = target(asked).startswith("tensorflow@2.0.")
    wrong = {
        row: verdicts
        for row, verdicts in said.items()
        if verdicts - ({"unknown"} if open_row else set()) - ({"raises"} if row[3] == "s" else {"cudnn", "fallback"})
    }
    assert set(said) == set(rows.values())
    assert wrong == {}
