"""What the child is asked: layers rebuilt from facts, and a sentence for those that cannot be."""

from dataclasses import is_dataclass

import pytest
from packaging.version import Version

from cudnnlint.core.fact import Absent, Known, NumpyNumber, OneOf, Opaque, Ref, Unknown
from cudnnlint.core.layer import Call, Construction, Layer, Wrapper
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.target import Era, Release, Target
from cudnnlint.core.verdict import Judgement, Requirement, Verdict
from cudnnlint.probe.rebuild import describe
from cudnnlint.probe.rebuilt_arguments import Unfit
from cudnnlint.probe.request import request

TARGET = Target("keras", Release(Version("3.15.1")))
PLACE = SourcePlace("a.py", 3, 1, 3, 9)
UNSEEN = Unknown("it comes from a file")


def made(class_name="LSTM", **arguments):
    facts = {name: value if is_dataclass(value) else Known(value) for name, value in arguments.items()}
    return Construction(class_name, f"keras.layers.{class_name}", facts)


def layer(construction=None, calls=(), wrappers=()):
    return Layer("a", PLACE, (construction or made(units=8),), tuple(calls), tuple(wrappers))


def call(**surroundings):
    return Call({name: value if isinstance(value, (Unknown, OneOf)) else Known(value)
                 for name, value in surroundings.items()})  # fmt: skip


def described(subject, dry=True):
    return describe(subject, TARGET, dry)


def test_a_plain_layer():
    spec, paddings, mode = described(layer())
    assert spec == {
        "class_name": "LSTM", "path": "keras.layers.LSTM", "arguments": {"units": 8}, "cells": None, "wrappers": [],
        "policy": None, "input_dtype": None, "masked": False, "initial_state": False, "state_dtypes": [],
    }  # fmt: skip
    assert (paddings, mode) == ([], "graph")


def test_values_that_are_no_literals():
    arguments = {
        "units": 8, "activation": Known(Ref("tensorflow.nn.tanh")), "recurrent_activation": Known(Opaque("a lambda")),
        "name": "x", "kernel_initializer": Known(Opaque("an own object")), "dropout": Absent(), "dtype": "float16",
    }  # fmt: skip
    spec, _, _ = described(layer(made(**arguments)))
    assert spec["arguments"] == {
        "units": 8,
        "activation": {"ref": "tensorflow.nn.tanh"},
        "recurrent_activation": {"own": "a lambda"},
        "dtype": "float16",
    }


def test_what_does_not_decide_gets_a_stand_in():
    spec, _, _ = described(layer(made(units=UNSEEN, return_sequences=UNSEEN)))
    assert spec["arguments"] == {"units": 4, "return_sequences": False}


def test_a_dry_run_builds_small_layers_and_a_real_one_builds_them_as_they_are():
    big = layer(made(units=4096))
    assert described(big)[0]["arguments"]["units"] == 64
    assert described(big, dry=False)[0]["arguments"]["units"] == 4096


@pytest.mark.parametrize(
    ("surroundings", "paddings"),
    [
        ({"mask": "none"}, []),
        ({"mask": "right"}, ["right"]),
        ({"mask": "left"}, ["left"]),
        ({"mask": "right", "mask_with_empty_row": True}, ["empty"]),
        ({"mask": "data"}, ["right", "left", "empty"]),
        ({"mask": UNSEEN}, ["none", "right", "left", "empty"]),
    ],
)
def test_the_paddings_that_reach_a_layer(surroundings, paddings):
    assert described(layer(calls=[call(**surroundings)]))[1] == paddings


def test_a_global_policy_counts_where_the_layer_has_none_of_its_own():
    assert described(layer(calls=[call(dtype="float16")]))[0]["policy"] == "mixed_float16"
    own = layer(made(units=8, dtype="float16"), [call(dtype="float16")])
    assert described(own)[0]["policy"] is None


