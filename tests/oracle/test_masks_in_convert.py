"""`convert` gives a layer behind a merge the mask that Keras 2 had there, where Keras 3 has another: by the mask table.

A merge of two masks counts as another although both generations have a mask behind it: Keras 2 joins them by "and",
Keras 3 by "or". So does a Concatenate of a masked tensor with one that has no mask.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cudnnlint.core.errors import Refused
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


@pytest.mark.parametrize("axis", [1, -2])
def test_masks_one_after_another_are_those_of_both_generations(axis: int) -> None:
    assert carried(WRITTEN[f"Concatenate(axis={axis}): mm"]) == []


@pytest.mark.parametrize("axis", [0, 3])
def test_masks_that_are_joined_along_another_axis_are_not_followed(axis: int) -> None:
    with pytest.raises(Refused, match="differently"):
        carried(WRITTEN["Concatenate(axis=1): mm"].replace('"axis": 1', f'"axis": {axis}'))


def attended(kind: str, **settings: object) -> dict[str, object]:
    """What attention is called with by name: its query is a masked tensor added to another, its value masked."""
    model = json.loads(WRITTEN["Add: mn"])
    probe = next(layer for layer in model["config"]["layers"] if layer["name"] == "probe")
    probe.update(class_name=kind, config={"name": "probe", "trainable": True, "dtype": "float32", **settings})
    probe["inbound_nodes"] = [[["add", 0, 0, {}], ["masking", 0, 0, {}]]]
    if kind == "MultiHeadAttention":
        probe["inbound_nodes"] = [[["add", 0, 0, {"value": ["masking", 0, 0]}]]]
    root = grow(model)
    lift(root, "2.15.0", Summary(), loader.load().tables.names, conversion_table())
    (found,) = (part for part in root.parts if part.name == "probe")
    made = {part.name: part.class_name for part in root.parts}

    def named(value: object) -> object:
        if isinstance(value, list):
            return [named(each) for each in value]
        return made[value["config"]["keras_history"][0]] if isinstance(value, dict) else value

    return {key: named(value) for key, value in found.record["inbound_nodes"][0]["kwargs"].items()}


def test_attention_is_given_the_masks_of_its_query_and_its_value() -> None:
    for kind in ("Attention", "AdditiveAttention"):
        assert attended(kind, use_scale=False, dropout=0.0) == {"mask": ["Any", "Any"]}
    heads = attended("MultiHeadAttention", num_heads=1, key_dim=2, value_dim=2, use_bias=True, dropout=0.0)
    assert heads == {"value": "Masking", "attention_mask": "LogicalAnd"}


def decoder(kind: str, behind: str, states: int) -> list[str]:
    """What computes the mask that a recurrent layer is given which is called with states, as Keras 2 writes them."""
    model = json.loads(WRITTEN["Add: mn"])
    probe = next(layer for layer in model["config"]["layers"] if layer["name"] == "probe")
    recurrent = {"class_name": "GRUCell", "config": {"name": "cell", "units": 2}}
    inner = {"class_name": "GRU", "config": {**probe["config"], "name": "gru", "reset_after": True}}
    inner["config"].pop("unit_forget_bias")
    changed = {
        "LSTM": probe["config"],
        "GRU": {**inner["config"], "name": "probe"},
        "SimpleRNN": {"name": "probe", "units": 2, "return_sequences": True},
        "RNN": {"name": "probe", "cell": recurrent, "return_sequences": True},
        "Bidirectional": {"name": "probe", "layer": inner, "merge_mode": "concat"},
    }
    probe.update(class_name=kind, config=changed[kind])
    probe["inbound_nodes"] = [[[behind, 0, 0, {}], *([["input_2", 0, 0, {}]] * states)]]
    return carried(json.dumps(model))


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional"])
def test_a_layer_that_is_called_with_states_is_given_its_mask_which_keras_3_hides(kind: str) -> None:
    states = 2 if kind in ("LSTM", "Bidirectional") else 1
    assert decoder(kind, "masking", states) == ["NotEqual", "Any"]
    assert decoder(kind, "input_1", states) == []
    assert decoder(kind, "masking", 0) == []


@pytest.mark.parametrize("state", [[[[0.5, -1.0], [2.0, 0.0]]], [[1, 2]]])
def test_states_that_are_constants_are_refused(state: list[object]) -> None:
    text = WRITTEN["Add: mn"].replace('["add", 0, 0, {}]', f'["add", 0, 0, {{"initial_state": {json.dumps(state)}}}]')
    with pytest.raises(Refused, match="constant") as refusal:
        carried(text)
    assert refusal.value.layer_path == "probe"
