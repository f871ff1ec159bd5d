"""Which values of its arguments a constructor refuses, by kind (tables/values.toml)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from operator import itemgetter

from cudnnlint.core.fact import Absent, Assumed, Fact, NumpyNumber, Opaque, Ref, values
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.tables import Refusal
from cudnnlint.core.truth import Truth

#: What constructors raise at an argument that they refuse; which of them differs between arguments and releases.
REFUSALS = ("ValueError", "TypeError")
PLAIN = frozenset({type(None), bool, int, float, str})
KINDS: dict[type, str] = {type(None): "none", str: "text", bytes: "bytes", dict: "dict", type(...): "dots"}


def kinds_of(value: object) -> frozenset[str]:
    """Return every kind of the table that a value is of."""
    return _kept_kinds(value.__class__.__name__, value) if type(value) in PLAIN else _kinds(value)


@lru_cache(1024)
def _kept_kinds(_: str, plain: object) -> frozenset[str]:
    """Return the kinds of a plain value, which its class tells from its equals: True is not 1."""
    return _kinds(plain)


def _kinds(value: object) -> frozenset[str]:
    if isinstance(value, NumpyNumber):
        return frozenset({"numpy integer", *_size(value)})
    if isinstance(value, int):
        return frozenset({"boolean" if isinstance(value, bool) else "integer", f"{value}".lower(), *_size(value)})
    if isinstance(value, float):
        return frozenset({"float", *_size(value)})
    if isinstance(value, (list, tuple)) or (isinstance(value, Opaque) and value.holds):
        return frozenset({"dict" if isinstance(value, Opaque) and value.what == "a dict" else "sequence"})
    if isinstance(value, Ref) or (isinstance(value, Opaque) and value.what.startswith(("a lambda", "the function"))):
        return frozenset({"function"})
    if value == "":
        return frozenset({"text", "empty text"})
    return frozenset({KINDS.get(type(value), "object")})


def _size(number: float) -> Iterator[str]:
    if number < 0:
        yield "negative"
    if number >= 1:
        yield "one or more"
    if number > 1:
        yield "more than one"


def handled(case: Case) -> bool:
    """Return whether the program takes what the constructor raises at the argument that it refuses."""
    given = case.construction.arguments
    if case.rejected:
        raised = ["ValueError" if case.point.keras_3 else "TypeError"]
    elif any(type(value) is int for value in values(given.get("units", Absent()))):
        raised = ["ValueError"]
    else:
        raised = [*REFUSALS]
    taken = [str(value).split("\n") for value in values(case.context("taken"))]
    return bool(taken) and all(name in one for one in taken for name in raised)


def refused(case: Case) -> Iterator[tuple[str, Refusal, Finding]]:
    """Yield each written argument whose value stops the target, or may stop it, with what was found.

    The arguments of a layer count, and those of the cells of an RNN where they are Keras's own.
    """
    written = {name: case.argument(name) for name in case.construction.arguments}
    cells = (cell.arguments for cell in case.construction.cells or () if cell.subclass is None)
    yield from refused_among(case, written, *cells)


def refused_among(case: Case, *given: Mapping[str, Fact]) -> Iterator[tuple[str, Refusal, Finding]]:
    """Yield each of these arguments whose value stops the target, or may stop it, with what was found."""
    found: list[tuple[int, tuple[str, Refusal, Finding]]] = []
    for name, fact in (one for arguments in given for one in arguments.items()):
        if rows := case.refusals.get(name):
            kinds = _kinds_among(fact)
            for at, refusal in rows:
                if not refusal.kinds.isdisjoint(kinds):
                    finding = _left_out(fact, judge_fact(fact, partial(_is_of, refusal.kinds)))
                    if finding is not None:
                        found.append((at, (name, refusal, finding)))
    yield from (one for _, one in sorted(found, key=itemgetter(0)))  # in the order of the table


def _left_out(fact: Fact, finding: Finding) -> Finding | None:
    """Return a finding that holds, or that would where None, which stands for nothing, is what a caller leaves."""
    if finding.truth is not Truth.YES:
        return None
    if isinstance(fact, Assumed) and fact.value is None:
        return replace(finding, truth=Truth.UNKNOWN, because=fact.because)
    return finding


def _kinds_among(fact: Fact) -> frozenset[str]:
    """Return the kinds of every value that a fact can take."""
    return frozenset().union(*map(_kinds_written, values(fact)))


def _kinds_written(value: object) -> frozenset[str]:
    """Return the kinds of a value; a dict with a class in it is an object, as a file has it."""
    return frozenset({"object"}) if isinstance(value, dict) and "class_name" in value else kinds_of(value)


def _is_of(kinds: frozenset[str], value: object) -> bool:
    return bool(_kinds_written(value) & kinds)
