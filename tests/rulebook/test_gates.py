"""What stops a layer before any route is asked does so in each framework that its gate names."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from packaging.version import Version
from test_find import BOOK, K2, K3, around, ask, both_ways, judged, made, target
from test_rules import meet

from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Construction, Layer, Model, Wrapper
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.target import Era, Point
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine import judge

IN_TENSORFLOW = "tensorflow 2.4.4"
#: By its code, what each framework was asked for (fixtures/evidence: stops, wrapped_stops, input_ranks, ...).
STOPPING: dict[str, dict[str, Any]] = {
    "CDN208": {"bogus": 1},
    "CDN217": {"stateful": True} | around(batch="open"),
    "CDN234": around(input_rank=2),
    "CDN237": around(features="open"),
    "CDN238": {"name": "my lstm"},
    "CDN239": {"class_name": "RNN"} | made(cells=(Construction("Dense", "keras.layers.Dense"),)),
    "CDN240": around(call_keywords="x"),
    "CDN241": around(listed="tuple"),
    "CDN242": {"wrapper": Wrapper("TimeDistributed", arguments={"return_sequences": Known(True)})},
    "CDN243": around(stops_before="a list of one tensor given to Dense"),
}
#: What meets in each framework that the other one refuses.
MEETINGS = {
    "tensorflow 2.1.4": "tensorflow.keras.layers.LSTM in keras.Sequential",
    K2: "tf_keras.layers.LSTM in keras.Sequential",
    K3: "keras.layers.LSTM in tf_keras.Sequential",
}


@pytest.mark.parametrize("code", STOPPING)
@pytest.mark.parametrize("where", [IN_TENSORFLOW, K2, K3])
def test_what_stops_a_layer_stops_it_in_each_framework(where: str, code: str) -> None:
    verdict, codes = ask(where, **copied(STOPPING[code]))
    assert verdict is Verdict.RAISES
    assert code in codes


#: Keywords that these releases of tf.keras were asked for with a TimeDistributed and a Bidirectional around an LSTM.
ASKED = ("tensorflow 1.15.5", "tensorflow 2.4.4", "keras 2.9.0", "keras 2.12.0", "keras 2.15.0")
REFUSED = (
    "batch_shape", "foo", "go_backwards", "input_length", "ragged", "return_sequences", "return_state", "sparse",
    "stateful", "time_major", "units", "unroll", "use_cudnn",
)  # fmt: skip
TAKEN = ("activity_regularizer", "autocast", "batch_input_shape", "batch_size", "dynamic", "input_shape", "weights")


@pytest.mark.parametrize(
    "wrapper", [Wrapper("TimeDistributed"), both_ways("forward")], ids=["TimeDistributed", "Bidirectional"]
)
@pytest.mark.parametrize("where", ASKED)
def test_a_wrapper_of_tensorflow_takes_the_keywords_that_it_was_asked_for(where: str, wrapper: Wrapper) -> None:
    def stops(name: str) -> bool:
        given = replace(wrapper, arguments={**wrapper.arguments, name: Known(None)})
        return ask(where, wrapper=given, units=8)[0] is Verdict.RAISES

    assert [name for name in (*REFUSED, *TAKEN) if stops(name)] == [*REFUSED]


LOOPS = {
    "SimpleRNN": {"class_name": "SimpleRNN"},
    "RNN": {"class_name": "RNN"} | made(cells=(Construction("GRUCell"),)),
    **{f"ConvLSTM{n}D": {"class_name": f"ConvLSTM{n}D", "filters": 2, "kernel_size": 3} for n in (1, 2, 3)},
}
DROPPING = made(cells=(Construction("GRUCell", arguments={"dropout": Known(0.2)}),))
INTEGERS, OLD, FIRST = around(input_dtype="int32"), "keras 2.3.1 tensorflow 1.15.5", "keras 3.0.0 tensorflow"


@pytest.mark.parametrize("name", LOOPS)
def test_integers_stop_a_loop_of_keras_2_and_convolutions_of_keras_3(name: str) -> None:
    """As fixtures/evidence/integer_inputs.json has it."""
    asked = (OLD, "keras 2.15.0", IN_TENSORFLOW, K2, FIRST, K3, "keras 3.15.1 torch", "keras 3.15.1 jax")
    found = [where for where in asked if ask(where, **copied(LOOPS[name]), **INTEGERS)[0] is Verdict.RAISES]
    assert found == [*(asked[:-1] if name.startswith("Conv") else asked[:4])]


@pytest.mark.parametrize("backend", ["tensorflow", "torch", "jax"])
@pytest.mark.parametrize("name", [*LOOPS, "LSTM", "GRU"])
def test_integers_stop_each_layer_of_keras_3_that_drops_inputs(name: str, backend: str) -> None:
    given = {**copied(LOOPS[name]), **INTEGERS} if name in LOOPS else {"class_name": name, **INTEGERS}
    given |= copied(DROPPING) if name == "RNN" else {"dropout": 0.2}
    assert "CDN230" in ask(f"keras 3.0.0 {backend}", **given)[1]


#: From the first of these releases on, or until the second, the situation stops the layer; None: it was always so.
BOUNDS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("CDN231", "keras 2.15.0", FIRST, made(subclass="Mine", overrides=("call",), calls_super=("call",),
                                           call_names=("x",))),
    ("CDN233", "keras 2.15.0", FIRST,
     {"wrapper": Wrapper("Bidirectional", "forward")} | made(subclass="Mine", registered=False)),
    ("CDN220", "tensorflow 2.5.3", IN_TENSORFLOW, {"dtype": "mixed_float16"}),
    ("CDN302", "keras 2.15.0", FIRST, {"wrapper": both_ways("forward"), "units": 8, "autocast": False}),
    ("CDN240", "keras 2.1.5 tensorflow 1.15.5", "keras 2.1.6 tensorflow 1.15.5", around(call_keywords="sequences")),
    ("CDN241", "keras 2.1.5 tensorflow 1.15.5", "keras 2.1.6 tensorflow 1.15.5", around(listed="tuple")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "runs", "stops", "given"), BOUNDS, ids=[case[0] for case in BOUNDS])
def test_a_gate_begins_and_ends_where_keras_was_asked(code: str, runs: str, stops: str, given: dict[str, Any]) -> None:
    assert [code in ask(where, **copied(given))[1] for where in (runs, stops)] == [False, True]


@pytest.mark.parametrize("name", ["LSTM", "GRU", "SimpleRNN", "RNN"])
def test_a_call_of_other_names_stops_each_class_of_keras_3(name: str) -> None:
    own = {"subclass": "Mine", "overrides": ("call",), "calls_super": ("call",), "call_names": ("x",)}
    cells = {"cells": (Construction("GRUCell"),)} if name == "RNN" else {}
    assert "CDN231" in ask(K3, class_name=name, made={**own, **cells})[1]


def copied(given: dict[str, Any]) -> dict[str, Any]:
    """The same with dicts of its own: what judges a layer takes keys out of them."""
    return {key: dict(value) if isinstance(value, dict) else value for key, value in given.items()}


@pytest.mark.parametrize(
    ("where", "given", "verdict"),
    [
        ("keras 3.14.0 torch", {"class_name": "GRU"} | around(torch_compiled=True), Verdict.UNKNOWN),
        ("keras 3.14.0 jax", around(input_dtype="int32", eager=True), Verdict.FALLBACK),
        ("keras 3.14.0 jax", around(input_dtype="int32"), Verdict.RAISES),
        *((where, {"saved": "savedmodel"} | made(path="graph.pair") | around(mask="left"), Verdict.FALLBACK)
          for where in ("keras 2.15.0", K2)),
    ],
)  # fmt: skip
def test_a_row_says_what_a_situation_leads_to(where: str, given: dict[str, Any], verdict: Verdict) -> None:
    assert ask(where, **copied(given))[0] is verdict


def test_padded_steps_that_differ_are_a_note_and_no_wrong_numbers() -> None:
    found = judged(K3, return_sequences=True, around={"mask": "right"}).diagnostics
    assert [(one.code, one.severity.value) for one in found if one.code == "CDN606"] == [("CDN606", "info")]


@pytest.mark.parametrize("where", [IN_TENSORFLOW, K2, K3])
def test_a_file_that_does_not_load_stops_in_each_framework(where: str) -> None:
    place, point = SavedPlace("m.h5", "lstm"), target(where)
    fault = LoadFault("operation", ("h5",), Era(3 if where == K3 else 2), "it holds operations", anywhere=False)
    construction = Construction("LSTM", "keras.layers.LSTM", {"units": Known(4)}, place=place)
    layer = Layer("layer", place, (construction,), saved=True, unloadable=(fault,))
    (told,) = judge(Model("m", "h5", (layer,)), (point,), BOOK).layers
    assert told.judgements[0].verdict is Verdict.RAISES


@pytest.mark.parametrize("kind", ["gates", "defects", "notes", "compilers"])
def test_entries_of_a_rule_and_a_class_have_no_release_in_common(kind: str) -> None:
    for left, right in combinations(getattr(BOOK.tables, kind), 2):
        shared = {*left.operations} & {*right.operations} or not (left.operations and right.operations)
        if left.rule == right.rule and shared:
            assert not meet(left.scope, right.scope), f"{left.rule}: {left.scope} and {right.scope}"


#: Where XLA compiles a loop that runs without cuDNN (keras/src/trainers/trainer.py, keras/engine/training.py).
COMPILED = {
    "keras 2.7.0": None, "keras 2.8.0": "asked", "keras 2.15.0": "asked", "tf_keras 2.16.0": "asked",
    "tf_keras 2.21.0": "asked", "keras 3.0.0": "itself", "keras 3.15.1": "itself", "keras 3.0.0 torch": None,
    "keras 3.15.1 jax": None, "tensorflow 2.5.3": None, "keras 2.3.1": None,
}  # fmt: skip


@pytest.mark.parametrize("where", COMPILED)
def test_xla_compiles_a_loop_in_these_releases(where: str) -> None:
    framework, release, *backend = where.split()
    point = Point(framework, Version(release), (backend or ["tensorflow"])[0], None)
    found = [one.then for one in BOOK.tables.compilers if one.scope.holds(point)]
    assert found == [then for then in (COMPILED[where],) if then]


OVERRIDDEN = made(subclass="Mine", overrides=("call",))
OFF, HIDDEN = around(cudnn_off=True), around(device="hidden")


@pytest.mark.parametrize(
    ("where", "given", "verdict"),
    [
        *((where, OVERRIDDEN, Verdict.FALLBACK) for where in ("keras 3.14.0 torch", "keras 3.15.0 jax")),
        ("keras 3.14.0 torch", OFF, Verdict.FALLBACK), ("keras 3.14.0 torch", HIDDEN, Verdict.FALLBACK),
        ("keras 3.14.0 torch", {"use_cudnn": True} | HIDDEN, Verdict.RAISES),
    ],
)  # fmt: skip
def test_a_gru_of_torch_and_jax_loops_where_an_lstm_does(where: str, given: dict[str, Any], verdict: Verdict) -> None:
    assert ask(where, class_name="GRU", **copied(given))[0] is verdict


@pytest.mark.parametrize("where", MEETINGS)
def test_packages_that_meet_stop_a_layer_in_each_framework(where: str) -> None:
    verdict, codes = ask(where, **copied(around(packages_met=MEETINGS[where])))
    assert verdict is Verdict.RAISES
    assert "CDN244" in codes


@pytest.mark.parametrize("where", [K3, "keras 3.0.5 jax", "keras 3.8.0 torch"])
def test_a_refused_layer_stops_the_one_beside_it_in_keras_3(where: str) -> None:
    verdict, codes = ask(where, **copied(around(refused_beside="Dense(output_dim=8)")))
    assert verdict is Verdict.RAISES
    assert "CDN245" in codes
