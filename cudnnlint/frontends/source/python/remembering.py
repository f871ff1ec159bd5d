"""`functools.lru_cache`: a function that remembers what it returned."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Contents, Function, Tuple

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_CACHES = frozenset({"functools.lru_cache", "functools.cache"})
#: A smaller cache forgets; the calls of a program may be more than that.
_LEAST = 64


def key(function: Function, arguments: Arguments) -> Hashable | None:
    """Return the cell in which the result of a call is remembered; None where it is not."""
    mark = next((mark for mark in function.marks if mark.name in _CACHES), None) if function.marks else None
    if mark is None or arguments.rest or arguments.open:
        return None
    size = dict(mark.arguments).get("maxsize", _LEAST)
    if size is not None and (not isinstance(size, int) or size < _LEAST):
        return None
    names = tuple(sorted(arguments.keywords))
    named = (arguments.keywords[name] for name in names)
    given = containers.key_of(Tuple(Contents((*map(Const, names), *arguments.positional, *named))))
    return None if given is None else ("·remembered", given)


def forget(run: Interpreter, function: Function) -> None:
    """Run `function.cache_clear()`."""
    table = run.attached(function)
    for cell, _ in table.items():
        if isinstance(cell, tuple) and cell[0] == "·remembered":
            run.journal.write(table, cell, UNBOUND)
