"""Saved models in shapes that nobody drew for the code (saved_shapes.txt), judged for the releases that wrote them.

The files and Keras's answers are in fixtures/evidence/saved_shapes.xz; `loaded_evidence.py --shapes` wrote it. Some
are files of Keras 2 that Keras 3 was asked to load ("keras@3.15.1 from 2.3.1").
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from loaded_evidence import SHAPES
from releases import judged
from sweep import target_of
from test_loaded import said

EVERY = packed.read(SHAPES[0])
STORED = {release: found for release, found in EVERY.items() if " from " not in release}
OLDER = {release: found for release, found in EVERY.items() if " from " in release}
#: A mask that is given by name, which Keras 2 writes as a keyword.
UNKNOWN = {"a77_mask_argument_none"}
#: What stops in a Lambda: the bytecode of another Python.
SILENT = {"a49_lambda_between"}
#: Whose code makes a layer, which no file shows.
MADE_IN_CODE = "a43_custom_class_with_lstm"
#: A layer that Keras calls before it stops at the next one: no run of the model ends, and so it is said to stop, too.
CALLED_BEFORE = "a15_td_lstm_masking_outside.keras"
#: Models that stop at another layer than a recurrent one, which is not said: AlphaDropout in training and
#: SpectralNormalization in early releases, and what these save wrongly.
BELIEVED = {
    "keras@3.15.1": set(),
    "keras@3.11.3": set(),
    "keras@3.8.0": set(),
    "keras@3.4.1": {"a36_keepers_later.keras"},
    "keras@3.0.5": {
        "a04_seq_in_func_in_seq.h5", "a04_seq_in_func_in_seq.keras", "a32_concat_time_masks.h5",
        "a36_keepers_later.keras", "a69_spectral.h5", "a69_spectral.keras",
    },
    "tf_keras@2.21.0": set(),
}  # fmt: skip


@pytest.mark.parametrize("release", STORED)
def test_what_is_said_of_a_file_is_what_its_own_release_does(release: str) -> None:
    tallies = judged(STORED[release], eagerly=False)
    stories = [story for tally in tallies.values() for story in tally.stories]
    not_loaded = {story.split()[0] for story in stories if "Keras does not load the file" in story}
    wrong = [story for story in stories if "Keras does not load" not in story and ": unknown; Keras" not in story]
    wrong = [story for story in wrong if not story.startswith(f"{CALLED_BEFORE} time_distributed/lstm ")]
    assert {story.partition(".")[0] for story in wrong} == {MADE_IN_CODE}, "\n".join(wrong)
    assert not_loaded == BELIEVED[release]
    assert sum(tally.agree for tally in tallies.values()) > 150


@pytest.mark.parametrize("release", OLDER)
def test_what_is_said_of_a_file_of_keras_2_is_what_keras_3_does(release: str) -> None:
    tallies = judged(OLDER[release], eagerly=False)
    stories = [story for tally in tallies.values() for story in tally.stories]
    assert {story.partition(".")[0] for story in stories} <= UNKNOWN, "\n".join(stories)
    assert sum(tally.agree for tally in tallies.values()) >= 20
    assert sum(tally.unloadable for tally in tallies.values()) >= 20


def test_a_file_of_keras_2_that_keras_3_does_not_load_is_said_not_to_load() -> None:
    silent = set()
    for answered in OLDER.values():
        for name, forms in answered.programs.items():
            document, truth = forms["h5"]
            if truth["error"]:
                verdicts, told = said(document.data, "model.h5", target_of(answered.about))
                silent |= {name} if not told and verdicts != {"raises"} else set()
    assert silent == SILENT