def test_a_policy_that_is_an_object_is_known_by_what_surrounds_the_layer():
    spec, _, _ = described(layer(made(units=8, dtype=Known(Opaque("a policy"))), [call(dtype="float16")]))
    assert (spec["policy"], spec["arguments"]) == ("mixed_float16", {"units": 8})


def test_a_call_of_another_era_does_not_count():
    keras_2 = Call({"mask": Known("left")}, when=(Era(2),))
    assert described(layer(calls=[keras_2, Call({"mask": Known("right")}, when=(Era(3),))]))[1] == ["right"]


def test_wrappers_and_both_directions():
    sibling = made(units=8, go_backwards=True)
    both = Wrapper("Bidirectional", "forward", sibling=sibling, explicit=True, arguments={"merge_mode": Known("sum")})
    spec, _, _ = described(layer(wrappers=[both, Wrapper("TimeDistributed")]))
    assert [wrapper["kind"] for wrapper in spec["wrappers"]] == ["Bidirectional", "TimeDistributed"]
    assert spec["wrappers"][0]["other"]["arguments"] == {"units": 8, "go_backwards": True}
    assert (spec["wrappers"][0]["explicit"], spec["wrappers"][0]["role"]) == (True, "forward")


REFUSED = [("trainable", 0), ("seed", "a"), ("seed", True), ("units", 0), ("kernel_regularizer", "l1_l2"),
           ("kernel_constraint", 0.5), ("bias_initializer", None)]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_value_that_a_release_may_refuse_reaches_the_child(name, value):
    """Left out or made another, the layer would run where it is said to stop."""
    spec = described(layer(made(**{name: Known(value)})))[0]
    assert spec["arguments"][name] is value


@pytest.mark.parametrize(("name", "value"), [("trainable", False), ("seed", 3), ("seed", None)])
def test_what_plays_no_part_is_left_to_the_child(name, value):
    assert name not in described(layer(made(**{name: Known(value)})))[0]["arguments"]


def test_a_list_of_one_cell_is_left_out():
    """The child would take the cell out of it, and run where some releases stop."""
    listed = {"cell": Known(Opaque("a list", holds=True))}
    cells = Construction("RNN", "keras.layers.RNN", listed, cells=(made("LSTMCell", units=8),))
    with pytest.raises(Unfit, match="list of one cell"):
        described(layer(cells))


def test_cells_are_built_too():
    cells = Construction("RNN", "keras.layers.RNN", {}, cells=(made("LSTMCell", units=8),))
    assert described(layer(cells))[0]["cells"][0]["class_name"] == "LSTMCell"


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (Layer("a", PLACE, (made(), made("GRU"))), "A branch in the code decides"),
        (layer(made(activation=UNSEEN)), "activation is not known (it comes from a file)"),
        (layer(made(dropout=OneOf((Known(0), Known(0.1)), "a branch"))), "dropout is not known (a branch)"),
        (layer(Construction("LSTM", "m.Own", {}, subclass="Own")), "Own is a class of your program"),
        (layer(Construction("LSTM", "m", {}, open="**kwargs is not known")), "**kwargs is not known"),
        (layer(Construction("RNN", "m", {}, cells=())), "its cells are not known"),
        (layer(calls=[call(mask="right"), call(mask="left")]), "called in different ways"),
        (layer(calls=[call(xla=True)]), "how this layer is used: it is called inside a function that XLA compiles"),
        (layer(calls=[call(device="cpu")]), "the program chooses the device"),
        (layer(calls=[call(ragged=UNSEEN)]), "perhaps it gets a RaggedTensor"),
        (layer(wrappers=[Wrapper("MyWrapper")]), "The layer is inside MyWrapper"),
        (layer(calls=[call(mask="left")], wrappers=[Wrapper("TimeDistributed")]), "through TimeDistributed"),
        (layer(made(activation=Known({1}))), "is not a plain value"),
        (layer(Construction("LSTM", "m", {}, after={"unroll": Known(True)})), "changes settings of this layer"),
        (layer(made(dropout=Known(Opaque("an own object")))), "the value of dropout is not a plain value"),
        (layer(made(units=Known(NumpyNumber(100)))), "the value of units is not a plain value"),
        (layer(made(name=Known("an lstm"))), "Keras may refuse the one that it has"),
        (layer(wrappers=[Wrapper("Bidirectional", arguments={"name": Known("a/b")})]), "Keras may refuse"),
        (layer(calls=[call(listed="list")]), "its input or its states do not fit it"),
        (layer(calls=[call(call_keywords="inputs")]), "its input or its states do not fit it"),
    ],
)  # fmt: skip
def test_what_cannot_be_rebuilt_is_left_out_with_a_sentence(subject, words):
    with pytest.raises(Unfit) as unfit:
        described(subject)
    assert words in str(unfit.value)


