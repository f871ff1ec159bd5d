"""Facts with provenance: what a front end saw, where, and what it could not see.

A front end never guesses a default, because it does not know the target: it leaves `Absent`, and
the engine settles that by the target's table. `Unknown` has no `.value`, so that a type checker
refuses a rule that forgets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Union

from cudnnlint.core.frozen import record
from cudnnlint.core.place import Place


@record(frozen=True)
class Ref:
    """A function or class of a library, by the dotted name that the imports give it.

    `Ref("tensorflow.nn.tanh")`: aliases are resolved, re-exports are not.
    """

    name: str

    def __str__(self) -> str:
        return self.name


@record(frozen=True)
class Opaque:
    """A value that is certainly not a literal and not a library's function.

    It may be a lambda, a function of the user, or a layer object. `what` describes it ("a lambda",
    "an Activation layer"). `like` is the literal that it equals mathematically ("tanh" for
    `lambda x: tf.tanh(x)`), or None. `holds` is true of a list, a tuple and a dict. `truth` is what a
    condition makes of it, None where that is not known. `given` are the arguments that it was made with by name, each
    behind its class or function ("l1.l" for `regularizers.l1(l=0.01)`). `made_by` is the class of an initializer of
    Keras ("keras.initializers.Orthogonal").
    """

    what: str
    like: str | None = None
    holds: bool = False
    truth: bool | None = True
    given: tuple[str, ...] = ()
    made_by: str = ""

    def __str__(self) -> str:
        return self.what

    def __bool__(self) -> bool:
        """Return what a condition makes of it; where that is not known, the engine asks no such question."""
        return self.truth is not False


class NumpyNumber(int):
    """A whole number of numpy, which is no `int` of Python."""


class PolicyName(str):
    """The name of a dtype policy that is given as an object, not as a text."""

    def __repr__(self) -> str:
        """Tell it apart from a text, wherever facts are compared by what they print."""
        return f"PolicyName({super().__repr__()})"


@record(frozen=True)
class Known:
    """The value is `value`, read at `place`; `written` is its source text where that says more."""

    value: Any
    place: Place | None = None
    written: str | None = None


@record(frozen=True)
class Default(Known):
    """Not written; the target's table says `value`. Only the engine makes these, when it settles."""


@record(frozen=True)
class Assumed:
    """The value is taken to be `value` for the reason `because`; somebody may override it."""

    value: Any
    because: str
    place: Place | None = None


@record(frozen=True)
class Unknown:
    """A value that is not known from what was read; `because` is a sentence without a full stop."""

    because: str
    place: Place | None = None


@record(frozen=True)
class Absent:
    """Not written: the target's default holds."""


@record(frozen=True)
class OneOf:
    """One of several facts, none of them a OneOf; which one is not fixed by what was read."""

    facts: tuple[Union[Known, Assumed, Unknown, Absent], ...]
    because: str = ""


Single = Union[Known, Assumed, Unknown, Absent]
Fact = Union[Known, Assumed, Unknown, Absent, OneOf]

ABSENT = Absent()


def alternatives(fact: Fact) -> tuple[Single, ...]:
    """Return the single facts behind `fact`: itself, or those of a OneOf."""
    return fact.facts if isinstance(fact, OneOf) else (fact,)


def one_of(facts: list[Fact], because: str = "") -> Fact:
    """Join facts from several branches into one, dropping repetitions of the same value."""
    kept: list[Single] = []
    for fact in facts:
        for single in alternatives(fact):
            if not any(same(single, seen) for seen in kept):
                kept.append(single)
    return kept[0] if len(kept) == 1 else OneOf(tuple(kept), because)


def same(left: Single, right: Single) -> bool:
    """Return whether two facts say the same, wherever they were read (here True is not 1)."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (Known, Assumed)) and isinstance(right, (Known, Assumed)):
        return type(left.value) is type(right.value) and bool(left.value == right.value)
    return left == right


def values(fact: Fact) -> Iterator[Any]:
    """Every value that `fact` can certainly take; Unknown and Absent contribute none."""
    for single in alternatives(fact):
        if isinstance(single, (Known, Assumed)):
            yield single.value


def certainly(fact: Fact, value: object) -> bool:
    """Return whether a fact is this value and nothing else."""
    return all(isinstance(single, (Known, Assumed)) and single.value == value for single in alternatives(fact))


def place_of(fact: Fact) -> Place | None:
    """Return the first place that a fact names."""
    for single in alternatives(fact):
        if not isinstance(single, Absent) and single.place is not None:
            return single.place
    return None


def origin_of(fact: Fact) -> str:
    """`written`, `assumed` or `unknown`; a fact still Absent is `default`."""
    if isinstance(fact, OneOf):
        return "unknown"
    if isinstance(fact, Default):
        return "default"
    if isinstance(fact, Known):
        return "written"
    if isinstance(fact, Assumed):
        return "assumed"
    return "default" if isinstance(fact, Absent) else "unknown"


def show(value: Any) -> str:
    """Return a value as the report prints it: literals as Python writes them, the rest in words."""
    return str(value) if isinstance(value, (Ref, Opaque)) else repr(str(value) if isinstance(value, str) else value)


def shown(fact: Fact) -> str:
    """Return a fact as the report prints it in `found`."""
    if isinstance(fact, OneOf):
        return " or ".join(dict.fromkeys(shown(single) for single in fact.facts))
    if isinstance(fact, (Known, Assumed)):
        return fact.written if isinstance(fact, Known) and fact.written else show(fact.value)
    return "not written" if isinstance(fact, Absent) else f"unknown ({fact.because})"
