"""conversion.toml held against what TensorFlow and Keras 3 take (asked by tests/oracle/operations.py)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cudnnlint.rulebook import loader
from cudnnlint.rulebook.conversion_table import conversion_table

TABLE = conversion_table()
EVIDENCE = json.loads((loader.folder().parent / "fixtures/evidence/operations.json").read_text(encoding="utf-8"))
FUNCTIONS, RAW, KERAS = EVIDENCE["functions"], EVIDENCE["raw"], EVIDENCE["keras"]
OBJECTS = EVIDENCE["objects"]
#: The axis that TensorFlow takes where it is given None.
NO_AXIS = {
    "compat.v1.gather": 0, "gather": 0, "math.argmax": 0, "math.argmin": 0, "nn.log_softmax": -1, "nn.softmax": -1,
    "one_hot": -1,
}  # fmt: skip
BASES = {"Initializer", "Regularizer", "Constraint"}
#: What only Keras 3 calls so.
RENAMED = {"OrthogonalInitializer": "Orthogonal"}
#: Known to both generations, and not asked for what they compute.
NOT_ASKED = {"leaky_relu", "log_softmax"}


def names(parameters: list[list[Any]]) -> list[str]:
    return [one[0] for one in parameters]


@pytest.mark.parametrize("function", TABLE.operations)
def test_an_operation_takes_what_the_function_of_tensorflow_is_given(function: str) -> None:
    row, theirs = TABLE.operations[function], FUNCTIONS[function]
    kind = KERAS[f"{row.module.removeprefix('keras.src.ops.')}.{row.class_name}"]
    assert set(row.takes) <= set(names(theirs)[1:])
    needed = [one for one in kind["called"] if len(one) == 1]
    assert len(row.takes) + 1 in (len(needed), len(kind["called"])) or row.class_name == "Einsum"  # any number
    assert set(row.fixed) <= set(names(kind["made"]))
    given = {one[0]: one[1:] for one in theirs}
    made = {one[0]: one[1:] for one in kind["made"]}
    for name, (new, default) in row.sets.items():
        usual = [NO_AXIS[function]] if name == "axis" and function in NO_AXIS else given[name]
        assert new in made, name
        assert usual == [default] if default != "" else made[new] in (usual, []) or usual == [], (name, new)


@pytest.mark.parametrize("name", TABLE.raw_operations)
def test_an_operation_of_a_graph_is_a_call_of_the_function(name: str) -> None:
    row, theirs = TABLE.raw_operations[name], names(FUNCTIONS[TABLE.raw_operations[name].function])
    assert len(row.inputs) == len(RAW[name]["inputs"])
    assert set(row.inputs) - {"", "*"} <= set(theirs[1:])
    assert set(row.attributes) <= set(RAW[name]["attributes"])
    assert set(row.attributes.values()) <= set(theirs)
    assert set(row.plain) <= {*row.inputs, *row.attributes.values()}


@pytest.mark.parametrize("kind", TABLE.objects)
def test_an_object_is_made_with_what_both_generations_take(kind: str) -> None:
    new, old = OBJECTS["keras"][kind], OBJECTS["tf_keras"][kind]
    both = {name for name in new.keys() & old.keys() if name[0].isupper()} - BASES - {*RENAMED.values()}
    assert set(TABLE.objects[kind]) - RENAMED.keys() == both
    for name, arguments in TABLE.objects[kind].items():
        assert set(arguments) == set(new[name]) & set(old[RENAMED.get(name, name)])


def test_an_activation_is_known_to_both_generations() -> None:
    known = EVIDENCE["activations"]
    assert set(known["keras"]) & set(known["tf_keras"]) - NOT_ASKED == TABLE.activations
