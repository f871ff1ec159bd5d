"""`collections.Counter`: a dict of counts, computed where the counts are known."""

from __future__ import annotations

import operator as operators
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import builtins, containers, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.values import NONE, UNBOUND, Const, Instance, Library, Mapping, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

COUNTER = "collections.Counter"
#: Methods of a Counter that are computed and leave it as it is.
_COUNTED = frozenset({"most_common", "elements", "total"})
#: Methods that a Counter has from dict, and that do the same there.
_OF_DICT = frozenset({"get", "keys", "values", "items", "copy", "pop", "clear", "setdefault"})
#: Methods of a Counter that change its counts, and its operators.
_COUNTS = frozenset({"update", "subtract"})
_ARITHMETIC = frozenset(f"__{before}{name}__" for name in ("add", "sub", "and", "or") for before in ("", "i")) | {
    "__pos__",
    "__neg__",
}


def _counter(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return a Counter of values that are known."""
    try:
        given, named = plain.known_arguments(run, arguments)
        counted = plain.abstract(run, dict(plain.attempt(Counter, *given, **named)))
    except NotPlain:
        return None
    assert isinstance(counted, Mapping)
    return replace(counted, body=Instance(Library(COUNTER), run.journal.table(), at=origin))


def is_counter(value: Value) -> bool:
    """Return whether a value is a Counter."""
    kind = value.body.kind if isinstance(value, Mapping) and value.body is not None else None
    return isinstance(kind, Library) and kind.name == COUNTER


def method(run: Interpreter, counter: Mapping, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a Counter; None for those that it has from dict."""
    if name in _OF_DICT:
        return None
    if name in _COUNTED:
        called = replace(arguments, positional=[replace(counter, body=None), *arguments.positional])
        return plain.evaluate(run, _counting(name), called, origin)
    if name in _COUNTS:
        return _counts_on(run, counter, name, arguments, origin)
    containers.smear(run, counter, Sentence("may have been changed by `", origin, "`, which is not followed"))
    return run.unfollowed("is not followed", origin.node, origin.unit)


def _counting(name: str) -> Callable[..., Any]:
    def call(counts: dict[Any, int], *given: Any) -> Any:
        result = getattr(Counter(counts), name)(*given)
        return list(result) if name == "elements" else result

    return call


def _counts_on(run: Interpreter, counter: Mapping, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Run `counter.update(...)` and `counter.subtract(...)`; where that is not known, anything may be in it."""
    try:
        now = Counter(plain.plain(run, replace(counter, body=None)))
        given, named = plain.known_arguments(run, arguments, _plainly)
        plain.attempt(getattr(now, name), *given, **named)
    except NotPlain:
        containers.smear(run, counter, Sentence("may have been changed by `", origin, "`, which is not followed"))
        return NONE
    for key, count in now.items():
        containers.set_key(run, counter, Const(key), Const(count))
    return NONE


def _plainly(run: Interpreter, value: Value) -> Any:
    """Return a value of Python's own; the entries of a Counter as a Counter."""
    if isinstance(value, Mapping) and is_counter(value):
        return Counter(plain.plain(run, replace(value, body=None)))
    return plain.plain(run, value)


def operator(run: Interpreter, value: Mapping, name: str, given: list[Value], origin: Origin) -> Value | None:
    """Return the result of an operator on a Counter and another one; None for any other."""
    if name not in _ARITHMETIC:
        return None
    other = given[0] if given else value
    if not is_counter(other):
        return None
    try:
        result = plain.attempt(getattr(operators, name), _plainly(run, value), *(_plainly(run, one) for one in given))
        made = plain.abstract(run, dict(result))
    except NotPlain as error:
        return plain.unknown_of(error.value, origin)
    assert isinstance(made, Mapping)
    if not name.startswith("__i") or name == "__invert__":
        return replace(made, body=Instance(Library(COUNTER), run.journal.table(), at=origin))
    for key, _ in value.table.items():
        run.journal.write(value.table, key, UNBOUND)
    builtins.update(run, value, made)
    return value


def item(value: Value, index: Value) -> Value | None:
    """Return `counter[key]` for a key that is absent."""
    key = containers.key_of(index)
    return Const(0) if isinstance(value, Mapping) and is_counter(value) and key is not None else None


def table() -> dict[str, Computed]:
    """Return the class by its dotted name."""
    return {COUNTER: _counter}
