"""`convert` gives a layer behind a merge the mask that Keras 2 had there, where Keras 3 has another: by the mask table.

A merge of two masks counts as another although both generations have a mask behind it: Keras 2 joins them by "and",
Keras 3 by "or". So does a Concatenate of a masked tensor with one that has no mask.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cudnnlint.rewriters.saved.keras3.lift import lift
from cudnnlint.rewriters.saved.layer_tree import grow
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rulebook import loader
from cudnnlint.rulebook.conversion_table import conversion_table

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


def carried(text: str) -> list[str]:
    """The operations that compute the mask which the probe is given, from those of the inputs on; none if none is."""
    root, summary = grow(json.loads(text)), Summary()
    lift(root, RELEASES[OLD], summary, loader.load().tables.names, conversion_table())
    (probe,) = (part for part in root.parts if part.name.endswith("probe"))
    (call,) = probe.record["inbound_nodes"]
    given = call["kwargs"].get("mask")
    made = [part for part in root.parts if part.name.startswith("carried_mask")]
    assert bool(made) == bool(given) == any("probe: gets the mask" in change for change in summary.changes)
    assert given is None or given["config"]["keras_history"][0] == made[-1].name
    return [part.class_name for part in made]


@pytest.mark.parametrize("name", PLAIN)
def test_a_merge_has_the_mask_of_keras_2_where_the_generations_differ(name: str) -> None:
    layer, pattern = name.split(": ")
    masks = pattern.count("m")
    other = differs(name) or masks > 1 or (layer == "Concatenate" and masks > 0)
    expected = ["NotEqual", "Any"] * masks + ["LogicalAnd"] * (masks - 1)
    assert sorted(carried(WRITTEN[name])) == (sorted(expected) if other and layer != "Dot" else [])


def test_there_are_merges_of_every_kind() -> None:
    assert {name.split(":")[0] for name in PLAIN} == set(MERGES)
    assert {differs(name) for name in PLAIN} == {True, False}


def test_the_same_mask_twice_is_handed_on_by_both() -> None:
    text = WRITTEN["Add: mm"].replace('["masking_1", 0, 0, {}]', '["masking", 0, 0, {}]')
    assert text != WRITTEN["Add: mm"]
    assert carried(text) == []
