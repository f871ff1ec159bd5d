"""Saved models of many shapes, which releases of Keras were asked to load, judged again: a file that does not load has
no layer that runs in cuDNN or in a loop, and what became of the others is what cudnnlint says.

The files and Keras's answers are in fixtures/evidence/loaded.xz; loaded_evidence.py wrote it.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.target import Target
from cudnnlint.engine import judge
from cudnnlint.frontends import saved
from cudnnlint.frontends.saved.load_faults import LATER, LOOKS
from cudnnlint.frontends.saved.missing_weights import KIND as MISSING
from cudnnlint.frontends.saved.stored_weights import KINDS as WEIGHTS
from cudnnlint.frontends.saved.taken_settings import SETTINGS
from cudnnlint.rulebook import loader

import packed
from loaded_evidence import EVIDENCE
from releases import judged
from sweep import target_of

BOOK, CODE = loader.load(), "CDN214"
#: What stops and is not said to, since no row says it: a TextVectorization that comes back with ragged sequences, and
#: a ReLU in an archive of TensorFlow 2.12, which writes archives only when it is told to.
SILENT = {
    "tensorflow@2.7.4": {"l91_text_vectorization.keras", "l91_text_vectorization.h5"},
    "tensorflow@2.12.1 archives": {"m07_shared_flatten_seq.keras"},
}
#: What is said to stop and is loaded: archives of TensorFlow 2.12 in which a wrapper, or two RNNs, share a layer.
LOADED = {"tensorflow@2.12.1 archives": {"m03_td_and_plain", "m04_td_same_layer_twice", "m32_stacked_cells_shared"}}
#: Stories of what is no fault, and of what the other test holds.
ELSEWHERE = (": unknown; Keras", "; Keras does not load the file")
STORED = packed.read(EVIDENCE)


@pytest.mark.parametrize("release", STORED)
def test_a_file_is_said_to_load_where_keras_loads_it(release: str) -> None:
    tallies = judged(STORED[release], eagerly=False)
    stories = [story for tally in tallies.values() for story in tally.stories]
    wrong = [story for story in stories if not any(words in story for words in ELSEWHERE)]
    assert {story.partition(".")[0] for story in wrong} == LOADED.get(release, set()), "\n".join(wrong)
    assert sum(tally.agree for tally in tallies.values()) > 0


@pytest.mark.parametrize("release", STORED)
def test_a_file_that_does_not_load_is_said_not_to_load(release: str) -> None:
    """It is refused, or CDN214 is told of it, or each of its layers stops anyway."""
    target, silent = target_of(STORED[release].about), {}
    for name, forms in STORED[release].programs.items():
        for form, (document, truth) in forms.items():
            if truth["error"] and document.data:
                verdicts, told = said(document.data, f"model.{form}", target)
                if not told and verdicts != {"raises"}:
                    silent[f"{name}.{form}"] = verdicts
    assert silent.keys() == SILENT.get(release, set()), silent


def said(data: bytes, name: str, target: Target) -> tuple[set[str], bool]:
    """The verdicts on the layers of a file, and whether it is said not to load; one that is refused has no layer."""
    model = _read_once(data, name)
    if model is None:
        return set(), True
    found = judge(model, (target,), BOOK)
    verdicts = {judgement.verdict.value for layer in found.layers for judgement in layer.judgements}
    return verdicts, CODE in {diagnostic.code for diagnostic in found.diagnostics}


@cache
def _read_once(data: bytes, name: str) -> Model | None:
    """The model of a file, which many releases are asked about; None for one that is refused."""
    try:
        return saved.read_bytes(name, data, BOOK.tables.names)
    except UnreadableInput:
        return None


def test_there_are_files_that_do_not_load_in_either_generation() -> None:
    failing = {
        str(answered.about["keras"])[0] + form
        for answered in STORED.values()
        for forms in answered.programs.values()
        for form, (_, truth) in forms.items()
        if truth["error"]
    }
    assert failing == {"2keras", "2h5", "3keras", "3h5"}


def test_what_is_looked_for_has_a_row_and_each_row_is_looked_for() -> None:
    kinds = LOOKS.keys() | {LATER, MISSING, *WEIGHTS} | SETTINGS.keys()
    assert {row.kind for row in BOOK.tables.names.load_faults} == kinds
