"""What one cell holds where several paths meet."""

from __future__ import annotations

from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Const,
    Contents,
    Value,
    equal,
    identities,
    identity,
    join,
    options,
    present,
)

#: A list that grew longer on several paths is known by what it holds, no longer item by item.
MOST_ITEMS = 256


def join_cells(values: list[Value], because: Words) -> Value:
    """Join what one cell holds at the end of several paths."""
    if type(values[0]) is Contents and all(isinstance(value, Contents) for value in values):
        joined = values[0]
        for value in values[1:]:
            assert isinstance(joined, Contents)
            assert isinstance(value, Contents)
            joined = _join_contents(joined, value, because)
        return joined
    return join(values, because)


def includes(value: Value, option: Value) -> bool:
    """Return whether a single value is among the alternatives, as far as the source shows."""
    return identity(option) in identities(value)


def goes_on(before: Value, now: Value) -> bool:
    """Return whether there is a plain value now that was not there before."""
    if isinstance(before, Contents) or isinstance(now, Contents):
        return False
    known = {identity(option) for option in options(before)}
    return any(isinstance(option, Const) and identity(option) not in known for option in options(now))


def leads_to(value: Value, later: Value) -> bool:
    """Return whether a value is one that the later one includes: itself, or a list that only grew longer."""
    if not isinstance(value, Contents) or not isinstance(later, Contents):
        return value is later
    same = len(value.items) <= len(later.items) and all(map(equal, value.items, later.items))
    return same and (value.rest is None or later.rest is not None)


def _join_contents(left: Contents, right: Contents, because: Words) -> Contents:
    """Return the contents of a list after two paths: a common start, then items that may be missing."""
    same = 0
    for one, other in zip(left.items, right.items, strict=False):
        if not equal(one, other):
            break
        same += 1
    ours, theirs = left.items[same:], right.items[same:]
    if len(ours) == len(theirs):
        rest = tuple(join([one, other], because) for one, other in zip(ours, theirs, strict=True))
    else:
        rest = tuple(join([item, UNBOUND], because) for item in ours + theirs)
    more = [value for value in (left.rest, right.rest) if value is not None]
    if same + len(rest) > MOST_ITEMS:
        more += [present(item) for item in left.items[:same] + rest]
        same, rest = 0, ()
    return Contents(left.items[:same] + rest, join(more, because) if more else None)
