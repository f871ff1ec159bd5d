"""Both front ends against the masks that real Keras showed: every layer class, in every epoch, whatever comes in.

The table is fixtures/evidence/masks.json, asked by mask_releases.py. What a front end does not say as Keras does is in
mask_gaps.json beside it, and nothing else is; mask_compare.py writes that file anew.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from cudnnlint.rulebook import loader

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mask_cases import LEFT_OUT
from mask_compare import CASES, Gaps, gaps, known_gaps, table, with_reason
from mask_evidence import point_of

EPOCHS = loader.load().tables.names.masks.epochs
RELEASES = table()["releases"]
BY_CLASS: dict[str, list[str]] = defaultdict(list)
for name in table()["cases"]:
    BY_CLASS[CASES[name].layer].append(name)


@pytest.mark.parametrize("layer", BY_CLASS)
def test_source_tells_the_masks_that_keras_shows(layer: str) -> None:
    for name in BY_CLASS[layer]:
        assert gaps(name, forms=["source"]) == _known(name, "source", range(len(RELEASES)))


@pytest.mark.parametrize("layer", BY_CLASS)
def test_a_saved_model_tells_the_masks_that_the_newest_keras_shows(layer: str) -> None:
    newest = [RELEASES.index(max(RELEASES, key=lambda release: point_of(release["about"]).keras))]
    for name in BY_CLASS[layer]:
        assert gaps(name, newest, ["saved"]) == _known(name, "saved", newest)


def _known(name: str, form: str, places: Sequence[int]) -> Gaps:
    """The known gaps of one form of a program, in the releases at some places."""
    rows = {key: row for key, row in known_gaps().get(name, {}).items() if key.startswith(f"{form} ")}
    part = {key: "".join(one if at in places else "." for at, one in enumerate(row)) for key, row in rows.items()}
    return {key: row for key, row in part.items() if row.strip(".")}


@pytest.mark.slow
@pytest.mark.parametrize("layer", BY_CLASS)
def test_both_front_ends_tell_the_masks_that_keras_shows(layer: str) -> None:
    expected = known_gaps()
    found = {name: with_reason(name, gaps(name)) for name in BY_CLASS[layer]}
    assert found == {name: expected.get(name, {}) for name in BY_CLASS[layer]}


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release["about"]["keras"])
def test_every_layer_class_of_the_release_was_asked(release: dict[str, list[str]]) -> None:
    assert release["unasked"] == []
    assert not set(LEFT_OUT) & set(BY_CLASS)


def test_every_epoch_was_asked() -> None:
    points = [point_of(release["about"]) for release in RELEASES]
    unasked = [epoch.era for epoch in EPOCHS if not any(epoch.era.holds(point) for point in points)]
    assert not unasked


def test_every_gap_has_a_reason() -> None:
    assert not [name for name, row in known_gaps().items() if not row["because"]]


def test_nothing_is_known_of_programs_that_are_not_there() -> None:
    assert set(known_gaps()) <= set(table()["cases"])
