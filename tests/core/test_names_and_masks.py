"""The vocabulary of Keras's names, and which old file used a mask how."""

from __future__ import annotations

from dataclasses import replace

import pytest
from packaging.version import Version

from cudnnlint.core.masking import Epoch, MaskTable, OldMaskUse, OnDtype, OnMask, first_alike
from cudnnlint.core.names import Names
from cudnnlint.core.tables import RowScope
from cudnnlint.core.target import Era, Point, Span

NAMES = Names(
    ("tensorflow.keras", "keras"), frozenset({"keras"}), frozenset({"LSTM", "CuDNNLSTM"}), frozenset(), frozenset(),
    absent=frozenset({("keras.layers", "CuDNNLSTM")}), lasting=frozenset({"layers.LSTM"}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("dotted", "keras_class", "recurrent", "may_be_absent", "lasts"),
    [
        ("keras.layers.LSTM", "LSTM", "LSTM", False, True),
        ("tensorflow.keras.layers.LSTM", "LSTM", "LSTM", False, True),
        ("tf_keras.layers.LSTM", None, None, False, True),
        ("other.layers.LSTM", None, None, False, False),
        ("kerasy.layers.LSTM", None, None, False, False),
        ("keras.layers.Dense", "Dense", None, False, False),
        ("keras.layers.CuDNNLSTM", "CuDNNLSTM", "CuDNNLSTM", True, False),
        ("tensorflow.keras.layers.CuDNNLSTM", "CuDNNLSTM", "CuDNNLSTM", False, False),
        ("keras.layers.rnn.CuDNNLSTM", "CuDNNLSTM", "CuDNNLSTM", True, False),
        ("LSTM", None, None, False, False),
    ],
)
def test_a_dotted_name_is_one_of_keras_or_not(
    dotted: str, keras_class: str | None, recurrent: str | None, may_be_absent: bool, lasts: bool
) -> None:
    assert (NAMES.keras_class(dotted), NAMES.recurrent_class(dotted)) == (keras_class, recurrent)
    assert (NAMES.may_be_absent(dotted), NAMES.lasts(dotted)) == (may_be_absent, lasts)


@pytest.mark.parametrize(
    ("plain", "suffixed", "version", "holds"),
    [
        (Span.of(None, "2.3"), None, "2.2.4", True), (Span.of(None, "2.3"), None, "2.3.1", False),
        (Span.of(None, "2.3"), None, "2.2.4-tf", False), (None, Span.of(None, "2.3"), "2.2.4-tf", True),
        (None, Span.of(None, "2.3"), "2.2.4", False), (None, Span.of(None, "2.3"), "2.3.0-tf", False),
        (Span(), Span(), "no release", False), (Span(), Span(), "2.10.0.dev1", True), (None, None, "2.2.4", False),
    ],
)  # fmt: skip
def test_a_file_is_of_the_releases_that_used_a_mask_otherwise(
    plain: Span | None, suffixed: Span | None, version: str, holds: bool
) -> None:
    assert OldMaskUse("attention heads", plain, suffixed, False, "").holds(version) is holds


def test_the_newest_epoch_is_the_last_of_its_generation_and_backend() -> None:
    eras = (Era(2), Era(3, Span.of(None, "3.12")), Era(3, Span.of("3.12", None), ("torch",)),
            Era(3, Span.of("3.12", None), ("jax",)), Era(2, Span.of("2.10", None)),
            Era(3, Span.of("3.12", None), ("tensorflow",)))  # fmt: skip
    epochs = tuple(Epoch(era) for era in eras)
    table = MaskTable({"Dense": {2: OnMask.DROPS, 3: OnMask.KEEPS}}, {}, {}, epochs)
    newest = {"torch": eras[2], "jax": eras[3], "tensorflow": eras[5], "openvino": eras[1]}
    assert {backend: table.newest(3, backend).era for backend in newest} == newest
    assert [table.newest(major).era for major in (2, 3)] == [eras[4], eras[5]]
    assert [table.effect("Dense", epoch) for epoch in epochs[:2]] == [OnMask.DROPS, OnMask.KEEPS]
    other = Epoch(Era(3), effects={"Dense": OnMask.ENDS})
    assert (table.effect("Dense", other), table.effect("Mine", other)) == (OnMask.ENDS, None)


def test_an_operation_is_known_by_each_way_to_spell_it() -> None:
    table = MaskTable(operations={"logicaland": OnDtype.BOOLEANS})
    found = [table.on_dtype(name) for name in ("logical_and", "LogicalAnd", "logical_or")]
    assert found == [OnDtype.BOOLEANS, OnDtype.BOOLEANS, None]


@pytest.mark.parametrize(
    ("scope", "holds"),
    [
        (RowScope("keras", None, Span(), Span()), True), (RowScope("tf_keras", None, Span(), Span()), False),
        (RowScope("keras", "jax", Span(), Span()), False), (RowScope("keras", "tensorflow", Span(), Span()), True),
        (RowScope("keras", None, Span.of("3.5", None), Span()), False),
        (RowScope("keras", None, Span(), Span.of("2.18", None)), False),
        (RowScope("keras", None, Span.of("3.4", "3.5"), Span.of("2.17", "2.18")), True),
    ],
)  # fmt: skip
def test_a_row_holds_at_the_releases_of_its_scope(scope: RowScope, holds: bool) -> None:
    assert scope.holds(Point("keras", Version("3.4.1"), "tensorflow", Version("2.17.0"))) is holds


def test_a_row_on_tensorflow_may_hold_where_tensorflow_is_not_known() -> None:
    scope = RowScope("keras", None, Span(), Span.of("2.18", None))
    assert scope.holds(Point("keras", Version("3.4.1"), "tensorflow", None))


#: What makes an epoch another than the one before it, and for which calls, as (may have a mask, may have integers).
UNLIKE: list[tuple[dict[str, object], set[tuple[bool, bool]]]] = [
    ({}, set()),
    ({"era": Era(3)}, {(False, False), (False, True), (True, False), (True, True)}),
    ({"lists": False}, {(False, False), (False, True), (True, False), (True, True)}),
    ({"graph_casts": True}, {(False, True), (True, True)}),
    ({"own_indices": True}, set()),
    *(({name: value}, {(True, False), (True, True)}) for name, value in (
        ("explicit", False), ("extra_tensors_hide", False), ("same_tensor", True), ("cast_keeps", False),
        ("stops", {"Dense": "they"}))),
    ({"stops": {"Lambda": "they"}}, set()),
    ({"effects": {"Dense": OnMask.ENDS}}, {(False, False), (False, True), (True, False), (True, True)}),
    ({"effects": {"Lambda": OnMask.ENDS}}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("other", "calls"), UNLIKE, ids=range(len(UNLIKE)))
def test_epochs_are_alike_where_they_do_the_same_with_a_call(
    other: dict[str, object], calls: set[tuple[bool, bool]]
) -> None:
    epochs = (Epoch(Era(2)), replace(Epoch(Era(2)), **other))  # type: ignore[arg-type]
    table = MaskTable({"Dense": {2: OnMask.KEEPS, 3: OnMask.KEEPS}}, epochs=epochs)
    several = [(masked, whole) for masked in (False, True) for whole in (False, True)]
    assert {call for call in several if first_alike(table, ("Dense",), *call) == (0, 1)} == calls
    assert all(first_alike(table, ("Dense",), *call) in ((0, 0), (0, 1)) for call in several)


def test_the_dtype_of_indices_makes_epochs_unlike_where_a_layer_gives_indices() -> None:
    table = MaskTable({}, epochs=(Epoch(Era(3)), replace(Epoch(Era(3)), own_indices=True)))
    found = {name: first_alike(table, (name,), False, False) for name in ("Discretization", "CategoryEncoding")}
    assert found == {"Discretization": (0, 1), "CategoryEncoding": (0, 0)}
