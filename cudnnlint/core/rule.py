"""What a rule sees and what it answers. A rule file in `rules/` needs nothing but this room.

A rule is timeless: it says whether its fault is there. Where the fault bites, and how, is rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from cudnnlint.core.fact import (
    Absent,
    Assumed,
    Fact,
    Known,
    OneOf,
    Opaque,
    Unknown,
    alternatives,
    origin_of,
    place_of,
    shown,
)  # fmt: skip
from cudnnlint.core.frozen import record
from cudnnlint.core.layer import Construction, Layer
from cudnnlint.core.place import Place
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.tables import Refusal, Trait
from cudnnlint.core.taken_arguments import TakenArguments
from cudnnlint.core.target import Point
from cudnnlint.core.truth import Truth, joint


@record(frozen=True)
class Case:
    """One layer, one variant, one call, settled for one exact release.

    `arguments` and `surroundings` hold no Absent where the target has a default; functions that the
    target takes for tanh or sigmoid are settled to the strings "tanh" and "sigmoid".
    `operation` is the class that decides under this target ("LSTM", "v1.LSTM", "CuDNNGRU", "RNN", ...).
    `rejected` are the written arguments that the constructor does not take, `lost` those that the
    target drops before they act (a setting that is not saved, or not handed on by Bidirectional).
    `missing` is True where the target has no such class, and `moved` is then the name under which it has it, if it
    only gave up the module that the file imports it from; `gone_cell` is a cell that the target has not, of an RNN that
    it has, and `gone_imports` are classes that it has not and the program imports before; `file_keras` is the Keras
    release that wrote a saved file; `dtypes` are those that the kernel takes; `fuses` says whether one call can serve
    both directions; `refusals` are the rows of values that it refuses, by argument, each with its place in the table;
    `defaults` are the class's own; `traits` are the rows for what some releases take, of every release, by what they
    are about, and `words` what this one takes;
    `taken` is what the constructors of Keras 3 take.
    """

    layer: Layer
    construction: Construction
    operation: str
    arguments: Mapping[str, Fact]
    surroundings: Mapping[str, Fact]
    point: Point
    rejected: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    missing: bool = False
    moved: str | None = None
    gone_cell: Construction | None = None
    gone_imports: frozenset[str] = frozenset()
    file_keras: str | None = None
    dtypes: tuple[str, ...] = ()
    fuses: bool = False
    refusals: Mapping[str, list[tuple[int, Refusal]]] = field(default_factory=dict)
    defaults: Mapping[str, object] = field(default_factory=dict)
    traits: Mapping[str, tuple[Trait, ...]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    taken: TakenArguments = field(default_factory=TakenArguments)

    def trait(self, of: str) -> frozenset[str]:
        """Return the words for what the target takes or refuses (tables/defaults.toml); none where no row says so."""
        return self.words.get(of, frozenset())

    def argument(self, name: str) -> Fact:
        """Return the settled fact of an argument; Absent if the class has none of that name and none is written."""
        return self.arguments.get(name, Absent())

    def context(self, name: str) -> Fact:
        """Return the settled fact of the execution context (core.surroundings.SURROUNDINGS)."""
        return self.surroundings.get(name, Absent())


@record(frozen=True)
class Finding:
    """A rule's answer: whether the fault is there, what was found, and where.

    `run_time` is True where only the data of a run decides (then `condition` says when the fault bites).
    """

    truth: Truth
    found: str = ""
    place: Place | None = None
    origin: str = "default"
    run_time: bool = False
    condition: str | None = None
    because: str | None = None
    detail: str | None = None


ABSENT_FAULT = Finding(Truth.NO)
_NOT_WRITTEN = Finding(Truth.NO, shown(Absent()))


def unless_replaced(finding: Finding, made: Construction) -> Finding:
    """Return what was found, in doubt where the user's class replaces a method of Keras and does not call it."""
    own = sorted(set(made.overrides) - set(made.calls_super))
    if not own:
        return finding
    because = f"{made.subclass} replaces {', '.join(own)}"
    return replace(finding, truth=finding.truth & Truth.UNKNOWN, because=because)


def judge_argument(case: Case, name: str, faulty: object) -> Finding:
    """Return a Finding for the argument `name`: YES where `faulty(value)` is true for every value it can take.

    `faulty` is a function value -> bool (or Truth). An argument that the class does not have is no fault.
    """
    return judge_fact(case.argument(name), faulty)


def judge_fact(fact: Fact, faulty: object) -> Finding:
    """Return a Finding for one fact, joined over its alternatives; see `judge_argument`."""
    if isinstance(fact, (Known, Assumed)) and not isinstance(fact.value, Opaque):  # most facts
        answer = faulty(fact.value)  # type: ignore[operator]
        truth = answer if isinstance(answer, Truth) else Truth.YES if answer else Truth.NO
        return Finding(truth, shown(fact), fact.place, origin_of(fact))
    if isinstance(fact, Absent):
        return _NOT_WRITTEN
    truths = [_single(single, faulty) for single in alternatives(fact)]
    truth = truths[0] if len(truths) == 1 else joint(truths)
    return Finding(truth, shown(fact), place_of(fact), origin_of(fact), because=_because(fact))


def _because(fact: Fact) -> str | None:
    if not isinstance(fact, OneOf):
        return _doubt(fact)
    return next((because for one in fact.facts if (because := _doubt(one)) is not None), fact.because)


def _doubt(fact: Fact) -> str | None:
    """Return why a single fact leaves something open, as far as it says."""
    if isinstance(fact, Unknown):
        return fact.because
    return f"whether {shown(fact)} is true is not known" if _undecided(fact) is not None else None


def _undecided(fact: Fact) -> Opaque | None:
    """Return the value that a condition may take either way, where a single fact is one."""
    value = fact.value if isinstance(fact, (Known, Assumed)) else None
    return value if isinstance(value, Opaque) and value.truth is None else None


def _single(fact: Fact, faulty: object) -> Truth:
    if (value := _undecided(fact)) is not None:
        return joint([_single(Known(replace(value, truth=either)), faulty) for either in (True, False)])
    if isinstance(fact, (Known, Assumed)):
        answer = faulty(fact.value)  # type: ignore[operator]
        return answer if isinstance(answer, Truth) else Truth.of(bool(answer))
    return Truth.NO if isinstance(fact, Absent) else Truth.UNKNOWN
