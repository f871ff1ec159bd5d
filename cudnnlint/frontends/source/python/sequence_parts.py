"""Parts of sequences, and operations on sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import (
    Const,
    Contents,
    Listing,
    Tuple,
    Value,
    join,
    may_be_missing,
    present,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def set_operation(run: Interpreter, name: str, left: Value, right: Value) -> Value | None:
    """Return the result of `left.name(right)`, a method of two sets; None where that is not computed."""
    ours, theirs = containers.elements(run, left), containers.elements(run, right)
    keys = [containers.key_of(item) for item in ours.items]
    others = [containers.key_of(item) for item in theirs.items]
    if not (ours.certain and theirs.certain) or None in keys or None in others:
        return None
    found = getattr(set(keys), name)(set(others))
    if not isinstance(found, set):
        return Const(found)
    both = zip([*keys, *others], [*ours.items, *theirs.items], strict=True)
    kind = "frozenset" if isinstance(left, Listing) and left.kind == "frozenset" else "set"
    return containers.new_list(run, [item for key, item in both if key in found], None, kind)


def part(run: Interpreter, value: Value, first: int | None, last: int | None, by: int | None) -> Value | None:
    """Return `value[first:last:by]` of a sequence that is known."""
    if isinstance(value, Const) and isinstance(value.value, (str, bytes, range)):
        return Const(value.value[first:last:by], assumed=value.assumed)
    if not isinstance(value, (Tuple, Listing)):
        return None
    contents = containers.elements(run, value)
    head = contents.items[:last] if last is not None and last >= 0 and (first or 0) >= 0 and (by or 1) > 0 else ()
    if contents.certain:
        cut = Contents(contents.items[first:last:by])
    elif last is not None and len(head) == last and not any(map(may_be_missing, head)):
        cut = Contents(head[first::by])
    else:
        every = [present(entry) for entry in contents.items] + ([contents.rest] if contents.rest else [])
        cut = Contents((), join(every))
    return Tuple(cut) if isinstance(value, Tuple) else containers.new_list(run, cut.items, cut.rest)
