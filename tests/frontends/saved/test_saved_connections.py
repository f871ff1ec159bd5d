"""Connections as the file formats write them, by hand: what reaches which layer at which call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from configurations import at, functional, layer, lstm
from packaging.version import Version

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Assumed, Known, Unknown
from cudnnlint.core.layer import Model
from cudnnlint.core.target import Point

Configured = Callable[..., Model]
X = layer("InputLayer", "x", batch_input_shape=[None, 5], dtype="int32")
EMBEDDED = at(layer("Embedding", "e", mask_zero=True), [["x", 0, 0, {}]])


def masks(model: Model, path: str, keras: str = "2.21.0") -> list[object]:
    """The masks of a layer's calls in a release; None where unknown."""
    framework = "tf_keras" if keras.startswith("2") else "keras"
    point = Point(framework, Version(keras), "tensorflow", None)
    (found,) = [one for one in model.layers if one.place.layer_path == path]  # type: ignore[union-attr]
    facts = [call.context("mask") for call in found.calls if call.holds(point)]
    return [fact.value if isinstance(fact, Known) else None for fact in facts]


def test_early_tensorflow_hides_the_mask_from_the_first_layer_of_a_nested_sequential(configured: Configured) -> None:
    """Asked of TensorFlow 2.2.3: the saved models of this shape, loaded."""
    chains = {
        "first": [lstm("first"), lstm("later")],
        "both": [layer("Bidirectional", "both", layer=lstm("inside"))],
        "after": [layer("Dropout", "d", rate=0.1), lstm("seen")],
        "shaped": [lstm("shaped", batch_input_shape=[None, 5, 3])],
    }
    nested = [at(layer("Sequential", f"s_{name}", layers=chain), [["e", 0, 0, {}]]) for name, chain in chains.items()]
    model = configured(functional([at(X), EMBEDDED, *nested], [["x", 0, 0]], [["s_after", 1, 0]]))
    hidden = ["s_first/first", "s_first/later", "s_both/both/forward_inside", "s_both/both/backward_inside"]
    for path in hidden:
        assert masks(model, path, "2.2.3") == ["none"], path
        assert masks(model, path, "2.3.4") == ["data"], path
    for path in ("s_after/seen", "s_shaped/shaped"):
        assert masks(model, path, "2.2.3") == masks(model, path, "2.3.4") == ["data"], path


def test_a_bare_list_is_a_sequential_of_old(configured: Configured) -> None:
    model = configured({"class_name": "Sequential", "config": [layer("Masking", "m"), lstm("a"), lstm("b")]})
    assert [one.name for one in model.layers] == ["a", "b"]
    assert masks(model, "a") == masks(model, "b") == ["data"]


def test_a_layer_without_a_name_is_called_by_its_class(configured: Configured) -> None:
    part = {"class_name": "LSTM", "config": {"units": 2}}
    (found,) = configured({"class_name": "Sequential", "config": [part]}).layers
    assert found.name is None
    assert found.place.layer_path == "LSTM"  # type: ignore[union-attr]


def test_a_layer_by_itself_is_called_by_nobody(configured: Configured) -> None:
    (found,) = configured(lstm()).layers
    assert found.calls == ()


def test_states_stand_beside_the_sequence_or_among_the_keywords(configured: Configured) -> None:
    s = at(layer("InputLayer", "s", dtype="float16"))
    listed = at(lstm("listed"), [["e", 0, 0, {}], ["s", 0, 0, {}], ["s", 0, 0, {}]])
    named = at(lstm("named"), [["e", 0, 0, {"initial_state": [["s", 0, 0], ["s", 0, 0]], "training": None}]])
    constant = at(lstm("constant", num_constants=1), [["e", 0, 0, {}], ["s", 0, 0, {}]])
    parts = [at(X), EMBEDDED, s, listed, named, constant]
    model = configured(functional(parts, [["x", 0, 0], ["s", 0, 0]], [["listed", 0, 0]]))
    stated = {one.name: one.calls[0].context("initial_state") for one in model.layers}
    assert isinstance(stated["listed"], Known)
    assert isinstance(stated["named"], Known)
    assert not isinstance(stated["constant"], Known)
    dtypes = {one.name: one.calls[0].context("state_dtype") for one in model.layers}
    shown = [getattr(dtypes[name], "value", None) for name in ("listed", "named", "constant")]
    assert shown == ["float16", "float16", None]
    assert masks(model, "listed") == masks(model, "named") == ["data"]