def reported(identity, found, path="a.py", kind="python"):
    judgement = Judgement(TARGET, Verdict.CUDNN, (Verdict.CUDNN,))
    one = LayerReport(identity, "a", "LSTM", PLACE, None, (), (judgement,), layer=found)
    return FileReport(path, kind, (TARGET,), (one,))


@pytest.mark.parametrize(
    ("target", "asked"),
    [
        (TARGET, True),
        (Target("tf_keras", Release(Version("2.21.0"))), False),
        (Target("keras", Release(Version("3.15.1")), "torch"), False),
    ],
)
def test_a_compiler_is_left_out_only_where_it_changes_the_route(target, asked):
    compiled = layer(calls=[call(jit_compile=True)])
    if asked:
        describe(compiled, target, True)
    else:
        with pytest.raises(Unfit, match="compile\\(\\) is given jit_compile"):
            describe(compiled, target, True)


def test_a_layer_that_is_judged_for_another_package_of_keras_is_left_out():
    file = reported(0, layer(), "a.py", "python")
    items, (one,) = request(Report((file,), (), 1, "0"), True, "tf_keras")
    assert not items
    assert f"--framework {TARGET.framework}" in one.why


def test_one_item_for_a_model_and_one_for_each_layer_of_source():
    kinds = (("a.py", "python"), ("m.keras", "keras"), ("folder", "savedmodel"))
    files = tuple(reported(number, layer(), *kind) for number, kind in enumerate(kinds))
    items, asked = request(Report(files, (), 3, "0"), True, TARGET.framework)
    assert [sorted(item) for item in items] == [["id", "layer", "paddings"], ["id", "kind", "model"]]
    assert [(one.item, one.place) for one in asked] == [(0, 0), (1, None), (None, None)]
    assert "SavedModel" in asked[2].why


def test_a_layer_that_is_made_in_a_try_is_rebuilt():
    assert described(layer(calls=[call(taken="ValueError")])) == described(layer(calls=[call()]))


def test_how_long_a_sequence_is_leaves_the_route_be():
    assert described(layer(calls=[call(steps=50), call(steps=200)])) == described(layer())


@pytest.mark.parametrize(("met", "asked"), [("no", False), ("unknown", False), ("yes", True)])
@pytest.mark.parametrize(("name", "around"), [("stopped-before", "stops_before"), ("mixed-packages", "packages_met")])
def test_a_layer_that_what_is_around_it_stops_is_left_out(name, around, met, asked):
    rule = Requirement(name, "CDN243", met, "a call", "another", None, "written")
    judgement = Judgement(TARGET, Verdict.RAISES, (Verdict.RAISES,), requirements=(rule,))
    one = LayerReport(0, "a", "LSTM", PLACE, None, (), (judgement,), layer=layer(calls=[call(**{around: "a in b"})]))
    items, (probed,) = request(Report((FileReport("a.py", "python", (TARGET,), (one,)),), (), 1, "0"), True, "keras")
    assert (len(items), "this layer" in probed.why) == (int(asked), not asked)
