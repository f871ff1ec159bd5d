"""Foreign values that a program passes on whole: no list, tuple, set or dict that it looks into."""

from __future__ import annotations

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python.values import Foreign, words

#: Classes of Python whose objects are looked into.
COLLECTIONS = words("builtins.dict builtins.list builtins.tuple builtins.set builtins.frozenset")


@record(frozen=True, eq=False)
class Whole(Foreign):
    """The base of foreign values that are certainly no collection."""