def test_a_mask_that_is_given_counts_and_none_takes_it_away(configured: Configured) -> None:
    m = at(layer("InputLayer", "m", dtype="bool"))
    z = at(layer("InputLayer", "z"))
    given = at(lstm("given"), [["z", 0, 0, {"mask": ["m", 0, 0]}]])
    none = at(lstm("none"), [["e", 0, 0, {"mask": None}]])
    constant = at(lstm("constant"), [["e", 0, 0, {"mask": ["_CONSTANT_VALUE", -1, [True]]}]])
    parts = [at(X), EMBEDDED, m, z, given, none, constant]
    model = configured(functional(parts, [["x", 0, 0], ["m", 0, 0], ["z", 0, 0]], [["given", 0, 0]]))
    assert masks(model, "given") == ["data"]
    assert masks(model, "none") == ["none"]
    assert masks(model, "constant") == [None]


@pytest.mark.parametrize(("shape", "mask"), [([None, 5], "data"), ([None, 5, 1], None)])
def test_a_mask_that_is_given_has_the_rank_that_keras_3_wrote(
    configured: Configured, shape: list[int | None], mask: str | None
) -> None:
    """Saved by keras 3.15.1, which writes the shape of each tensor; cuDNN takes masks of rank 2 alone."""

    def tensor(name: str, shape: list[int | None]) -> dict[str, Any]:
        return {"class_name": "__keras_tensor__", "config": {"shape": shape, "keras_history": [name, 0, 0]}}

    inputs = [at(layer("InputLayer", name, batch_shape=[None, 5, 4])) for name in "xm"]
    call = {"args": [tensor("x", [None, 5, 4])], "kwargs": {"mask": tensor("m", shape)}}
    model = configured(functional([*inputs, at(lstm("given"), call)], [["x", 0, 0], ["m", 0, 0]], [["given", 0, 0]]))
    assert masks(model, "given", "3.15.1") == [mask]


@pytest.mark.parametrize("start", [0, 1])
def test_calls_of_a_nested_model_count_from_one_or_from_zero(configured: Configured, start: int) -> None:
    inside = functional([at(X), EMBEDDED], [["x", 0, 0]], [["e", 0, 0]], "inside")
    plain = at(layer("InputLayer", "y", batch_input_shape=[None, 5]))
    nested = {**inside, "inbound_nodes": [[["y", 0, 0, {}]], [["y", 0, 0, {}]]]}
    both = at(lstm("both"), [["inside", start, 0, {}]], [["inside", start + 1, 0, {}]])
    model = configured(functional([plain, nested, both], [["y", 0, 0]], [["both", 0, 0], ["both", 1, 0]]))
    assert masks(model, "both") == ["data", "data"]


def test_a_nested_model_is_called_once_for_each_call_of_its_own(configured: Configured) -> None:
    a = at(layer("InputLayer", "a", batch_input_shape=[None, 5, 4]))
    inside = functional([a, at(lstm("inner"), [["a", 0, 0, {}]])], [["a", 0, 0]], [["inner", 0, 0]], "inside")
    y = at(layer("InputLayer", "y"))
    nested = {**inside, "inbound_nodes": [[["e", 0, 0, {}]], [["y", 0, 0, {}]]]}
    after = at(lstm("after"), [["inside", 1, 0, {}]], [["inside", 2, 0, {}]])
    parts = [at(X), EMBEDDED, y, nested, after]
    model = configured(functional(parts, [["x", 0, 0], ["y", 0, 0]], [["after", 0, 0]]))
    assert masks(model, "inside/inner") == ["data", "none"]
    assert masks(model, "after") == ["data", "none"]


def test_the_order_in_the_file_does_not_matter(configured: Configured) -> None:
    last = at(lstm("last"), [["first", 0, 0, {}]])
    parts = [last, at(lstm("first"), [["e", 0, 0, {}]]), EMBEDDED, at(X)]
    model = configured(functional(parts, [["x", 0, 0]], [["last", 0, 0]]))
    assert [one.name for one in model.layers] == ["last", "first"]
    assert masks(model, "last") == ["data"]


@pytest.mark.parametrize(
    ("kind", "arguments", "mask"),
    [
        ("Dropout", {}, "data"), ("Conv1D", {}, "none"), ("TFOpLambda", {"function": "math.multiply"}, "none"),
        ("TFOpLambda", {"function": "cast"}, None), ("Lambda", {}, None), ("Somebodys", {}, None),
        ("Dense", {}, "data"), ("Reshape", {}, "none"), ("GlobalAveragePooling1D", {}, "none"),
    ],
)  # fmt: skip
def test_what_a_layer_between_does_with_the_mask(
    configured: Configured, kind: str, arguments: dict[str, Any], mask: object
) -> None:
    parts = [at(X), EMBEDDED, at(layer(kind, "between", **arguments), [["e", 0, 0, {}]])]
    parts.append(at(lstm("end"), [["between", 0, 0, {}]]))
    assert masks(configured(functional(parts, [["x", 0, 0]], [["end", 0, 0]])), "end") == [mask]


