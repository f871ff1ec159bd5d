"""Arguments that a target's constructor does not take, and positions that mean other arguments there."""

from __future__ import annotations

from cudnnlint.core.fact import Absent
from cudnnlint.core.layer import Construction
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.tables import Signature


def without_misread(variant: Construction, signature: Signature | None) -> Construction:
    """Return a construction without what its positions say where they mean other arguments, as in Keras 1."""
    misread = set(variant.by_position[1:])
    if not misread or misread.isdisjoint(names(variant, signature)):
        return variant
    kept = {name: fact for name, fact in variant.arguments.items() if name not in misread}
    return replace(variant, arguments=kept)


def names(variant: Construction, signature: Signature | None) -> tuple[str, ...]:
    """Return the written arguments that the constructor does not take."""
    if signature is None:
        return ()
    return tuple(
        name
        for name, fact in variant.arguments.items()
        if not isinstance(fact, Absent) and name not in variant.from_config
        and name not in signature.defaults and name not in signature.extra
    )
