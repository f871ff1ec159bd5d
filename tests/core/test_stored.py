"""What the result cache holds: values of core as JSON data and back, and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.fact import ABSENT, Assumed, Known, OneOf, Opaque, Ref, Unknown
from cudnnlint.core.layer import Call, Construction, Layer, Wrapper
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.stored import NotStorable, packed, unpacked
from cudnnlint.core.target import Era, Release, Span, Target
from cudnnlint.core.verdict import Judgement, Route, Verdict

PLACE = SourcePlace("a.py", 3, 1, 3, 9)
LAYER = Layer(
    "lstm", PLACE,
    (Construction("LSTM", "keras.layers.LSTM", {
        "units": Known(64, PLACE, "SIZE"), "activation": OneOf((Known(Ref("tensorflow.tanh")), Unknown("it is read"))),
        "unroll": Assumed(False, "said so"), "use_bias": ABSENT, "how": Known(Opaque("a lambda", "tanh"))}),),
    (Call({"mask": Known("data")}, when=(Era(3, Span.of("3.2", None), ("jax",)),)),),
    (Wrapper("Bidirectional", role="forward"),),
)  # fmt: skip
VALUES: list[Any] = [
    None, True, 0, -7, 2.5, "", "text", "[", (), (1, "a", (None,)), [], [1, [2]], {1, 2}, frozenset({"a"}), {},
    {"a": 1, ("b", 2): [3], None: {}}, Verdict.CUDNN, Route.FUSED, Version("3.15.1"), 2 + 3j, b"", b"\x00\xff", ...,
    SavedPlace("m.keras", "a/b"), Target("keras", Release.at("3.15.1"), "jax"), LAYER,
    Judgement(Target("keras", Release()), Verdict.DEPENDS, (Verdict.CUDNN,), None, (), None),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_a_value_is_the_same_when_it_comes_back(value: Any) -> None:
    again = unpacked(json.loads(json.dumps(packed(value))))
    assert (again, type(again)) == (value, type(value))


def test_a_number_stays_what_it_is() -> None:
    assert [type(unpacked(packed(value))) for value in (1, 1.0, True)] == [int, float, bool]


class Verdict2(Enum):
    """No enumeration of core."""

    CUDNN = "cudnn"


@dataclass(frozen=True)
class Place2:
    """No data class of core."""

    path: str


NAMESAKE = Enum("Verdict", {"CUDNN": "cudnn"})  # type: ignore[misc]
OTHERS: list[Any] = [object(), Verdict2.CUDNN, NAMESAKE("cudnn"), Place2("a"), len, (1, object())]


@pytest.mark.parametrize("value", OTHERS, ids=range(len(OTHERS)))
def test_what_is_no_value_of_core_is_refused(value: Any) -> None:
    with pytest.raises(NotStorable):
        packed(value)


@pytest.mark.parametrize(
    "data",
    [["Popen", "ls"], ["os.system", "ls"], [[]], ["SavedPlace", "a"], ["Verdict", "nothing"], [":", 1], ["v", "no"],
     []],
)  # fmt: skip
def test_other_data_are_no_value(data: Any) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        unpacked(data)