@pytest.mark.parametrize(
    ("keras", "kind", "mask"),
    [
        ("2.21.0", "Add", "data"), ("3.3.3", "Add", "none"), ("3.15.1", "Add", "none"),
        ("2.21.0", "Concatenate", "data"), ("3.3.3", "Concatenate", "none"), ("3.10.0", "Concatenate", None),
        ("3.15.1", "Concatenate", "data"),
    ],
)  # fmt: skip
def test_a_merge_of_a_masked_and_an_unmasked_tensor_differs_by_release(
    configured: Configured, keras: str, kind: str, mask: object
) -> None:
    e = at(layer("Embedding", "e", mask_zero=True), [["x", 0, 0, {}]])
    x = at(layer("InputLayer", "x", dtype="int32"))  # nothing here shows which Keras wrote it
    y = at(layer("InputLayer", "y"))
    merged = at(layer(kind, "merged"), [["y", 0, 0, {}], ["e", 0, 0, {}]])
    end = at(lstm("end"), [["merged", 0, 0, {}]])
    model = configured(functional([x, y, e, merged, end], [["x", 0, 0], ["y", 0, 0]], [["end", 0, 0]]))
    assert masks(model, "end", keras) == [mask]


def test_a_state_keeps_the_mask_away_in_keras_3_alone(configured: Configured) -> None:
    x = at(layer("InputLayer", "x", dtype="int32"))
    end = at(lstm("end"), [["e", 0, 0, {"initial_state": [["s", 0, 0]]}]])
    parts = [x, at(layer("InputLayer", "s")), EMBEDDED, end]
    model = configured(functional(parts, [["x", 0, 0], ["s", 0, 0]], [["end", 0, 0]]))
    assert masks(model, "end", "2.21.0") == ["data"]
    assert masks(model, "end", "3.15.1") == ["none"]


def test_calls_that_do_not_differ_by_release_stand_once(configured: Configured) -> None:
    model = configured({"class_name": "Sequential", "config": [layer("Masking", "m"), lstm("a")]})
    (call,) = model.layers[0].calls
    assert call.when == ()


def test_a_mask_into_a_time_distributed_is_not_guessed_at(configured: Configured) -> None:
    spread = layer("TimeDistributed", "spread", layer=lstm("inner"))
    model = configured({"class_name": "Sequential", "config": [layer("Masking", "m"), spread, lstm("after")]})
    inner = model.layers[0]
    assert isinstance(inner.calls[0].context("mask"), Unknown)
    assert masks(model, "after") == ["data"]


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (functional([at(lstm("a"), [["b", 0, 0, {}]]), at(lstm("b"), [["a", 0, 0, {}]])], [], []), "circle"),
        (functional([at(lstm("a"), [["ghost", 0, 0, {}]])], [], []), "not in the model"),
        (functional([at(X), EMBEDDED, EMBEDDED, at(lstm("a"), [["a", 7, 0, {}]])], [["x", 0, 0]], []), "circle"),
        ({"class_name": "Sequential", "config": [{"config": {}}]}, "has no class name"),
        ({"class_name": "Sequential", "config": ["LSTM"]}, "has no class name"),
        ({"class_name": "Sequential", "config": [{"class_name": "LSTM", "config": 3}]}, "has no configuration"),
        ({"class_name": "Bidirectional", "config": {"name": "b"}}, "wraps no layer"),
        ({"class_name": "Bidirectional", "config": {"name": "b", "layer": 4}}, "has no class name"),
    ],
)
def test_a_configuration_that_no_keras_loads_is_broken(configured: Configured, config: Any, reason: str) -> None:
    with pytest.raises(UnreadableInput, match=reason):
        configured(config)


def test_a_functional_model_of_an_own_class_is_taken_to_follow_its_connections(configured: Configured) -> None:
    model = functional([at(X), EMBEDDED, at(lstm("a"), [["e", 0, 0, {}]])], [["x", 0, 0]], [["a", 0, 0]])
    (found,) = configured({**model, "class_name": "mine>Trainer"}).layers
    mask = found.calls[0].context("mask")
    assert isinstance(mask, Assumed)
    assert mask.value == "data"
    assert mask.because == "Trainer is assumed to call its layers as Keras does"


def test_models_that_call_one_another_without_end_are_cut_off(configured: Configured) -> None:
    inside = functional([at(X), EMBEDDED], [["x", 0, 0]], [["e", 0, 0]], "m0")
    for depth in range(1, 30):
        twice = {**inside, "inbound_nodes": [[["x", 0, 0, {}]], [["x", 0, 0, {}]]]}
        outputs = [[f"m{depth - 1}", 1, 0]]
        inside = functional([at(X), twice], [["x", 0, 0]], outputs, f"m{depth}")
    with pytest.raises(UnreadableInput, match=r"too deeply|more often"):
        configured(inside)
