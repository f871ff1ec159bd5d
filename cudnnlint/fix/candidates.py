"""The fix candidates of a file: which findings one fixes, how it may be written, and which go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Edit, Fix, Intent
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.fix.regression import Removal
from cudnnlint.rewriters.source import source_text

NEW = "the edit would leave the finding, or cause another one"
NOT_ALL = "the targets need different fixes"
CHANGED = "the file was changed while it was checked; run the command again"
UNTRIED = "it was not tried, because trying the other fixes took too long"


@dataclass
class Candidate:
    """One fix of a file: the findings that it fixes (by index), and the ways to write it that are left to try."""

    path: str
    findings: tuple[int, ...]
    fix: Fix
    layers: frozenset[int]
    keys: frozenset[tuple[str, str | None]]
    ways: list[tuple[Edit, ...]]
    reason: str = NEW
    proved: bool = False

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Return the edits of the way that is tried now."""
        return self.ways[0]


def groups(diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[int, ...]]:
    """Return the groups of findings that are one for all targets, where any of them has a fix."""
    found: dict[object, list[int]] = {}
    for index, diagnostic in enumerate(diagnostics):
        found.setdefault((diagnostic.code, diagnostic.location), []).append(index)
    return (tuple(indices) for indices in found.values() if any(diagnostics[index].fix for index in indices))


def for_every_target(given: Sequence[Diagnostic]) -> bool:
    """Return whether every target of a finding has the same fix."""
    return len({None if one.fix is None else intent(one.fix).steps for one in given}) == 1


def most_careful(fixes: Sequence[Fix]) -> Fix:
    """Return the least safe of several fixes that are one."""
    return min(fixes, key=lambda fix: fix.applicability.boldness)


def reported(candidate: Candidate) -> Fix:
    """Return the fix as the report shows it."""
    if candidate.proved or (candidate.ways and intent(candidate.fix).suggestion):
        return replace(candidate.fix, edits=candidate.edits)
    return candidate.fix.refused(candidate.reason)


def intent(fix: Fix) -> Intent:
    """Return the intent of a fix that is not written out yet."""
    assert fix.intent is not None
    return fix.intent


def removal(candidate: Candidate) -> Removal:
    """Return what a fix should remove."""
    return Removal(candidate.path, candidate.layers, candidate.keys)


def compatible(candidates: list[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Return fixes whose edits do not overlap, in their order, and the rest."""
    batch: list[Candidate] = []
    rest: list[Candidate] = []
    beside: dict[object, list[Candidate]] = {}  # by the lines that they edit: only those may meet
    for candidate in candidates:
        lines = set(_lines(candidate))
        if any(_meet(candidate, other) for line in lines for other in beside.get(line, ())):
            rest.append(candidate)
            continue
        batch.append(candidate)
        for line in lines:
            beside.setdefault(line, []).append(candidate)
    _widen(batch)
    return batch, rest


def _lines(candidate: Candidate) -> Iterator[object]:
    """Yield the lines in which a fix edits something."""
    for edit in candidate.edits:
        for row in range(edit.place.row, edit.place.end_row + 1):
            yield candidate.path, edit.place.cell, row


def _widen(batch: list[Candidate]) -> None:
    """Let each fix that is a part of another one make the edits of the one that makes most."""
    holding: dict[Edit, set[int]] = {}
    for at, candidate in enumerate(batch):
        for edit in candidate.edits:
            holding.setdefault(edit, set()).add(at)
    for at, candidate in enumerate(batch):
        others = holding[candidate.edits[0]] if candidate.edits else range(len(batch))
        wider = [batch[other].edits for other in sorted(others) if _part_of(candidate, batch[other])]
        if wider:
            candidate.ways[0] = max(wider, key=len)
            for edit in candidate.edits:
                holding[edit].add(at)


def _part_of(candidate: Candidate, other: Candidate) -> bool:
    """Return whether another fix makes all edits of this one, and more; alone, this one might do half of the work."""
    same_kind = candidate.path == other.path and candidate.fix.applicability is other.fix.applicability
    return same_kind and set(candidate.edits) < set(other.edits)


def _meet(left: Candidate, right: Candidate) -> bool:
    shared = set(left.edits) & set(right.edits)
    mine = [edit for edit in left.edits if edit not in shared]
    theirs = [edit for edit in right.edits if edit not in shared]
    return left.path == right.path and source_text.meet(mine, theirs)
