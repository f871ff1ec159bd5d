"""Merge: several folded answers become one, over the releases, calls and variants of a layer.

Where releases differ, the words say which: from what release on it is so, and which a defect concerns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from cudnnlint.core.target import Point
from cudnnlint.core.verdict import WORST_FIRST, Verdict
from cudnnlint.engine.fold import WORDS, Asked, Folded, in_order

PROPER = {"keras": "Keras", "tensorflow": "TensorFlow"}


def merge_points(found: list[tuple[Point, Folded]]) -> Folded:
    """One answer for a target whose release is open: certain where all its releases agree."""
    verdicts = {folded.verdict for _, folded in found}
    found = _limited(found)
    joined = _join(found[-1][1], [folded for _, folded in found])
    if len(verdicts) == 1:
        return joined
    story = _story(found)
    possible = in_order(verdict for _, folded in found for verdict in folded.possible)
    reason = f"it depends on the release: {story}"
    return replace(joined, verdict=Verdict.UNKNOWN, possible=possible, condition=story, reasons=(reason,))


def _limited(found: list[tuple[Point, Folded]]) -> list[tuple[Point, Folded]]:
    """Return the answers with the releases that a defect or note concerns, where it does not concern all."""
    names = {answer.rule.name for _, folded in found for answer in (*folded.defects, *folded.notes)}
    words = {name: _concerned_releases(name, found) for name in names}

    def limited(answers: tuple[Asked, ...]) -> tuple[Asked, ...]:
        return tuple(replace(answer, only=words[answer.rule.name]) for answer in answers)

    return [(p, replace(f, defects=limited(f.defects), notes=limited(f.notes))) for p, f in found]


def _concerned_releases(name: str, found: list[tuple[Point, Folded]]) -> str | None:
    """ "Keras 3.4.0 to before 3.9.0": the releases that a defect or note concerns; None if that is always."""
    concerned = [any(a.rule.name == name for a in (*folded.defects, *folded.notes)) for _, folded in found]
    if all(concerned):
        return None
    parts: list[str] = []
    for place, ((point, _), here) in enumerate(zip(found, concerned, strict=True)):
        if here and (place == 0 or not concerned[place - 1]):
            parts.append(f"{release_of(point)} and later")
        elif not here and place and concerned[place - 1]:
            parts[-1] = parts[-1].replace(" and later", f" to before {point.keras}")
    return ", ".join(parts)


def _story(found: list[tuple[Point, Folded]]) -> str:
    """ "falls back before Keras 3.4.0, runs in cuDNN from Keras 3.4.0": what changes where."""
    turns = [(point, folded.verdict) for point, folded in found]
    changes = [(_turn(before[0], turn[0]), turn[1]) for before, turn in pairwise(turns) if before[1] is not turn[1]]
    parts = [f"{WORDS[turns[0][1]]} before {changes[0][0]}"]
    return ", ".join([*parts, *(f"{WORDS[verdict]} from {release}" for release, verdict in changes)])


def _turn(before: Point, point: Point) -> str:
    """Return the release at which something changes: that of TensorFlow, where Keras is the same."""
    beneath = point.keras == before.keras and point.tensorflow != before.tensorflow
    return f"TensorFlow {point.tensorflow}" if beneath else release_of(point)


def release_of(point: Point) -> str:
    """Return a release in words: "Keras 3.4.0", "tf_keras 2.18.0", "TensorFlow 2.3.0"."""
    return f"{PROPER.get(point.framework, point.framework)} {point.keras}"


def merge_calls(found: list[Folded]) -> Folded:
    """One answer for a layer called several times: equal verdicts stand, else the worst."""
    worst = next(v for v in WORST_FIRST if any(folded.verdict is v for folded in found))
    leader = next(folded for folded in found if folded.verdict is worst)
    return _join(leader, found)


def merge_variants(found: list[Folded]) -> Folded:
    """One answer for a layer that a branch builds in several ways: certain where all agree."""
    joined = _join(found[0], found)
    if len({folded.verdict for folded in found}) == 1:
        return joined
    possible = in_order(verdict for folded in found for verdict in folded.possible)
    reason = "a branch that depends on values cudnnlint does not know decides how this layer is built"
    return replace(
        joined, verdict=Verdict.UNKNOWN, possible=possible, reasons=(*joined.reasons, reason), condition=None
    )


def _join(leader: Folded, found: list[Folded]) -> Folded:
    """Return the leader with the defects, notes, reasons and crashes of all, and the bites of those that agree."""
    agreeing = [leader, *(f for f in found if f.verdict is leader.verdict and f is not leader)]
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


def _distinct(asked: Iterable[Asked]) -> tuple[Asked, ...]:
    kept: dict[tuple[str, object, object], Asked] = {}
    for answer in asked:
        kept.setdefault((answer.rule.name, answer.finding.place, answer.finding.truth), answer)
    return tuple(kept.values())
