"""Fold: what the rules find and what the row says become the set of verdicts that are still possible.

One case at one exact release; merge.py joins several. A verdict that is not certain is never chosen among the possible.
"""

from __future__ import annotations

from collections.abc import Iterable

from cudnnlint.core.book import Rule
from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.tables import Concern, Row
from cudnnlint.core.target import Point
from cudnnlint.core.truth import Truth
from cudnnlint.core.verdict import Route, Verdict
from cudnnlint.engine.insisting import insists
from cudnnlint.engine.rules_asked import RulesAsked

OPEN = (Verdict.CUDNN, Verdict.FALLBACK, Verdict.RAISES)
OUTCOME = {
    "falls_back": Verdict.FALLBACK,
    "raises": Verdict.RAISES,
    "unknown": Verdict.UNKNOWN,
}
WORDS = {
    Verdict.CUDNN: "runs in cuDNN",
    Verdict.FALLBACK: "falls back to a loop without cuDNN",
    Verdict.RAISES: "raises an error",
    Verdict.DEPENDS: "depends on the data",
    Verdict.UNKNOWN: "is not known",
}
OTHERWISE = {
    Verdict.CUDNN: "otherwise it runs in cuDNN",
    Verdict.FALLBACK: "otherwise it falls back to a loop without cuDNN",
    Verdict.RAISES: "otherwise it raises an error",
    Verdict.DEPENDS: "otherwise it depends on the data",
    Verdict.UNKNOWN: "otherwise it is not known",
}


@record(frozen=True)
class RuleAnswer:
    """One rule asked of one case. `then` is the verdict that its fault leads to, None where it leads to none.

    `only` are the releases that it concerns, in words, where a target may also be another one.
    """

    rule: Rule
    finding: Finding
    then: Verdict | None
    only: str | None = None


