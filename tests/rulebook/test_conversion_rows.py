"""conversion.toml held against what TensorFlow and Keras 3 take, and what the layers of Keras 2 write.

Asked by tests/oracle/operations.py and tests/oracle/written_arguments.py.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from cudnnlint.rulebook import loader
from cudnnlint.rulebook.conversion_table import conversion_table

TABLE = conversion_table()
FOLDER = loader.folder().parent / "fixtures" / "evidence"
EVIDENCE = json.loads((FOLDER / "operations.json").read_text(encoding="utf-8"))
WRITTEN = [json.loads(line) for line in (FOLDER / "written_arguments.json").read_text(encoding="utf-8").splitlines()]
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


#: Written only by a layer to which they were given, or by classes and releases that were not asked.
WHEN_GIVEN = {
    "adjustment", "autocast", "build_input_shape", "dynamic", "experimental_autocast", "fused", "has_input_vocabulary",
    "input_dim", "input_dtype", "input_shape", "num_constants", "renorm", "renorm_clipping", "renorm_momentum",
    "reverse_state_order", "virtual_batch_size", "weights",
}  # fmt: skip
#: The converter writes it under the name of Keras 3.
RENAMED_ARGUMENTS = {("LeakyReLU", "alpha")}


def test_what_a_layer_writes_and_keras_3_does_not_take_may_go() -> None:
    found = {(name, one) for asked in WRITTEN for name, written in asked["found"].items() for one in written}
    gone = {(name, one) for name, one in found if name in TABLE.arguments and one not in TABLE.arguments[name]}
    held = {one for name, one in gone - RENAMED_ARGUMENTS if one != "activity_regularizer"}
    assert held | WHEN_GIVEN == TABLE.idle | TABLE.idle_at.keys() | TABLE.unused
    assert all(name.startswith(TABLE.unused_by) for name, one in gone if one in TABLE.unused)
    unused = {name for name, one in gone if one in TABLE.unused}
    assert all(any(name.startswith(start) for name in unused) for start in TABLE.unused_by)


@pytest.mark.parametrize("argument", sorted(TABLE.idle_at))
def test_an_argument_may_go_where_it_is_off(argument: str) -> None:
    """None says nothing in any of them; a truth value is off, there is one group, and there are no constants."""
    off = {"groups": 1, "num_constants": 0}.get(argument, False)
    lists = argument in ("adjustment", "noise_shape", "virtual_batch_size", "weights")
    assert TABLE.may_go("LSTM", argument, None)
    assert TABLE.may_go("LSTM", argument, off) is not lists
    assert not TABLE.may_go("LSTM", argument, [2] if lists else True if off is False else 2)


def test_what_one_hot_takes_where_it_is_given_nothing_is_left_out() -> None:
    """Source: tf.one_hot, "on_value defaults to 1, off_value to 0, dtype to float32"; its parameters are None."""
    (told,) = (row.plain for row in TABLE.raw_operations.values() if row.plain)
    assert told == {"on_value": 1.0, "off_value": 0.0, "dtype": "float32"}
    assert {one[0] for one in FUNCTIONS["one_hot"] if one[1:] == [None]} >= told.keys()
