"""Models wider than what is modelled, of four releases, judged again: nothing disagrees with what Keras showed.

The sample is in fixtures/evidence/wide.xz, the numbers of all that was asked in wide.json; wide_evidence.py wrote both.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from releases import judged
from wide_evidence import NUMBERS, SAMPLE

STORED = packed.read(SAMPLE)
UNKNOWN = 0.03  # of the layers of a release


@pytest.mark.parametrize("release", STORED)
def test_what_keras_showed_of_a_wide_model_is_what_cudnnlint_says(release: str) -> None:
    tallies = judged(STORED[release], eagerly=False)
    wrong = [f"{part}: {story}" for part, tally in tallies.items() if tally.wrong for story in tally.stories]
    assert not wrong, "\n".join(wrong)
    assert sum(tally.layers for tally in tallies.values()) > 100


def test_the_recorded_sweep_has_no_wrong_verdict() -> None:
    records = json.loads(NUMBERS.read_text(encoding="utf-8"))
    parts = [record[part] for record in records for part in ("graph", ".keras", ".h5") if part in record]
    assert {record["keras"] for record in records} == {answered.about["keras"] for answered in STORED.values()}
    assert sum(part["disagree"] + part["missing"] + part["invented"] for part in parts) == 0
    assert sum(part["unknown"] for part in parts) < UNKNOWN * sum(part["layers"] for part in parts)
