"""What is offered for a file: which findings one fix mends, how it may be written, and which fixes go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability, Edit, Fix, Intent
from cudnnlint.fix.regression import Gone
from cudnnlint.rewriters import source

NEW = "it would not be rid of the finding, or bring another one"
NOT_ALL = "it would not do for every target"


@dataclass
class Offer:
    """One fix of a file: the findings that it mends (by index), and the ways to write it that are left to try."""

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
        """The edits of the way that is tried now."""
        return self.ways[0]


def groups(diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[int, ...]]:
    """The findings that are one for all targets, where a fix is offered for any of them."""
    found: dict[object, list[int]] = {}
    for index, diagnostic in enumerate(diagnostics):
        found.setdefault((diagnostic.code, diagnostic.location), []).append(index)
    return (tuple(indices) for indices in found.values() if any(diagnostics[index].fix for index in indices))


def for_every_target(given: Sequence[Diagnostic]) -> bool:
    """Is the same fix offered for every target of a finding?"""
    return len({None if one.fix is None else intent(one.fix).steps for one in given}) == 1


def most_careful(fixes: Sequence[Fix]) -> Fix:
    """Of fixes that are one, the least safe."""
    return min(fixes, key=lambda fix: fix.applicability.boldness)


def told(offer: Offer) -> Fix:
    """The fix as the report carries it."""
    if offer.proved or (offer.ways and intent(offer.fix).suggestion):
        return replace(offer.fix, edits=offer.edits)
    message = f"{offer.fix.message} It is not written out here: {offer.reason}."
    return replace(offer.fix, applicability=Applicability.DISPLAY_ONLY, message=message, edits=())


def intent(fix: Fix) -> Intent:
    """What a fix that is not written out yet stands for."""
    assert fix.intent is not None
    return fix.intent


def keep_comments(offer: Offer, sheet: source.Sheet) -> None:
    """A safe fix loses no comment; where that cannot be helped, it is as unsafe as any other."""
    if offer.fix.applicability is not Applicability.SAFE or not offer.ways:
        return
    kept = [way for way in offer.ways if not sheet.loses_comment(way)]
    if not kept:
        message = f"{offer.fix.message} A comment goes with it."
        offer.fix = replace(offer.fix, applicability=Applicability.UNSAFE, message=message)
    offer.ways = kept or offer.ways


def gone(offer: Offer) -> Gone:
    """What a fix should take away."""
    return Gone(offer.path, offer.layers, offer.keys)


def compatible(offers: list[Offer]) -> tuple[list[Offer], list[Offer]]:
    """Fixes whose edits do not meet, taken in their order, and the rest."""
    batch: list[Offer] = []
    rest: list[Offer] = []
    for offer in offers:
        (rest if any(_meet(offer, other) for other in batch) else batch).append(offer)
    for offer in batch:
        wider = [other.edits for other in batch if _part_of(offer, other)]
        offer.ways[:1] = [max(wider, key=len, default=offer.edits)]
    return batch, rest


def _part_of(offer: Offer, other: Offer) -> bool:
    """Does another fix do all that this one does, and more? Alone, the lesser one might leave something half done."""
    same_kind = offer.path == other.path and offer.fix.applicability is other.fix.applicability
    return same_kind and set(offer.edits) < set(other.edits)


def _meet(left: Offer, right: Offer) -> bool:
    shared = set(left.edits) & set(right.edits)
    mine = [edit for edit in left.edits if edit not in shared]
    theirs = [edit for edit in right.edits if edit not in shared]
    return left.path == right.path and source.meet(mine, theirs)
