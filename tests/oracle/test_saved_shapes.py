"""Saved models in shapes that nobody drew for the code (saved_shapes.txt), judged for the releases that wrote them.

The files and Keras's answers are in fixtures/evidence/saved_shapes.xz; `loaded_evidence.py --shapes` wrote it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from loaded_evidence import SHAPES
from releases import judged

STORED = packed.read(SHAPES[0])
#: Whose code makes a layer, which no file shows.
MADE_IN_CODE = "a43_custom_class_with_lstm"
#: Models that stop at another layer than a recurrent one, which is not said: Dropout and BatchNormalization of
#: integers, AlphaDropout in training and SpectralNormalization in early releases, and what these save wrongly.
BELIEVED = {
    "keras@3.15.1": {"a75_dense_on_int.keras"},
    "keras@3.11.3": {"a75_dense_on_int.keras"},
    "keras@3.8.0": {"a75_dense_on_int.keras"},
    "keras@3.4.1": {"a36_keepers_later.keras", "a75_dense_on_int.keras"},
    "keras@3.0.5": {
        "a04_seq_in_func_in_seq.h5", "a04_seq_in_func_in_seq.keras", "a32_concat_time_masks.h5",
        "a36_keepers_later.keras", "a69_spectral.h5", "a69_spectral.keras", "a75_dense_on_int.keras",
    },
    "tf_keras@2.21.0": set(),
}  # fmt: skip


@pytest.mark.parametrize("release", STORED)
def test_what_is_said_of_a_file_is_what_its_own_release_does(release: str) -> None:
    tallies = judged(STORED[release], eagerly=False)
    stories = [story for tally in tallies.values() for story in tally.stories]
    not_loaded = {story.split()[0] for story in stories if "Keras does not load the file" in story}
    wrong = [story for story in stories if "Keras does not load" not in story and ": unknown; Keras" not in story]
    assert {story.partition(".")[0] for story in wrong} == {MADE_IN_CODE}, "\n".join(wrong)
    assert not_loaded == BELIEVED[release]
    assert sum(tally.agree for tally in tallies.values()) > 150
