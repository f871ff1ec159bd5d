"""Merge: several folded answers become one, over the releases, calls and variants of a layer.

Of several releases the newest decides. Where others differ, the words say which: where another verdict holds, and
which releases a defect concerns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby

from packaging.version import Version

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Point
from cudnnlint.core.verdict import WORST_FIRST, Verdict
from cudnnlint.engine.fold import Folded, RuleAnswer, in_order

PROPER = {"keras": "Keras", "tensorflow": "TensorFlow"}
Answers = Sequence[tuple[Point, Folded]]

#: What a layer does with the releases `where`.
DOES = {
    Verdict.CUDNN: "{where} it runs in cuDNN",
    Verdict.FALLBACK: "{where} it falls back to a loop without cuDNN",
    Verdict.RAISES: "{where} it raises an error",
    Verdict.DEPENDS: "{where} it depends on the data",
    Verdict.UNKNOWN: "{where} what it does is not known",
}


def merge_releases(found: Answers, whole: bool, gone: Point | None, handed_on: Version | None) -> Folded:
    """One answer for all releases that a target may be, oldest first: that of the newest, which an installer chooses.

    The others add to its condition and to what is possible, and if `whole`, the defects that they alone have.
    `gone` is the first release behind them that does not build the layer, `handed_on` the first of the package keras
    that is the tf.keras of a TensorFlow.
    """
    found = _named_as_installed(found, handed_on)
    newest = found[-1][1]
    others = [(point, folded) for point, folded in found[:-1] if folded.verdict is not newest.verdict]
    without = f"{release_of(gone)} does not build it" if gone else None
    conditions = [newest.condition, _elsewhere(found) if others else None, without]
    possible = {verdict for _, folded in found for verdict in folded.possible}
    possible |= {folded.verdict for _, folded in others if folded.verdict is Verdict.DEPENDS}
    return replace(
        newest,
        possible=in_order(possible),
        condition="; ".join(text for text in conditions if text) or None,
        defects=_with_others(found, [folded.defects for _, folded in found]) if whole else newest.defects,
        notes=_with_others(found, [folded.notes for _, folded in found]) if whole else newest.notes,
        faults=tuple(dict.fromkeys(fault for _, folded in found for fault in folded.faults)),
        varies=bool(others or gone),
    )


def _named_as_installed(found: Answers, handed_on: Version | None) -> Answers:
    """Return the answers; where the tf.keras of a TensorFlow follows standalone Keras, its first release is that one.

    Of a file that imports keras it is the release of that package which an installer is asked for.
    """
    after = [at for at, (point, _) in enumerate(found) if at and point.framework == "tensorflow"]
    if handed_on is None or not after or found[after[0] - 1][0].framework != "keras":
        return found
    at = after[0]
    point, folded = found[at]
    return [*found[:at], (replace(point, framework="keras", keras=handed_on), folded), *found[at + 1 :]]


def _with_others(found: Answers, answers: Sequence[Sequence[RuleAnswer]]) -> tuple[RuleAnswer, ...]:
    """Return what the newest release has, then what only others have, each with the releases that it concerns."""
    own = {answer.rule.name for answer in answers[-1]}
    rest = {answer.rule.name: answer for given in answers for answer in given if answer.rule.name not in own}
    held = {name: [any(a.rule.name == name for a in given) for given in answers] for name in rest}
    points = [point for point, _ in found]
    return (*answers[-1], *(replace(rest[name], only=", ".join(_spans(points, held[name], True))) for name in rest))


def _elsewhere(found: Answers) -> str:
    """Return "before Keras 3.0.1 it falls back to a loop without cuDNN; from Keras 3.2.0 to before 3.4.0 it ..."."""
    verdicts_at = _on_one_axis(found)
    decided = verdicts_at[-1][1]
    points = [point for point, _ in verdicts_at]
    verdicts = dict.fromkeys(verdict for _, verdict in verdicts_at if verdict is not decided)
    parts = []
    for verdict in verdicts:
        where = _spans(points, [one is verdict for _, one in verdicts_at])
        parts.append(DOES[verdict].format(where=" and ".join(where)))
    return "; ".join(parts)


def _on_one_axis(found: Answers) -> list[tuple[Point, Verdict]]:
    """Return the verdicts along the releases; along Keras's alone, or TensorFlow's alone, where only that matters."""
    along = [(point, folded.verdict) for point, folded in found]
    by_keras = [list(group) for _, group in groupby(along, key=lambda one: (one[0].framework, one[0].keras))]
    if all(len({verdict for _, verdict in group}) == 1 for group in by_keras):
        return [group[0] for group in by_keras]
    last = [(point.tensorflow, verdict) for point, verdict in by_keras[-1]]
    if all([(point.tensorflow, verdict) for point, verdict in group] == last for group in by_keras):
        return by_keras[-1]
    return along


def _spans(points: Sequence[Point], held: Sequence[Hashable], named: bool = False) -> list[str]:
    """Return where it holds: "before Keras 3.0.1", "from Keras 3.2.0 to before 3.4.0"; `named`: the release first.

    It never holds at the newest release: what does is no difference.
    """
    spans: list[str] = []
    runs = [(holds, [at for at, _ in group]) for holds, group in groupby(enumerate(held), key=lambda one: one[1])]
    for holds, places in runs:
        if not holds:
            continue
        since, until = _release(points, places[0]), _release(points, places[-1] + 1)
        short = until.split()[1] if since.split()[0] == until.split()[0] else until
        if named:
            spans.append(f"{since} to before {short}")
        else:
            spans.append(f"from {since} to before {short}" if places[0] else f"before {until}")
    return spans


def _release(points: Sequence[Point], at: int) -> str:
    """Return the release at which something changes: that of TensorFlow, where Keras is the same."""
    point = points[at]
    beside = points[at - 1 if at else 1]
    same = (point.framework, point.keras) == (beside.framework, beside.keras)
    return f"TensorFlow {point.tensorflow}" if same and point.tensorflow != beside.tensorflow else release_of(point)


def release_of(point: Point) -> str:
    """Return a release in words: "Keras 3.4.0", "tf_keras 2.18.0", "TensorFlow 2.3.0"."""
    return f"{PROPER.get(point.framework, point.framework)} {point.keras}"


def merge_calls(found: list[Folded]) -> Folded:
    """Return one answer for a layer called several times: equal verdicts are kept, else the worst counts."""
    worst = next(v for v in WORST_FIRST if any(folded.verdict is v for folded in found))
    leader = next(folded for folded in found if folded.verdict is worst)
    return _join(leader, found)


def merge_variants(found: list[Folded], decided_by: str = "") -> Folded:
    """One answer for a layer that a branch builds in several ways: certain where all agree.

    `decided_by` says what decides between them.
    """
    joined = _join(found[0], found)
    if len({folded.verdict for folded in found}) == 1:
        return joined
    possible = in_order(verdict for folded in found for verdict in folded.possible)
    reason = f"how this layer is built is not known: {decided_by or 'a branch decides, on values that are not known'}"
    return replace(
        joined, verdict=Verdict.UNKNOWN, possible=possible, reasons=(*joined.reasons, reason), condition=None
    )


def _join(leader: Folded, found: list[Folded]) -> Folded:
    """Return the leader with the defects, notes, reasons and crashes of all, and the bites of those that agree."""
    agreeing = [leader, *(f for f in found if f.verdict is leader.verdict)]
    return replace(
        leader,
        possible=in_order(v for f in agreeing for v in f.possible),
        bites=_distinct(a for f in agreeing for a in f.bites),
        defects=_distinct(a for f in found for a in f.defects),
        notes=_distinct(a for f in found for a in f.notes),
        reasons=tuple(dict.fromkeys(r for f in found for r in f.reasons)),
        faults=tuple(dict.fromkeys(fault for f in found for fault in f.faults)),
        doubts=tuple(dict.fromkeys(doubt for f in found for doubt in f.doubts)),
    )


def _distinct(asked: Iterable[RuleAnswer]) -> tuple[RuleAnswer, ...]:
    kept: dict[tuple[str, object, object], RuleAnswer] = {}
    for answer in asked:
        kept.setdefault((answer.rule.name, answer.finding.place, answer.finding.truth), answer)
    return tuple(kept.values())
