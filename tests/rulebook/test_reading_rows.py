"""What the reading of a row makes of it: scopes of any table, and faults of tables/loading.toml."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.tables import RowScope
from cudnnlint.core.target import Era, Span
from cudnnlint.rulebook.load_fault_rows import load_faults
from cudnnlint.rulebook.row_scopes import listed, scopes_of

FAULT = {
    "kind": "dot", "major": [3], "since": "3.1.0", "until": "3.2.0", "formats": ["keras", "h5"], "says": "it stops",
    "checked": "3.1.1", "source": "dot.py",
}  # fmt: skip


def test_a_row_holds_for_each_of_its_frameworks_and_backends() -> None:
    bounds = {"since": "2.1.0", "until": "2.2.0", "tensorflow_since": "2.3.0", "tensorflow_until": "2.4.0"}
    spans = Span.of("2.1.0", "2.2.0"), Span.of("2.3.0", "2.4.0")
    assert scopes_of({"framework": ["keras", "tf_keras"], "backend": ["jax", "torch"], **bounds}) == [
        RowScope(framework, backend, *spans) for framework in ("keras", "tf_keras") for backend in ("jax", "torch")
    ]
    assert scopes_of({"framework": "keras"}) == [RowScope("keras", None, Span.of(None, None), Span.of(None, None))]


@pytest.mark.parametrize(("value", "items"), [(None, []), ([], []), ("a", ["a"]), (["a", "b"], ["a", "b"])])
def test_one_value_is_a_list_of_one(value: object, items: list[str]) -> None:
    assert listed(value) == items


def test_a_fault_is_told_of_each_generation() -> None:
    span, formats = Span.of("3.1.0", "3.2.0"), ("keras", "h5")
    assert [*load_faults(FAULT)] == [LoadFault("dot", formats, Era(3, span), "it stops", anywhere=False)]
    assert [*load_faults({**FAULT, "major": [2, 3]})] == [
        LoadFault("dot", formats, Era(major, span), "it stops", anywhere=True) for major in (2, 3)
    ]


def test_a_fault_is_of_files_of_the_other_generation_of_a_setting_and_of_who_wrote_it_where_the_row_says_so() -> None:
    more = {"anywhere": True, "classes": ["Dense", "Dot"], "key": "units", "wrote": ["3.0.0", "3.1.0"]}
    usual = LoadFault("dot", ("keras", "h5"), Era(3, Span.of("3.1.0", "3.2.0")), "it stops", anywhere=False)
    about = {"classes": frozenset({"Dense", "Dot"}), "key": "units", "wrote": Span.of("3.0.0", "3.1.0")}
    assert [*load_faults({**FAULT, **more})] == [replace(usual, anywhere=True, **about)]
    assert [*load_faults({**FAULT, "major": [2, 3], "anywhere": False})] == [
        replace(usual, era=Era(major, usual.era.span)) for major in (2, 3)
    ]


@pytest.mark.parametrize("key", ["checked", "source"])
def test_a_fault_without_proof_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="without checked or source"):
        [*load_faults({**FAULT, key: ""})]
