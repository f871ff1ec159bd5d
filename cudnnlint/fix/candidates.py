"""The fix candidates of a file: which findings one fixes, how it may be written, and which go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability, Edit, Fix, Intent
from cudnnlint.fix.regression import Gone
from cudnnlint.rewriters import source

NEW = "the edit would leave the finding, or cause another one"
NOT_ALL = "the targets need different fixes"


@dataclass
class Offer:
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


def reported(offer: Offer) -> Fix:
    """Return the fix as the report shows it."""
    if offer.proved or (offer.ways and intent(offer.fix).suggestion):
        return replace(offer.fix, edits=offer.edits)
    message = f"{offer.fix.message} cudnnlint cannot make this edit: {offer.reason}."
    return replace(offer.fix, applicability=Applicability.DISPLAY_ONLY, message=message, edits=())


def intent(fix: Fix) -> Intent:
    """Return the intent of a fix that is not written out yet."""
    assert fix.intent is not None
    return fix.intent


def keep_comments(offer: Offer, context: source.FixContext) -> None:
    """Prefer edits of a safe fix that lose no comment; where there is none, mark the fix as unsafe."""
    if offer.fix.applicability is not Applicability.SAFE or not offer.ways:
        return
    kept = [way for way in offer.ways if not context.loses_comment(way)]
    if not kept:
        message = f"{offer.fix.message} This also removes a comment."
        offer.fix = replace(offer.fix, applicability=Applicability.UNSAFE, message=message)
    offer.ways = kept or offer.ways


def gone(offer: Offer) -> Gone:
    """Return what a fix should remove."""
    return Gone(offer.path, offer.layers, offer.keys)


def compatible(offers: list[Offer]) -> tuple[list[Offer], list[Offer]]:
    """Return fixes whose edits do not overlap, in their order, and the rest."""
    batch: list[Offer] = []
    rest: list[Offer] = []
    for offer in offers:
        (rest if any(_meet(offer, other) for other in batch) else batch).append(offer)
    for offer in batch:
        wider = [other.edits for other in batch if _part_of(offer, other)]
        offer.ways[:1] = [max(wider, key=len, default=offer.edits)]
    return batch, rest


def _part_of(offer: Offer, other: Offer) -> bool:
    """Return whether another fix makes all edits of this one, and more; alone, this one might do half of the work."""
    same_kind = offer.path == other.path and offer.fix.applicability is other.fix.applicability
    return same_kind and set(offer.edits) < set(other.edits)


def _meet(left: Offer, right: Offer) -> bool:
    shared = set(left.edits) & set(right.edits)
    mine = [edit for edit in left.edits if edit not in shared]
    theirs = [edit for edit in right.edits if edit not in shared]
    return left.path == right.path and source.meet(mine, theirs)
