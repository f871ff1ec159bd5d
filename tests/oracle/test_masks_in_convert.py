"""`convert` refuses a model whose masks Keras 3 merges otherwise than Keras 2, and no other: as the mask table shows.

A merge of two masks is refused although both generations have a mask behind it: Keras 2 joins them by "and", Keras 3
by "or". So is a Concatenate of a masked tensor with one that has no mask.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.keras3.masks import compare_masks
from cudnnlint.rewriters.saved.layer_tree import grow
from cudnnlint.rulebook import loader

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mask_cases import MERGES
from mask_compare import table
from mask_evidence import read_saved

RELEASES = [release["about"]["keras"] for release in table()["releases"]]
OLD = next(at for at, keras in enumerate(RELEASES) if keras.startswith("2."))
NEW = next(at for at, keras in reversed(list(enumerate(RELEASES))) if keras.startswith("3."))
PATTERNS = ("nn", "mm", "mn", "nm", "mmm", "mnm", "nnm", "nnn")
WRITTEN = {name: text for name, text, places in read_saved() if OLD in places}
PLAIN = [f"{merge}: {pattern}" for merge in MERGES for pattern in PATTERNS if f"{merge}: {pattern}" in WRITTEN]


def differs(name: str) -> bool:
    """Does a mask reach the probe in one generation and none in the other?"""
    probe = table()["cases"][name]["seen"]["probe"]
    return {probe[OLD], probe[NEW]} == {"0", "1"}


def refused(text: str) -> bool:
    """Does the comparison stop at the probe?"""
    try:
        compare_masks(grow(json.loads(text)), RELEASES[OLD], loader.load().tables.names)
    except Refused as refusal:
        return refusal.layer_path.endswith("probe")
    return False


@pytest.mark.parametrize("name", PLAIN)
def test_a_merge_is_refused_where_the_generations_differ(name: str) -> None:
    layer, pattern = name.split(": ")
    joined = pattern.count("m") > 1 or (layer == "Concatenate" and "m" in pattern)
    assert refused(WRITTEN[name]) == (differs(name) or joined)


def test_there_are_merges_of_every_kind() -> None:
    assert {name.split(":")[0] for name in PLAIN} == set(MERGES)
    assert {differs(name) for name in PLAIN} == {True, False}


def test_the_same_mask_twice_is_not_refused() -> None:
    text = WRITTEN["Add: mm"].replace('["masking_1", 0, 0, {}]', '["masking", 0, 0, {}]')
    assert text != WRITTEN["Add: mm"]
    assert not refused(text)
