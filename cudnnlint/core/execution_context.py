"""Queries that several rules share: flags around a call, the padding of its mask, its dtype policy."""

from __future__ import annotations

from functools import cache
from typing import Any

from cudnnlint.core.fact import (
    Absent,
    Assumed,
    Default,
    Fact,
    Known,
    OneOf,
    Ref,
    Single,
    Unknown,
    alternatives,
    shown,
    values,
)
from cudnnlint.core.layer import Construction
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

#: How the dtypes of integers and booleans begin.
WHOLE = ("int", "uint", "bool")
DTYPES = frozenset({"float16", "bfloat16", "float32", "float64"})
PADDING = {
    "none": "no mask",
    "right": "a right-padded mask",
    "left": "a mask that is left-padded or has gaps",
    "data": "a mask whose padding depends on the data",
}


def flag(case: Case, name: str, present: str, absent: str) -> Finding:
    """Return a Finding for a fact of the execution context that is True or False: YES where it is True.

    `present` and `absent` are what the report says was found.
    """
    fact = case.context(name)
    if isinstance(fact, Default) and fact.value is not True:  # nothing was seen, as nearly always
        return _not_there(absent)
    finding = judge_fact(fact, lambda value: value is True)
    words = {Truth.YES: present, Truth.NO: absent}
    return replace(finding, found=words.get(finding.truth, finding.found))


@cache
def _not_there(absent: str) -> Finding:
    return Finding(Truth.NO, absent)


def made_without_gpu(case: Case) -> bool:
    """Return whether a layer is made only where the program finds no GPU."""
    fact = case.context("device")
    return isinstance(fact, Known) and fact.value == "absent"


def padding(case: Case) -> Fact:
    """Return the fact about the mask, with its value in words for the report."""
    fact = case.context("mask")
    if isinstance(fact, OneOf):
        return replace(fact, facts=tuple(map(_in_words, fact.facts)))
    return _in_words(fact)


def _in_words(mask: Single) -> Single:
    if isinstance(mask, Known) and mask.value in PADDING:
        return replace(mask, written=PADDING[mask.value])
    return mask


def may_be_padded(case: Case) -> bool:
    """Return whether a mask may arrive that is not certainly right-padded; then no fix moves the layer to cuDNN."""
    return any(
        not isinstance(fact, (Known, Assumed)) or fact.value not in ("none", "right")
        for fact in alternatives(case.context("mask"))
    )


def integers(case: Case) -> Finding:
    """Return YES where the tensor that arrives holds integers or booleans."""
    return judge_fact(case.context("input_dtype"), lambda dtype: str(dtype).startswith(WHOLE))


#: What the surrounding "state_dtype" says of a state in the dtype of the global policy.
POLICY = "policy"


def policy(case: Case, cell: Construction | None = None) -> tuple[Fact, bool]:
    """Return the dtype policy of the layer, or of a cell of it, and whether it is its own (else the global one)."""
    own = case.argument("dtype") if cell is None else cell.argument("dtype")
    if isinstance(own, Absent) or (isinstance(own, (Known, Assumed)) and own.value is None):
        return case.context("dtype"), False
    return own, True


def policy_name(value: Any) -> str | None:
    """Return the name of a dtype policy ("float32", "mixed_float16"); None where it is not known.

    `value` is a dtype argument: None, a name, a library's dtype, or a policy as a saved file writes it.
    """
    if value is None:
        return "float32"
    if isinstance(value, dict):
        config = value.get("config")
        return policy_name(config.get("name")) if isinstance(config, dict) and "name" in config else None
    if isinstance(value, Ref):
        last = value.name.rpartition(".")[2]
        return last if last in DTYPES else None
    return value if isinstance(value, str) else None


def floatx(case: Case) -> str | None:
    """Return the dtype that Keras uses where none is given; None where it is not known."""
    fact = case.context("floatx")
    return policy_name(fact.value) if isinstance(fact, (Known, Assumed)) else None


def shown_policy(case: Case, fact: Fact) -> str:
    """Return a policy as the report prints it; one that nobody set is that of floatx."""
    return floatx(case) or "floatx" if list(values(fact)) == [None] else shown(fact)


def unlike_dtypes(case: Case, one: Fact, other: Fact) -> Truth:
    """Return whether two policies of a layer and its cell make them compute in different dtypes."""

    def name(value: object) -> str | None:
        found = floatx(case) if value is None else policy_name(value)
        return None if found is None else computes_in(found)

    def differ(first: str | None, second: str | None) -> Truth:
        return Truth.UNKNOWN if first is None or second is None else Truth.of(first != second)

    return judge_fact(one, lambda a: judge_fact(other, lambda b: differ(name(a), name(b))).truth).truth


def computes_in(name: str) -> str:
    """Return the dtype that a policy computes in: "float16" for "mixed_float16" or "int8_from_mixed_float16"."""
    return name.rpartition("_from_")[2].removeprefix("mixed_")


def unknown(fact: Fact) -> bool:
    """Return whether any alternative of the fact is Unknown."""
    return any(isinstance(single, Unknown) for single in alternatives(fact))


def export(case: Case) -> str | None:
    """Return the call that exports the layer in a graph, for other machines or another program, or None."""
    return _first(case.context("exported_by"))


def graph_reader(case: Case) -> str | None:
    """Return what reads the graph that is exported (core.surroundings.SURROUNDINGS), or None."""
    return _first(case.context("graph_reader"))


def _first(fact: Fact) -> str | None:
    """Return the first value that is known, as text."""
    known = (one.value for one in alternatives(fact) if isinstance(one, (Known, Assumed)))
    return next((str(value) for value in known if value is not None), None)
