"""Every configuration that any release of Keras was asked about, judged again: nothing disagrees, and the numbers are
those that were recorded.

The configurations and Keras's answers are in fixtures/evidence/configurations.xz, written by releases.py.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from releases import EVIDENCE, PARTS, judged, numbers_of, read

RECORDS = {record["release"]: record for record in read(EVIDENCE)}
STORED = packed.read()


@pytest.mark.parametrize("release", STORED)
def test_what_keras_decided_is_what_cudnnlint_says(release: str) -> None:
    tallies = judged(STORED[release])
    wrong = [f"{part}: {story}" for part, tally in tallies.items() if tally.wrong for story in tally.stories]
    assert not wrong, "\n".join(wrong)
    record = RECORDS[release]
    recorded = {key: record[key] for key in (*PARTS, "operations", "programs", "unfit") if key in record}
    assert numbers_of(STORED[release], tallies) == recorded


def test_every_release_that_was_asked_is_stored() -> None:
    assert list(STORED) == list(RECORDS)


def test_what_was_read_is_written_as_it_was() -> None:
    assert packed.text_of(STORED) == lzma.decompress(packed.EVIDENCE.read_bytes())