@record(frozen=True)
class Folded:
    """The verdict so far, what else is possible, and the answers that it rests on.

    `bites` are the faults that lead to the verdict (or may); `defects` and `notes` do not change it.
    `faults` are (rule name, error text) of rules that crashed. `doubts` say why the answer is assumed. `varies`: other
    releases that the target may be have another verdict.
    """

    verdict: Verdict
    possible: tuple[Verdict, ...]
    condition: str | None = None
    asked: tuple[RuleAnswer, ...] = ()
    bites: tuple[RuleAnswer, ...] = ()
    defects: tuple[RuleAnswer, ...] = ()
    notes: tuple[RuleAnswer, ...] = ()
    reasons: tuple[str, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    route: Route | None = None
    row: Row | None = None
    doubts: tuple[str, ...] = ()
    varies: bool = False


@record(frozen=True)
class _Outcome:
    """A verdict, and the answer of the rule that led to it."""

    verdict: Verdict
    asked: RuleAnswer | None = None


def fold(rules: RulesAsked, point: Point) -> Folded:
    """Return the verdict of one settled case at its release, in the mode of `point`."""
    case, book = rules.case, rules.book
    if case.construction.unsure is not None:
        return Folded(Verdict.UNKNOWN, OPEN, reasons=(case.construction.unsure,))
    here, row = book.tables.at(point), book.tables.row(case.operation, point)
    steps = _steps(rules, point, row)
    asked, outcomes = _walk(rules, steps, row, insists(case, lambda: rules.ask("own-loop")[1].truth))
    if row is None and not any(_certainly_raises(outcome) for outcome in outcomes):
        reason = f"cudnnlint's tables have no row for {case.operation} in {point.framework} {point.keras}"
        return Folded(Verdict.UNKNOWN, OPEN, asked=asked, reasons=(reason,), faults=tuple(rules.faults))
    verdict, possible = conclude(outcomes)
    doubt = row.doubt(point.keras) if row else None
    bites = _bites(asked, outcomes, verdict, moved=case.moved is not None)
    defects = here.defects if Verdict.CUDNN in possible else ()
    notes = () if verdict is Verdict.RAISES else here.notes  # what stops needs no advice on speed
    return Folded(
        verdict=verdict,
        possible=possible,
        condition=_condition(outcomes, verdict),
        asked=asked,
        bites=bites,
        defects=_concerned(rules, (d for d in defects if d.then != "note")),
        notes=_concerned(rules, (*notes, *(d for d in defects if d.then == "note"))),
        reasons=_reasons(bites),
        faults=tuple(rules.faults),
        route=row.route if row else None,
        row=row,
        doubts=(doubt,) if doubt else (),
    )


def _certainly_raises(outcome: _Outcome) -> bool:
    return outcome.verdict is Verdict.RAISES and outcome.asked is not None and outcome.asked.finding.truth is Truth.YES


def _steps(rules: RulesAsked, point: Point, row: Row | None) -> list[tuple[str, str | None, bool]]:
    """(rule, consequence, raises when insisted) in the order that Keras asks."""
    every = rules.book.tables.at(point).gates
    gates = [(gate.rule, gate.then, False) for gate in every if _concerns(gate, rules.case)]
    if row is None:
        return list(gates)
    steps = [*gates, *((name, row.consequence(name, point.mode), name in row.insisted) for name in row.blocked_by)]
    if row.because:
        steps.append((row.because, "falls_back", row.because in row.insisted))
    return steps


def _concerns(concern: Concern, case: Case) -> bool:
    return not concern.operations or case.operation in concern.operations


def _walk(
    rules: RulesAsked, steps: Iterable[tuple[str, str | None, bool]], row: Row | None, insisting: Truth
) -> tuple[tuple[RuleAnswer, ...], list[_Outcome]]:
    """Ask every step; collect outcomes until a fault that certainly holds decides."""
    asked: list[RuleAnswer] = []
    outcomes: list[_Outcome] = []
    decided = False
    for name, then, insisted in steps:
        rule, finding = rules.ask(name)
        leads = _leads(then, insisted, insisting)
        answer = RuleAnswer(rule, finding, leads[0] if leads else None)
        asked.append(answer)
        if decided or finding.truth is Truth.NO or not leads:
            continue
        if row is not None and name == row.because and finding.truth is Truth.UNKNOWN:
            leads = [Verdict.UNKNOWN]  # why there is no kernel is not certain, so the row's route is not
        outcomes += [_Outcome(verdict, replace(answer, then=verdict)) for verdict in leads]
        decided = finding.truth is Truth.YES
    if not decided and row is not None:
        outcomes.append(_Outcome(Verdict.of(row.route)))
    if insisting is not Truth.NO and any(
        o.verdict is Verdict.RAISES and o.asked and o.asked.rule.name in (row.insisted if row else ()) for o in outcomes
    ):
        rule, finding = rules.ask("cudnn-insisted")
        asked.append(RuleAnswer(rule, finding, Verdict.RAISES))
    return tuple(asked), outcomes


def _leads(then: str | None, insisted: bool, insisting: Truth) -> list[Verdict]:
    if then is None:
        return []
    if then == "falls_back" and insisted and insisting is not Truth.NO:
        return [Verdict.RAISES] if insisting is Truth.YES else [Verdict.FALLBACK, Verdict.RAISES]
    return [OUTCOME[then]]


def conclude(outcomes: list[_Outcome]) -> tuple[Verdict, tuple[Verdict, ...]]:
    """Return the verdict and what is possible, from the outcomes of one case."""
    every = {outcome.verdict for outcome in outcomes}
    fixed = {o.verdict for o in outcomes if o.asked is None or not o.asked.finding.run_time}
    if every == {Verdict.UNKNOWN}:
        return Verdict.UNKNOWN, OPEN
    if len(every) == 1:
        (only,) = every
        return only, (OPEN if only is Verdict.DEPENDS else (only,))
    possible = in_order(OPEN if Verdict.UNKNOWN in every else every)
    if len(fixed) == 1 and Verdict.UNKNOWN not in every:
        return Verdict.DEPENDS, possible
    return Verdict.UNKNOWN, possible


def in_order(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Distinct verdicts, in the order of the enumeration."""
    found = set(verdicts)
    return tuple(verdict for verdict in Verdict if verdict in found)


def _bites(
    asked: tuple[RuleAnswer, ...], outcomes: list[_Outcome], verdict: Verdict, moved: bool
) -> tuple[RuleAnswer, ...]:
    """Return the faults that lead to the verdict, and those behind the first that lead to the same.

    Where the class has only `moved`, all that it will meet once it is found.
    """
    leading = [outcome.asked for outcome in outcomes if outcome.asked is not None]
    names = {answer.rule.name for answer in leading}
    others = [
        answer
        for answer in asked
        if answer.finding.truth is Truth.YES
        and answer.rule.name not in names
        and (answer.then is verdict or (moved and answer.then is not None))
    ]
    if verdict in (Verdict.CUDNN, Verdict.FALLBACK, Verdict.RAISES):
        leading = [answer for answer in leading if answer.finding.truth is Truth.YES or answer.finding.run_time]
    return (*leading, *others)


def _condition(outcomes: list[_Outcome], verdict: Verdict) -> str | None:
    if verdict is not Verdict.DEPENDS:
        return None
    normally = next(OTHERWISE[o.verdict] for o in reversed(outcomes))
    parts = [
        f"{o.asked.finding.condition or 'some data'}: {WORDS[o.verdict]}"
        for o in outcomes
        if o.asked is not None and o.asked.finding.run_time
    ]
    return "; ".join([*parts, normally])


def _reasons(bites: Iterable[RuleAnswer]) -> tuple[str, ...]:
    """Return why each open answer is open; where its facts do not say why, what is needed and what may be there."""
    return tuple(dict.fromkeys(b.finding.because or _open(b) for b in bites if b.finding.truth is Truth.UNKNOWN))


def _open(answer: RuleAnswer) -> str:
    if not answer.finding.found:
        return f"cuDNN needs {answer.rule.needed}, and the file does not show whether that holds"
    return f"cuDNN needs {answer.rule.needed}, and the file leaves open what it has: {answer.finding.found}"


def _concerned(rules: RulesAsked, concerns: Iterable[Concern]) -> tuple[RuleAnswer, ...]:
    found = []
    for concern in concerns:
        if _concerns(concern, rules.case):
            rule, finding = rules.ask(concern.rule)
            if finding.truth is not Truth.NO:
                found.append(RuleAnswer(rule, finding, None))
    return tuple(found)
