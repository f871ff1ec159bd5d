"""What single rules find, and what they say was found, where one part of a rule makes the difference."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cudnnlint import check_many
from cudnnlint.core.layer import Construction

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_find import CUDNN, FALLBACK, HERE, K2, K3, RAISES, TORCH, UNKNOWN, fact, judged

from cudnnlint.core.verdict import Verdict


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
