"""One finding for the layers of a place, and what a stand-in for an activation allows."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability, DropArgument, Effect, Fix, Intent
from cudnnlint.core.place import SourcePlace
from cudnnlint.engine.grouping import group

HERE = SourcePlace("m.py", 1, 1, 1, 9)
FOUND = Diagnostic("CDN103", "one", "This LSTM stops.", Severity.WARNING, "m.py", HERE, layers=(0,),
                   reason="This LSTM has it.", outcome="On a GPU this LSTM loops.", subjects=("LSTM",))  # fmt: skip
SAFE = Fix(Applicability.SAFE, "", (), Intent((DropArgument("a"),), Effect.SAME_NUMBERS, ""))
BOLD = replace(SAFE, applicability=Applicability.UNSAFE)
OTHER = replace(SAFE, intent=Intent((DropArgument("b"),), Effect.SAME_NUMBERS, ""))
WRITTEN = replace(SAFE, intent=None)


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [(SAFE, SAFE, SAFE), (SAFE, BOLD, BOLD), (SAFE, OTHER, None), (SAFE, None, None), (SAFE, WRITTEN, None),
     (None, None, None)],
)  # fmt: skip
def test_a_fix_of_several_layers_is_what_all_of_them_call_for(
    left: Fix | None, right: Fix | None, common: Fix | None
) -> None:
    for one, other in permutations((left, right)):
        (found,) = group([replace(FOUND, fix=one), replace(FOUND, fix=other, layers=(1,))])
        assert (found.layers, found.fix) == ((0, 1), common)


def test_the_classes_of_all_layers_are_named() -> None:
    (found,) = group([FOUND, replace(FOUND, layers=(1,), subjects=("GRU",)), replace(FOUND, layers=(2,))])
    assert found.subjects == ("LSTM", "GRU")
    assert found.message == "This LSTM has it. On a GPU this LSTM/GRU loops."
    (alike,) = group([FOUND, replace(FOUND, layers=(1,), reason="x", outcome="y", message="z")])
    assert alike.message == FOUND.message


@pytest.mark.parametrize("change", [{"location": None, "layer_path": "a"}, {"code": "CDN104"}, {"target": "x"}])
def test_findings_elsewhere_stay_apart(change: dict[str, object]) -> None:
    assert len(group([FOUND, replace(FOUND, **change)])) == 2  # type: ignore[arg-type]


def test_layers_of_a_saved_model_are_told_by_their_paths() -> None:
    saved = [replace(FOUND, location=None, layer_path=path) for path in ("a", "b", "a")]
    assert [one.layer_path for one in group(saved)] == ["a", "b"]
