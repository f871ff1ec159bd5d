"""Saved models of many shapes, which releases of Keras were asked to load, judged again: a file that does not load has
no layer that runs in cuDNN or in a loop, and what became of the others is what cudnnlint says.

The files and Keras's answers are in fixtures/evidence/loaded.xz; loaded_evidence.py wrote it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cudnnlint.frontends.saved.load_faults import LOOKS
from cudnnlint.rulebook import loader

import packed
from loaded_evidence import EVIDENCE
from releases import judged

STORED = packed.read(EVIDENCE)


@pytest.mark.parametrize("release", STORED)
def test_a_file_is_said_to_load_where_keras_loads_it(release: str) -> None:
    tallies = judged(STORED[release], eagerly=False)
    wrong = [
        f"{part}: {story}"
        for part, tally in tallies.items()
        if tally.wrong or tally.believed
        for story in tally.stories
    ]
    assert not wrong, "\n".join(wrong)
    assert sum(tally.unloadable for tally in tallies.values()) > 0
    assert sum(tally.layers for tally in tallies.values()) > 0


def test_what_is_looked_for_has_a_row_and_each_row_is_looked_for() -> None:
    assert {row.kind for row in loader.load().tables.names.load_faults} == LOOKS.keys()
