"""What single rules find, and what they say was found, where one part of a rule makes the difference."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cudnnlint import check_many
from cudnnlint.core.fact import ABSENT, Known, OneOf, Ref, Unknown
from cudnnlint.core.layer import Call, Construction, Layer, Model, Wrapper
from cudnnlint.core.place import SavedPlace

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_find import BOOK, CUDNN, EXPORT, FALLBACK, HERE, JAX, K2, K3, RAISES, TORCH, UNKNOWN, fact, judged, target

from cudnnlint.core.verdict import Verdict
from cudnnlint.engine import judge


def made(class_name: str, path: str | None = None, **arguments: Any) -> Construction:
    """A layer, cell or model that a program gives to another layer."""
    given = {name: fact(value) for name, value in arguments.items()}
    return Construction(class_name, path or f"keras.layers.{class_name}", given, place=HERE)


def told(*asked: Any, **given: Any) -> tuple[Verdict, str]:
    """The verdict on a layer, and the code and text of its first finding."""
    found = judged(*asked, **given)
    (report,) = found.layers
    first = next(iter(found.diagnostics), None)
    return report.judgements[0].verdict, f"{first.code} {first.message}" if first else ""


SAVED = {"saved": "keras 3.15.1"}
CELL = made("LSTMCell", units=2)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (made("GRU", units=2), "this is the layer GRU."),
        (made("Dense", units=2), "this is the layer Dense."),
        (made("Sequential", "keras.Sequential"), "this is the model Sequential."),
        (made("Model", "keras.models.Model"), "this is the model Model."),
        (CELL, "CDN108"),
        (made("ResidualWrapper"), "CDN108"),
        (made("PeepholeCells"), "CDN108"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.class_name,
)
def test_what_an_rnn_is_given_in_place_of_a_cell(given: Construction, found: str) -> None:
    assert found in told(K3, "RNN", made={"cells": (given,)})[1]


def test_recurrent_layers_may_be_stacked_as_cells_and_others_may_not() -> None:
    assert told(K3, "RNN", made={"cells": (made("GRU", units=2), CELL)})[0] is FALLBACK
    assert told(K3, "RNN", made={"cells": (made("Dense", units=2), CELL)})[0] is RAISES


@pytest.mark.parametrize(
    ("where", "cell", "use_cudnn", "more", "verdict"),
    [
        (K3, "LSTMCell", "auto", {}, RAISES),
        (K3, "LSTMCell", False, {}, RAISES),
        (K3, "SimpleRNNCell", "auto", {}, RAISES),
        (K3, "SimpleRNNCell", False, {}, FALLBACK),  # the loop needs no more states than a GRU has
        (K2, "SimpleRNNCell", None, {}, RAISES),
        (K3, "GRUCell", "auto", {}, CUDNN),
        (K3, "LSTMCell", "auto", SAVED, CUDNN),
    ],
)
def test_a_cell_that_takes_the_place_of_a_layers_own(
    where: str, cell: str, use_cudnn: object, more: dict[str, str], verdict: Verdict
) -> None:
    given = {} if use_cudnn is None else {"use_cudnn": use_cudnn}
    found = told(where, "GRU", around={"cell_replaced": cell}, **more, **given)
    assert found[0] is verdict
    assert (f"{cell} in place of its own cell" in found[1]) is (verdict is RAISES)


@pytest.mark.parametrize(
    ("where", "name", "around", "more", "verdict"),
    [
        (K3, "a b", {}, {}, RAISES),
        (K3, "a b", {"eager": True}, {}, CUDNN),
        (K2, "a b", {}, {}, RAISES),
        (TORCH, "a b", {}, {}, CUDNN),
        (K3, "1a", {}, {}, CUDNN),
    ],
)
def test_the_name_of_a_layer(where: str, name: str, around: Any, more: Any, verdict: Verdict) -> None:
    assert told(where, name=name, around=around, **more)[0] is verdict


@pytest.mark.parametrize(
    ("name", "eager", "more", "verdict"),
    [
        ("a b", False, {}, RAISES),
        ("a b", False, SAVED, RAISES),
        ("a b", True, SAVED, CUDNN),
        ("_a", False, {}, UNKNOWN),
        ("_a", False, SAVED, RAISES),
        ("a_", False, SAVED, CUDNN),
        ("ok", False, {}, CUDNN),
    ],
)
def test_the_name_of_the_model(name: str, eager: bool, more: Any, verdict: Verdict) -> None:
    around = {"outermost_name": name, **({"eager": True} if eager else {})}
    found = told(K3, around=around, **more)
    assert found[0] is verdict
    assert (f"{name!r} of the model is refused" in found[1]) is (verdict is RAISES)


@pytest.mark.parametrize("name", ["LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU"])
def test_a_layer_needs_units(tmp_path: Path, name: str) -> None:
    path = tmp_path / "model.py"
    path.write_text(f"import keras\nkeras.layers.{name}(return_sequences=True)\n", encoding="utf-8")
    (report,) = check_many([path], target="keras@2.3.1:tensorflow@1.15.5")
    assert [one.code for one in report.diagnostics] == ["CDN208"]
    assert "a call without units" in report.diagnostics[0].message


@pytest.mark.parametrize(
    ("steps", "cut", "verdict"),
    [
        (4, "(2, 2)", "raises"), (4, "2", "raises"), (4, "(2, 3)", "raises"), (4, "(1, 2)", "cudnn"), (4, "1", "cudnn"),
        (3, "", "cudnn"), (2, "", "raises"), (4, "(a, 2)", "cudnn"),
    ],
)  # fmt: skip
def test_a_cropping_may_leave_no_step(tmp_path: Path, steps: int, cut: str, verdict: str) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        "import keras\nfrom unread import a\n"
        f"x = keras.layers.Cropping1D({cut})(keras.Input(({steps}, 3)))\nkeras.layers.LSTM(4)(x)\n",
        encoding="utf-8",
    )
    (report,) = check_many([path], target="keras@3.15.1")
    assert [one.verdict.value for layer in report.files[0].layers for one in layer.judgements] == [verdict]


def test_the_name_of_a_cell_counts_inside_its_rnn() -> None:
    named = Construction("LSTMCell", "keras.layers.LSTMCell", {"units": fact(2), "name": fact("a b")}, place=HERE)
    assert told(K3, "RNN", made={"cells": (named,)})[0] is RAISES
    assert told(K3, "RNN", made={"cells": (CELL, named)})[0] is RAISES
    first = Construction("LSTMCell", "keras.layers.LSTMCell", {"units": fact(2), "name": fact("_a")}, place=HERE)
    assert told(K3, "RNN", made={"cells": (first,)})[0] is FALLBACK  # only the outermost scope may not begin so


def test_a_cell_of_another_dtype_in_a_saved_rnn_is_looked_at_and_a_plain_layer_has_none() -> None:
    assert told(K3, "LSTM", **SAVED)[0] is CUDNN
    assert told(K3, "RNN", made={"cells": (CELL,)}, **SAVED)[0] is FALLBACK


@pytest.mark.parametrize(
    ("overrides", "calls_super", "verdict"),
    [
        (("__call__",), ("__call__",), RAISES),  # what the call names gets through to Keras's own call
        (("__call__",), (), CUDNN),  # what the user's own __call__ does with it is not Keras's to refuse
        (("__call__", "call"), ("__call__", "call"), CUDNN),
        (("call",), ("call",), CUDNN),
        ((), (), RAISES),
    ],
)
def test_a_keyword_of_a_call_that_the_users_own_class_takes(
    overrides: tuple[str, ...], calls_super: tuple[str, ...], verdict: Verdict
) -> None:
    how = {"subclass": "Mine", "overrides": overrides, "calls_super": calls_super}
    assert told(K3, around={"call_keywords": "inputs"}, made=how)[0] is verdict


UNREAD, OTHER = Unknown("kwargs is not read"), Unknown("more is not read")
UNLIKE = "it is not known whether the layer and its cell have the same dtype"


@pytest.mark.parametrize(
    ("inner", "unlike"),
    [(UNREAD, False), (OneOf((Known(None), UNREAD)), False), (OTHER, True), (OneOf((Known("float16"), UNREAD)), True)],
)
def test_a_dtype_that_is_not_read_but_handed_on_to_the_cell_is_the_same(inner: Any, unlike: bool) -> None:
    cell = made("LSTMCell", units=2, dtype=inner)
    assert (UNLIKE in told(K2, "RNN", dtype=UNREAD, made={"cells": (cell,)})[1] + second(cell)) is unlike


def second(cell: Construction) -> str:
    """What is not clear of an RNN of this cell, whose dtype is not read."""
    found = judged(K2, "RNN", dtype=UNREAD, made={"cells": (cell,)}).diagnostics
    return " ".join(one.message for one in found if one.code == "CDN501")


@pytest.mark.parametrize(("subclass", "fixed"), [(None, True), ("Mine", False)])
def test_only_a_cell_of_keras_itself_becomes_its_layer(subclass: str | None, fixed: bool) -> None:
    cell = Construction("LSTMCell", "keras.layers.LSTMCell", {"units": fact(2)}, place=HERE, subclass=subclass)
    (one,) = judged(K3, "RNN", made={"cells": (cell,)}).diagnostics
    assert (one.fix is not None) is fixed


@pytest.mark.parametrize(
    ("dropout", "dtype", "because"),
    [(0.2, UNREAD, UNREAD.because), (OTHER, "int32", OTHER.because), (OTHER, UNREAD, UNREAD.because)],
)
def test_whether_integers_meet_a_dropout_hangs_on_what_is_not_read(dropout: Any, dtype: Any, because: str) -> None:
    verdict, text = told(TORCH, dropout=dropout, around={"input_dtype": dtype})
    assert (verdict, f"cuDNN: {because}." in text) == (UNKNOWN, True)


def perhaps(line: str) -> OneOf:
    """A meeting that may not come about."""
    return OneOf((Known(line), ABSENT))


@pytest.mark.parametrize(
    ("where", "given", "words"),
    [
        (K2, {"packages_met": "tf_keras.layers.LSTM in tensorflow.keras.Sequential"}, "tensorflow.keras is Keras 3 or"),
        (K2, {"packages_met": perhaps("tf_keras.layers.LSTM in keras.Sequential")}, "not certain that both are used"),
        (K3, {"refused_beside": "Dense(activation='Relu')"}, "the program may register what Dense(activation='Relu')"),
        (K3, {"refused_beside": perhaps("Dense(units=8.0)")}, "not certain that the layer which is refused is in the"),
    ],
)
def test_why_it_is_not_certain_that_something_beside_the_layer_stops_it(where: str, given: Any, words: str) -> None:
    verdict, text = told(where, around=given)
    assert (verdict, words in text) == (UNKNOWN, True)


@pytest.mark.parametrize(("other", "verdict"), [("keras", RAISES), ("tf_keras", CUDNN), ("tensorflow.keras", CUDNN)])
def test_a_layer_of_tf_keras_that_is_judged_for_the_package_tf_keras_is_one_of_it(other: str, verdict: Verdict) -> None:
    met = f"tensorflow.keras.layers.LSTM in {other}.Sequential"
    assert told(K2, made={"path": "tensorflow.keras.layers.LSTM"}, around={"packages_met": met})[0] is verdict


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"exported_by": EXPORT, "graph_reader": "tflite"}, True),
        ({"exported_by": EXPORT, "graph_reader": "onnx"}, False),
        ({"exported_by": EXPORT}, False),
        ({"graph_reader": "tflite"}, False),
        ({}, False),
    ],
)
def test_only_a_converter_to_tflite_that_certainly_reads_the_graph_needs_a_batch_size(given: Any, found: bool) -> None:
    codes = [one.code for one in judged(K3, around={**given, "batch": "open"}).diagnostics]
    assert ("CDN408" in codes) is found


@pytest.mark.parametrize(("mask", "found"), [("right", True), ("data", True), ("left", False), ("none", False)])
def test_padded_steps_are_told_of_where_the_mask_may_be_one_for_cudnn(mask: str, found: bool) -> None:
    codes = [one.code for one in judged(K3, return_sequences=True, around={"mask": mask}).diagnostics]
    assert ("CDN606" in codes) is found


def forward(**given: Any) -> Wrapper:
    """The Bidirectional around a forward layer."""
    return Wrapper("Bidirectional", "forward", **given)


@pytest.mark.parametrize(
    ("states", "eager", "because"),
    [(UNREAD, False, UNREAD.because), (True, True, "it is called eagerly, or may be"),
     (True, UNREAD, "it is called eagerly, or may be")],
)  # fmt: skip
def test_why_it_is_open_whether_the_states_of_both_directions_stop_it(states: Any, eager: Any, because: str) -> None:
    verdict, text = told("keras 3.1.1", return_state=states, wrapper=forward(), around={"eager": eager})
    assert (verdict, f"cuDNN: {because}." in text) == (UNKNOWN, True)


def test_a_saved_rnn_of_cells_in_another_dtype_than_their_stack_stops_on_jax_and_a_plain_layer_has_no_cells() -> None:
    cells = tuple(made("LSTMCell", units=2, dtype="mixed_float16") for _ in range(2))
    verdict, text = told(JAX, "RNN", made={"cells": cells}, **SAVED)
    assert (verdict, "cells in mixed_float16 within StackedRNNCells in float32" in text) == (RAISES, True)
    assert told(JAX, "SimpleRNN", units=2, **SAVED)[0] is FALLBACK


@pytest.mark.parametrize(
    ("backward", "verdict"),
    [("RNN", CUDNN), ("SimpleRNN", CUDNN), ("LSTM", CUDNN), ("Dense", RAISES), ("LSTMCell", RAISES)],
)
def test_a_backward_layer_has_to_be_recurrent(backward: str, verdict: Verdict) -> None:
    other = made(backward, units=4, go_backwards=True)
    assert told(K3, wrapper=forward(explicit=True, sibling=other))[0] is verdict


@pytest.mark.parametrize(("own", "other", "verdict"), [(4, 1, CUDNN), (4, 2, RAISES), (2, 4, RAISES), (4, 4, CUDNN)])
def test_outputs_of_different_sizes_are_not_added_up_but_one_number_is_added_to_all(
    own: int, other: int, verdict: Verdict
) -> None:
    backward = made("LSTM", units=other, go_backwards=True)
    given = forward(explicit=True, arguments={"merge_mode": Known("sum")}, sibling=backward)
    assert told(K3, units=own, wrapper=given)[0] is verdict


def test_a_name_that_is_certainly_refused_comes_before_one_that_perhaps_is() -> None:
    cell = made("LSTMCell", units=2, name="c d")
    assert told(K2, "RNN", name="_a", made={"cells": (CELL,)})[0] is UNKNOWN  # inside another scope it may begin so
    assert "'c d' is refused" in told(K2, "RNN", name="_a", made={"cells": (cell,)})[1]


def test_the_name_of_a_cell_that_begins_with_an_underscore_is_inside_the_scope_of_its_rnn() -> None:
    for name, verdict in (("_a", FALLBACK), ("a b", RAISES)):
        assert told(K2, "RNN", made={"cells": (made("LSTMCell", units=2, name=name),)})[0] is verdict


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"layer": Ref("keras.layers.LSTM")}, "Make a layer of the class first"),
        ({"backward_layer": Ref("keras.layers.LSTM")}, "Make a layer of the class first"),
        ({"units": 0}, "Leave the argument out"),
        ({"units": 0, "layer": Ref("keras.layers.LSTM")}, "Make a layer of the class first"),
    ],
)
def test_what_is_to_be_written_in_place_of_what_a_wrapper_refuses(given: dict[str, Any], advice: str) -> None:
    arguments = {name: Known(value) for name, value in given.items()}
    (one,) = [one for one in judged(K3, wrapper=forward(arguments=arguments)).diagnostics if one.code == "CDN242"]
    assert (one.advice or "").startswith(advice)


@pytest.mark.parametrize(
    ("where", "given", "words"),
    [
        (TORCH, {"torch_compiled": True}, "inside torch.compile,"),
        (TORCH, {"jit_compile": True}, "inside a model with jit_compile=True,"),
        (K3, {"xla": True}, "inside a function with jit_compile=True,"),
    ],
)
def test_what_compiles_the_layer_is_named(where: str, given: dict[str, Any], words: str) -> None:
    assert words in told(where, around=given)[1]


def test_a_value_that_stops_the_layer_in_one_branch_leaves_open_whether_it_falls_back() -> None:
    """Keras 3 has no dtype float99, whatever the layer would do with it."""
    for dtype, verdict in (("float32", FALLBACK), ("float99", RAISES)):
        assert told(K3, activation="relu", dtype=dtype)[0] is verdict
    either = OneOf((Known("float99"), Known("float32")))
    verdict, text = told(K3, activation="relu", dtype=either)
    assert (verdict, "dtype='float99' or 'float32'" in text + cannot_tell(dtype=either)) == (UNKNOWN, True)


def cannot_tell(**given: Any) -> str:
    """Why it is not clear what a layer with another activation does."""
    return " ".join(one.message for one in judged(K3, activation="relu", **given).diagnostics if one.code == "CDN501")


@pytest.mark.parametrize(("path", "verdict"), [("graph.pair", CUDNN), ("saved.keras", RAISES)])
def test_a_graph_shows_no_units_and_a_configuration_has_them(path: str, verdict: Verdict) -> None:
    place = SavedPlace("model", "lstm")
    layer = Layer("layer", place, (Construction("LSTM", path, place=place),), (Call(),), saved=True)
    kind = "savedmodel" if path == "graph.pair" else "keras"
    (report,) = judge(Model("model", kind, (layer,)), (target(K2),), BOOK).layers
    assert report.judgements[0].verdict is verdict


def test_the_layer_inside_a_bidirectional_has_its_scope_whatever_is_around_that(tmp_path: Path) -> None:
    """A TimeDistributed opens no scope of its own, and the Bidirectional in it does: TensorFlow refuses the name."""
    both = "keras.layers.Bidirectional(keras.layers.LSTM(4, name='a b'))"
    for layer, verdict in ((both, "raises"), (f"keras.layers.TimeDistributed({both})", "raises"),
                           ("keras.layers.TimeDistributed(keras.layers.LSTM(4, name='a b'))", "cudnn")):  # fmt: skip
        path = tmp_path / "model.py"
        path.write_text(f"import keras\nx = keras.Input((5, 6, 3))\nlayer = {layer}\n", encoding="utf-8")
        (report,) = check_many([path], target="keras@3.15.1")
        assert {one.judgements[0].verdict.value for one in report.files[0].layers} == {verdict}


@pytest.mark.parametrize(("device", "severity", "never"), [("absent", "info", True), (None, "warning", False)])
def test_a_loop_of_a_layer_that_is_made_only_where_there_is_no_gpu_is_no_fault(
    device: str | None, severity: str, never: bool
) -> None:
    found = judged(K3, activation="relu", around={"device": device}).diagnostics
    (one,) = [one for one in found if one.code == "CDN101"]
    assert (one.severity.value, "never runs on a GPU" in one.message) == (severity, never)


@pytest.mark.parametrize(("where", "one"), [(K3, Ref("tensorflow.nn.tanh")), (K3, "tanh"), (K2, "tanh")])
def test_why_an_activation_is_open_is_told_whatever_functions_it_may_be(where: str, one: object) -> None:
    """In Keras 2 a name may be that of a function which the program registered."""
    either = OneOf((Known(one), Known("relu")), "an option of the user decides")
    verdict, text = told(where, activation=either)
    assert (verdict, "cuDNN: an option of the user decides." in text) == (UNKNOWN, True)


def test_of_a_wrapper_of_ones_own_only_what_it_holds_is_known() -> None:
    for given, verdict in (({"layer": Ref("keras.layers.LSTM")}, RAISES), ({"units": 0}, CUDNN)):
        arguments = {name: Known(value) for name, value in given.items()}
        assert told(K3, wrapper=Wrapper("Mine", arguments=arguments))[0] is verdict
