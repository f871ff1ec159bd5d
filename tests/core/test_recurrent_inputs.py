"""What recurrent layers take: names, arguments of a call, ranks and states; and of which kinds a value is."""

from __future__ import annotations

from typing import Any

import pytest
from newest_releases import NEWEST
from packaging.version import Version

from cudnnlint.core.fact import Known, NumpyNumber, OneOf, Opaque, Ref
from cudnnlint.core.layer import Construction, Layer, Wrapper
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.recurrent_inputs import (
    keywords_taken,
    listing_taken,
    own_call,
    rank_taken,
    states_taken,
    taken_everywhere,
    takes_nested,
)
from cudnnlint.core.refused_values import kinds_of, refused_among
from cudnnlint.core.rule import Case
from cudnnlint.core.tables import Refusal, RowScope
from cudnnlint.core.target import Point, Span

HERE = SourcePlace("model.py", 3, 1, 3, 20)
KERAS_3 = Point("keras", Version(NEWEST), "tensorflow", None)
KERAS_2 = Point("tf_keras", Version("2.21.0"), "tensorflow", None)


def layer(*wrappers: str) -> Layer:
    return Layer("layer", HERE, (Construction("LSTM"),), wrappers=tuple(Wrapper(one) for one in wrappers))


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        *((one, True) for one in ("a", "a1", "lstm_1", "my-LSTM-2")),
        *((one, False) for one in ("", "1a", "_a", "-a", "capa_\u00e1", "\u00e1", "my lstm", "a/b", "a.b", None, 1)),
    ],
)
def test_a_name_that_every_release_takes(name: object, taken: bool) -> None:
    assert taken_everywhere(name) is taken


@pytest.mark.parametrize(
    ("wrappers", "point", "more", "listing"),
    [
        ((), KERAS_3, {"sequences", "initial_state"}, None),
        ((), KERAS_2, {"inputs", "initial_state", "constants"}, "list"),
        (("Bidirectional",), KERAS_2, {"inputs", "initial_state", "constants"}, "list"),
        (("TimeDistributed",), KERAS_3, {"inputs"}, None),
        (("TimeDistributed",), KERAS_2, {"inputs"}, None),
        (("Bidirectional", "TimeDistributed"), KERAS_2, {"inputs"}, None),
    ],
)
def test_a_call_takes_what_the_outermost_wrapper_takes(
    wrappers: tuple[str, ...], point: Point, more: set[str], listing: str | None
) -> None:
    """Asked of releases: fixtures/evidence/call_keywords.json, which tests/oracle holds the whole program against."""
    assert keywords_taken(layer(*wrappers), point) == {"mask", "training", *more}
    assert listing_taken(layer(*wrappers), point) == listing


@pytest.mark.parametrize(
    ("overrides", "own"), [((), False), (("build",), False), (("call",), True), (("__call__",), True)]
)
def test_a_class_that_replaces_the_call(overrides: tuple[str, ...], own: bool) -> None:
    assert own_call(Construction("LSTM", overrides=overrides)) is own


CELL, OWN_CELL = Construction("LSTMCell"), Construction("LSTMCell", subclass="Mine")


@pytest.mark.parametrize(
    ("made", "rank", "states"),
    [
        *((Construction(name), 3, 2) for name in ("LSTM", "CuDNNLSTM")),
        *((Construction(name), 3, 1) for name in ("GRU", "CuDNNGRU", "SimpleRNN")),
        *((Construction(f"ConvLSTM{n}D"), n + 3, 2) for n in (1, 2, 3)),
        (Construction("RNN", cells=(CELL,)), 3, 2),
        *((Construction("RNN", cells=(Construction(name),)), 3, 1) for name in ("GRUCell", "SimpleRNNCell")),
        (Construction("RNN", cells=(CELL, CELL)), 3, None),
        (Construction("RNN", cells=(CELL, OWN_CELL)), None, None),
        (Construction("RNN"), None, None),
        (Construction("ConvLSTM1D", cells=(CELL,)), 4, 2),
    ],
)
def test_the_rank_and_the_states_that_a_layer_takes(made: Construction, rank: int | None, states: int | None) -> None:
    assert rank_taken(made) == rank
    assert states_taken(layer(), made) == states


@pytest.mark.parametrize(
    ("explicit", "class_name", "states"),
    [(False, "LSTM", 4), (False, "GRU", 2), (False, "RNN", None), (True, "LSTM", None)],
)
def test_a_bidirectional_takes_the_states_of_both_directions(
    explicit: bool, class_name: str, states: int | None
) -> None:
    made = Construction(class_name)
    around = Layer("layer", HERE, (made,), wrappers=(Wrapper("Bidirectional", "forward", explicit=explicit),))
    assert states_taken(around, made) == states


@pytest.mark.parametrize(
    ("made", "in_keras_2"),
    [
        (Construction("RNN"), True), (Construction("RNN", cells=(OWN_CELL,)), True),
        (Construction("RNN", cells=(CELL, OWN_CELL)), True), (Construction("RNN", cells=(CELL,)), False),
        (Construction("LSTM"), False),
    ],
)  # fmt: skip
def test_an_own_cell_takes_several_tensors_as_one_input_in_keras_2(made: Construction, in_keras_2: bool) -> None:
    assert (takes_nested(made, KERAS_2), takes_nested(made, KERAS_3)) == (in_keras_2, False)


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        (None, {"none"}), (True, {"boolean", "true", "one or more"}), (False, {"boolean", "false"}),
        (0, {"integer", "0"}), (1, {"integer", "1", "one or more"}), (-1, {"integer", "-1", "negative"}),
        (0.5, {"float"}), (1.0, {"float", "one or more"}), (-0.5, {"float", "negative"}),
        (NumpyNumber(1), {"numpy integer", "one or more"}), (NumpyNumber(-1), {"numpy integer", "negative"}),
        ("", {"text", "empty text"}), ("x", {"text"}), (b"", {"bytes"}), (..., {"dots"}),
        ([], {"sequence"}), ((1,), {"sequence"}), (Opaque("a list", holds=True), {"sequence"}),
        (Opaque("a dict", holds=True), {"dict"}), (Opaque("a dict"), {"object"}),
        (Ref("builtins.len"), {"function"}), (Opaque("a lambda"), {"function"}),
        (Opaque("the function f"), {"function"}), (Opaque("an own object"), {"object"}),
    ],
)  # fmt: skip
def test_the_kinds_of_a_value(value: Any, kinds: set[str]) -> None:
    assert kinds_of(value) == kinds


@pytest.mark.parametrize(
    ("values", "refused"), [((-1,), True), ((-1, -2), True), ((-1, 4), False), ((4,), False), ((None,), False)]
)
def test_a_value_is_refused_where_every_one_that_it_may_be_is(values: tuple[Any, ...], refused: bool) -> None:
    refusal = Refusal(("units",), frozenset({"negative"}), RowScope("keras", None, Span(), Span()), "raises", "here")
    made = Construction("LSTM")
    case = Case(layer(), made, "LSTM", {}, {}, KERAS_3, refusals={name: [(0, refusal)] for name in refusal.arguments})
    facts = tuple(map(Known, values))
    given = {name: facts[0] if len(facts) == 1 else OneOf(facts) for name in ("units", "dropout")}
    assert [name for name, _, _ in refused_among(case, given)] == ["units"] * refused
