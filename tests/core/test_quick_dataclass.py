"""Records made by `core.quick_dataclass` beside those of the standard library, which they are to be like."""

from __future__ import annotations

import dataclasses
import operator
import pickle
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import pytest

from cudnnlint.core import quick_dataclass

NAN = float("nan")
COMPARED = (operator.eq, operator.lt, operator.le, operator.gt, operator.ge)
FORMS: dict[str, dict[str, bool]] = {
    "plain": {},
    "frozen": {"frozen": True},
    "by identity": {"eq": False},
    "frozen, by identity": {"frozen": True, "eq": False},
    "in order": {"frozen": True, "order": True},
    "hashed": {"unsafe_hash": True},
    "hashed, by identity": {"eq": False, "unsafe_hash": True},
}


def _classes(decorator: Any) -> list[type[Any]]:
    """Return a class with every kind of field, one that inherits from it, and those of no, one and two fields."""

    @decorator
    class Base:
        """A base."""

        first: int
        name: str = "none"
        aside: int = dataclasses.field(default=3, compare=False)
        several: list[int] = dataclasses.field(default_factory=list, repr=False)

    @decorator
    class Derived(Base):
        """A derived class."""

        named: int = dataclasses.field(default=4, kw_only=True)
        filled: dict[str, int] = dataclasses.field(default_factory=dict, init=False, compare=False)

        def __repr__(self) -> str:
            return f"own {self.first}"

    @decorator
    class Empty:
        """Nothing."""

    @decorator
    class Single:
        """One field."""

        value: float

    @decorator
    class Pair:
        """Two fields."""

        left: int
        right: int

    return [Base, Derived, Empty, Single, Pair]


def _done(what: Callable[..., object], *given: object, **named: object) -> object:
    """Return what comes of a call, or the kind of its error."""
    try:
        return what(*given, **named)
    except (TypeError, AttributeError) as error:
        return type(error)


def _seen(classes: list[type[Any]]) -> list[object]:
    """Return everything that can be seen of a few objects."""
    base, derived, empty, single, pair = classes
    own = type("Own", (base,), {})
    few = [base(1), base(first=1), base(1, "x", 9, [2]), base(2, aside=8), derived(1), derived(1, named=7), empty(),
           single(NAN), single(NAN), pair(1, 2), pair(1, 3), pair(0, 3)]  # fmt: skip
    found: list[object] = [repr(one) for one in few]
    pairs = [(one, other) for one in few for other in few if one is not other]
    same_nan = few[7:9] if sys.version_info >= (3, 13) else []  # there a field that is NaN differs from itself
    asked = [(one, other) for one, other in pairs if not (one in same_nan and other in same_nan)]
    found += [_done(compare, *pair) for pair in asked for compare in COMPARED]
    found += [_done(hash, one) == _done(hash, other) for one, other in pairs]
    found += [[field.name for field in dataclasses.fields(one)] for one in few]
    found += [dataclasses.asdict(one) for one in few]
    found += [repr(dataclasses.replace(few[2], first=5)), repr(dataclasses.replace(few[5], name="z"))]
    found += [few[0].several is few[1].several, base.__match_args__, derived.__match_args__]
    found += [_done(base), _done(base, 1, 2, 3, [], 5), _done(base, 1, other=2)]
    found += [_done(hash, one) == hash((NAN,)) for one in few[7:9]]
    for name in ("first", "other"):
        found += [_done(setattr, one, name, 3) for one in (*few[:5], own(1))]
        found += [_done(delattr, one, name) for one in few[:5]]
    one = own(1)
    one.other = 3
    found += [one.other, _done(delattr, one, "other"), hasattr(one, "other"), _done(delattr, one, "first")]
    return found


@pytest.mark.parametrize("form", FORMS)
def test_a_record_does_what_one_of_the_standard_library_does(form: str) -> None:
    usual = _seen(_classes(dataclasses.dataclass(**FORMS[form])))
    quick = _seen(_classes(quick_dataclass.dataclass(**FORMS[form])))
    assert quick == usual


@quick_dataclass.dataclass
class Node:
    """A record that may hold itself."""

    inner: Node | None = None


def test_a_record_that_holds_itself_can_be_shown_and_one_can_be_pickled() -> None:
    node = Node()
    node.inner = node
    assert repr(node) == "Node(inner=...)"
    assert pickle.loads(pickle.dumps(Node(Node()))) == Node(Node())


def test_a_class_in_order_has_each_comparison_itself() -> None:
    """Python would else ask the other side, and subclasses would not have them."""

    @quick_dataclass.dataclass(frozen=True, order=True)
    class Ordered:
        """Something in order."""

        value: int

    assert {"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__hash__"} <= vars(Ordered).keys()


@quick_dataclass.dataclass(frozen=True)
class Measured:
    """A record that computes something once and keeps it."""

    sides: tuple[int, ...]
    name: str = "none"

    @cached_property
    def sum(self) -> int:
        """What the sides add up to."""
        return sum(self.sides)


def test_a_copy_has_the_other_values_and_nothing_that_was_computed_from_the_old_ones() -> None:
    first = Measured((1, 2), "x")
    assert quick_dataclass.replace(first, sides=(4,)) == Measured((4,), "x")
    assert first.sum == 3
    assert (quick_dataclass.replace(first, sides=(4,)).sum, quick_dataclass.replace(first, name="y").sum) == (4, 3)
    assert first == Measured((1, 2), "x")
    for record in (first, Measured((1,))):
        with pytest.raises(TypeError, match="side"):
            quick_dataclass.replace(record, side=3)


def test_annotations_stay_as_they_are_written_and_a_class_variable_is_no_field() -> None:
    class Written:
        """A record."""

        shared: ClassVar[int] = 1
        name: str
        rows: tuple[int, ...] = ()

    made: Any = quick_dataclass.dataclass(Written)
    assert [(field.name, field.type) for field in dataclasses.fields(made)] == [
        ("name", "str"),
        ("rows", "tuple[int, ...]"),
    ]
    assert made.__annotations__ == {"shared": "ClassVar[int]", "name": "str", "rows": "tuple[int, ...]"}
