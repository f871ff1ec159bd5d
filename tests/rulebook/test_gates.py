"""What stops a layer before any route is asked does so in each framework that its gate names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from test_find import BOOK, K2, K3, around, ask, both_ways, made, target

from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Construction, Layer, Model, Wrapper
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.target import Era
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine import judge

IN_TENSORFLOW = "tensorflow 2.4.4"
#: By its code, what each framework was asked for (fixtures/evidence: stops, wrapped_stops, input_ranks, layer_names).
STOPPING: dict[str, dict[str, Any]] = {
    "CDN208": {"bogus": 1},
    "CDN217": {"stateful": True} | around(batch="open"),
    "CDN234": around(input_rank=2),
    "CDN237": around(features="open"),
    "CDN238": {"name": "my lstm"},
    "CDN239": {"class_name": "RNN"} | made(cells=(Construction("Dense", "keras.layers.Dense"),)),
    "CDN242": {"wrapper": Wrapper("TimeDistributed", arguments={"return_sequences": Known(True)})},
    "CDN243": around(stops_before="a list of one tensor given to Dense"),
}


@pytest.mark.parametrize("code", STOPPING)
@pytest.mark.parametrize("where", [IN_TENSORFLOW, K2, K3])
def test_what_stops_a_layer_stops_it_in_each_framework(where: str, code: str) -> None:
    verdict, codes = ask(where, **STOPPING[code])
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


@pytest.mark.parametrize("where", [IN_TENSORFLOW, K2, K3])
def test_a_file_that_does_not_load_stops_in_each_framework(where: str) -> None:
    place, point = SavedPlace("m.h5", "lstm"), target(where)
    fault = LoadFault("operation", ("h5",), Era(3 if where == K3 else 2), "it holds operations", anywhere=False)
    construction = Construction("LSTM", "keras.layers.LSTM", {"units": Known(4)}, place=place)
    layer = Layer("layer", place, (construction,), saved=True, unloadable=(fault,))
    (judged,) = judge(Model("m", "h5", (layer,)), (point,), BOOK).layers
    assert judged.judgements[0].verdict is Verdict.RAISES
