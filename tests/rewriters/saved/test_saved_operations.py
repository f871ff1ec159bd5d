"""Functions of TensorFlow inside a model (TFOpLambda) as operations of Keras 3, without any framework.

That they compute the same is asked in test_saved_in_keras.py.
"""

from __future__ import annotations

from typing import Any

import pytest
from saved_samples import TABLES

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.keras3.lift import lift
from cudnnlint.rewriters.saved.layer_tree import LayerPart, grow
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rulebook.conversion_table import conversion_table

X = ["x", 0, 0]


def layer(class_name: str, name: str, node: Any, **config: Any) -> dict[str, Any]:
    settings = {"name": name, "trainable": True, "dtype": "float32", **config}
    return {"class_name": class_name, "config": settings, "name": name, "inbound_nodes": [node] if node else []}


def call(name: str, function: str, first: Any, **named: Any) -> dict[str, Any]:
    """A TFOpLambda that is called with a tensor, or a list of tensors and numbers."""
    if isinstance(first[0], str):
        node = [*first[:3], named]
    else:
        node = [[*(one if isinstance(one, list) else ("_CONSTANT_VALUE", -1, one)), named] for one in first]
    return layer("TFOpLambda", name, node, function=function)


def item(name: str, first: Any, spec: Any) -> dict[str, Any]:
    return layer("SlicingOpLambda", name, [*first, {"slice_spec": spec}], function="__operators__.getitem")


def lifted(*calls: dict[str, Any], steps: int | None = None) -> tuple[LayerPart, Summary]:
    """A model of these calls and its input x, for Keras 3; the last of them is its output."""
    given = layer("InputLayer", "x", None, batch_input_shape=[None, steps, 4], sparse=False, ragged=False)
    config = {"name": "m", "layers": [given, *calls], "input_layers": [["x", 0, 0]]}
    config["output_layers"] = [[calls[-1]["name"], 0, 0]]
    root, summary = grow({"class_name": "Functional", "config": config}), Summary()
    lift(root, "2.15.0", summary, TABLES.names, conversion_table())
    return root, summary


def kinds(root: LayerPart) -> list[str]:
    return [part.class_name for part in root.parts[1:]]


def shape_of_x(axis: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return call("s", "compat.v1.shape", X, out_type="int32"), item("n", ["s", 0, 0], axis)


def test_a_product_of_a_transposed_matrix_is_transposed_first() -> None:
    root, _ = lifted(call("product", "linalg.matmul", X, b=X, transpose_b=True))
    assert kinds(root) == ["Swapaxes", "Matmul"]
    assert root.parts[1].config == {"name": "product_second", "axis1": -2, "axis2": -1}
    second = root.parts[2].record["inbound_nodes"][0]["args"][1]
    assert second["config"]["keras_history"] == ["product_second", 0, 0]


def test_functions_that_keras_3_does_not_have_are_put_together() -> None:
    root, _ = lifted(call("unit", "math.l2_normalize", X, axis=-1))
    assert kinds(root) == ["Square", "Sum", "Maximum", "Rsqrt", "Multiply"]
    assert kinds(lifted(call("s", "math.squared_difference", X, y=1.0))[0]) == ["Subtract", "Square"]
    assert kinds(lifted(call("a", "math.add_n", [X, X, X]))[0]) == ["Add", "Add"]


def test_parts_of_given_sizes_are_split_where_they_end() -> None:
    root, _ = lifted(call("parts", "split", X, num_or_size_splits=[1, 2, 1], axis=-1))
    assert root.parts[1].config["indices_or_sections"] == [1, 3]


def test_one_size_that_is_computed_is_found_by_the_reshape() -> None:
    root, _ = lifted(*shape_of_x(0), call("r", "reshape", X, shape=[["n", 0, 0], 4, 3]))
    assert kinds(root) == ["Reshape"]
    assert root.parts[1].record["module"] == "keras.src.ops.numpy"
    assert root.parts[1].config["newshape"] == [-1, 4, 3]


def test_a_reshape_that_keeps_the_batch_is_a_layer() -> None:
    root, _ = lifted(*shape_of_x(0), call("r", "reshape", X, shape=[["n", 0, 0], -1, 2]))
    assert root.parts[1].record["module"] == "keras.layers"
    assert root.parts[1].config["target_shape"] == [-1, 2]


def test_a_batch_of_other_rows_is_not_taken_for_the_models_own() -> None:
    rows = call("rows", "reshape", X, shape=[-1, 4])
    with pytest.raises(Refused, match="shape of a tensor as a tensor"):
        lifted(rows, *shape_of_x(0), call("r", "reshape", ["rows", 0, 0], shape=[["n", 0, 0], -1, 2]))


def test_a_size_that_an_input_says_is_a_number() -> None:
    number = call("f", "cast", ["n", 0, 0], dtype="float32")
    root, _ = lifted(*shape_of_x(1), number, call("mean", "math.truediv", X, y=["f", 0, 0]), steps=7)
    assert kinds(root) == ["TrueDivide"]
    assert root.parts[1].record["inbound_nodes"][0]["args"][1] == 7


def test_zeros_for_each_row_are_made_of_the_rows() -> None:
    root, _ = lifted(*shape_of_x(0), call("zeros", "zeros", [["n", 0, 0], 5]))
    assert kinds(root) == ["Flatten", "GetItem", "Cast", "ZerosLike", "Tile", "Reshape"]


def test_a_layer_of_which_only_a_size_is_used_is_dropped_and_told() -> None:
    dense = layer("Dense", "dense", [*X, {}], units=2)
    shape = call("s", "compat.v1.shape", ["dense", 0, 0], out_type="int32")
    root, summary = lifted(dense, shape, item("n", ["s", 0, 0], 0), call("r", "reshape", X, shape=[["n", 0, 0], 12]))
    assert kinds(root) == ["Reshape"]
    assert summary.changes == ["dense: is dropped, as the model uses nothing of it but a size"]


@pytest.mark.parametrize(
    ("calls", "blamed", "why"),
    [
        ([*shape_of_x(0), call("t", "tile", X, multiples=[["n", 0, 0], 1, 1])], "s", "rebuild the model"),
        ([call("b", "math.bessel_i0", X)], "b", "math.bessel_i0, for which Keras 3 has no operation"),
        ([call("c", "math.cumsum", X, axis=1, reverse=True)], "c", "called with reverse"),
        ([call("p", "split", X, num_or_size_splits=[1, -1], axis=-1)], "p", "the size that is left"),
        ([call("m", "math.reduce_mean", ["i", 0, 0], axis=1)], "m", "mean of whole numbers"),
    ],
)
def test_what_keras_3_computes_otherwise_is_refused(calls: list[dict[str, Any]], blamed: str, why: str) -> None:
    if blamed == "m":
        calls = [call("i", "cast", X, dtype="int32"), *calls]
    with pytest.raises(Refused, match=why) as refusal:
        lifted(*calls)
    assert refusal.value.layer_path == blamed
