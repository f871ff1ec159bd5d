"""Abstract values as Python's own and back: a pure function on known values is called.

What may be large is measured before it is computed, and again when it is there; a call that fails makes its own value
unknown and changes nothing else.
"""

from __future__ import annotations

import configparser
import csv
import itertools
import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import containers, enums, views
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    ANY,
    MOST_OPTIONS,
    Const,
    Contents,
    Foreign,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    assumption,
    join,
    may_be_missing,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Computed = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: Texts and numbers (in digits) that are longer are no settings of a layer, and would cost memory.
LONGEST = 10_000
#: Entries of a list, or of lists inside one another.
MOST_ENTRIES = 4096
#: What the sizes of all arguments multiply to, at most: no function makes more of them than that.
MOST_WORK = 4_000_000
#: A number that decides how large a result is (a width, a count, an exponent).
MOST_COUNT = 512
#: What evaluating plain Python can raise. SyntaxError comes from `ast.literal_eval`.
ERRORS = (
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
    AttributeError,
    MemoryError,
    RecursionError,
    SyntaxError,
    re.error,
    csv.Error,
    configparser.Error,
)
_SETS: dict[str, type] = {"set": set, "frozenset": frozenset}
_SCALARS = (type(None), bool, int, float, complex, str, bytes, range, type(...))
#: A width of four digits or more in a format, or one that is passed.
_WIDE = re.compile(r"%[^a-zA-Z%]*(?:\d{4}|\*)|\{[^{}]*(?:\d{4}|\{)")


TOO_LARGE = UnknownValue("a value is too large to be evaluated", None)


class NotPlain(Exception):
    """Raised where a value is not known, or too large; `value` is the one that is the reason."""

    def __init__(self, value: Value, error: Exception | None = None) -> None:
        super().__init__(value)
        self.value = value
        self.error = error


def attempt(function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Return the result of a function of Python; raise NotPlain where it fails."""
    try:
        return function(*given, **named)
    except ERRORS as error:
        raise NotPlain(UnknownValue(f"this call raises {type(error).__name__}", None), error) from error


def plain(run: Interpreter, value: Value) -> Any:
    """Return a single value as Python's own; raise NotPlain where it is not known, too large, or no plain value."""
    return _plain(run, value, itertools.count())


def _plain(run: Interpreter, value: Value, entries: Iterator[int]) -> Any:
    if next(entries) > MOST_ENTRIES:
        raise NotPlain(TOO_LARGE)
    value = enums.worth(value)
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Mapping) and value.body is None:
        cells = value.table.items()
        if any(key == ANY or may_be_missing(cell) for key, cell in cells):
            raise NotPlain(value)
        return {_plain(run, containers.key_value(key), entries): _plain(run, cell, entries) for key, cell in cells}
    if not isinstance(value, (Tuple, Listing)):
        raise NotPlain(value)
    contents = containers.elements(run, value)
    if not contents.certain:
        raise NotPlain(contents.rest or value)
    items = [_plain(run, item, entries) for item in contents.items]
    if isinstance(value, Tuple):
        return attempt(views.of_python, value, items) if isinstance(value, views.View) else tuple(items)
    if value.kind in _SETS and len(items) > 1:
        raise NotPlain(value)  # the order of a set is not the one in which it is written
    return attempt(_SETS[value.kind], items) if value.kind in _SETS else items


def abstract(run: Interpreter, value: Any, because: str | None = None) -> Value:
    """Return a value of Python as an abstract one; raise NotPlain where it is too large, or of no kind that is known.

    `because` is the assumption that it rests on.
    """
    kind = "iterator" if isinstance(value, type(iter([]))) else "list"
    value = list(value) if kind == "iterator" else value
    if kind == "iterator" and weight(value) <= LONGEST:
        return containers.new_list(run, [_abstract(run, item, because) for item in value], None, kind)
    if weight(value) > LONGEST:
        raise NotPlain(TOO_LARGE)
    return _abstract(run, value, because)


def _abstract(run: Interpreter, value: Any, because: str | None) -> Value:
    if isinstance(value, dict):
        entries = ((Const(key), _abstract(run, item, because)) for key, item in value.items())
        return containers.new_dict(run, entries)
    if isinstance(value, (list, set, frozenset)):
        return containers.new_list(run, [_abstract(run, one, because) for one in value], None, type(value).__name__)
    if isinstance(value, tuple):
        return Tuple(Contents(tuple(_abstract(run, item, because) for item in value)), assumed=because)
    if not isinstance(value, (*_SCALARS, *run.library.constants)):
        raise NotPlain(Library(type(value).__name__))
    return Const(value, assumed=because)


def weight(value: Any) -> int:
    """Return how large a plain value is: its characters, digits and entries."""
    if isinstance(value, (str, bytes)):
        return len(value) + 1
    if isinstance(value, int):
        return value.bit_length() // 3 + 1
    if isinstance(value, Fraction):
        return weight(value.numerator) + weight(value.denominator)
    if isinstance(value, Decimal):
        return len(value.as_tuple().digits) + abs(value.adjusted())
    if isinstance(value, dict):
        return 1 + sum(weight(key) + weight(item) for key, item in value.items())
    return 1 + sum(map(weight, value)) if isinstance(value, (list, tuple, set, frozenset)) else 1


def has_one_text(value: Any) -> bool:
    """Return whether `repr` writes a value in one way on every machine and with every release."""
    if isinstance(value, dict):
        return all(has_one_text(key) and has_one_text(item) for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(has_one_text, value))
    return type(value) in _SCALARS or isinstance(value, (Decimal, Fraction))


def pure(function: Callable[..., Any], grows: bool = False) -> Computed:
    """Return a handler that calls a pure function on known values, once for each alternative of them.

    `grows` says that its numbers decide how large its result is. Where an argument is not known the result is
    unknown for that reason; None is for what is no plain value at all (a tensor), of which others may know more.
    """

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        return evaluate(run, function, arguments, origin, grows)

    return compute


def evaluate(
    run: Interpreter, function: Callable[..., Any], arguments: Arguments, origin: Origin, grows: bool = False
) -> Value | None:
    """Call a pure function of Python on abstract arguments (see `pure`)."""
    every = arguments.every()
    if any(isinstance(option, Foreign) for value in every for option in options(value)):
        return None
    hidden = arguments.rest or arguments.open
    if hidden:
        return UnknownValue(hidden, None, "none", at=origin)
    if math.prod(len(options(value)) for value in every) > MOST_OPTIONS:
        return run.unfollowed("is not evaluated", origin.node, origin.unit)
    count = len(arguments.positional)
    found: list[Value] = []
    for way in itertools.product(*map(options, every)):
        called = Arguments(list(way[:count]), dict(zip(arguments.keywords, way[count:], strict=True)))
        try:
            given, named = known_arguments(run, called, grows=grows)
            found.append(abstract(run, attempt(function, *given, **named), assumption(*way)))
        except NotPlain as error:
            found.append(unknown_of(error.value, origin))
    return join(found)


def known_arguments(
    run: Interpreter, arguments: Arguments, read: Callable[[Interpreter, Value], Any] = plain, grows: bool = False
) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments as Python's own values, positional ones by `read`. Raises NotPlain for what is not known."""
    if arguments.rest or arguments.open:
        raise NotPlain(UnknownValue("has arguments that are not known"))
    given = [read(run, value) for value in arguments.positional]
    named = {name: plain(run, value) for name, value in arguments.keywords.items()}
    check_size([*given, *named.values()], grows)
    return given, named


def check_size(given: list[Any], grows: bool = False) -> None:
    """Raise NotPlain where a function of these arguments may return something too large."""
    if math.prod(map(weight, given)) > MOST_WORK or max(map(weight, given), default=0) > LONGEST:
        raise NotPlain(TOO_LARGE)
    if grows and any(isinstance(one, int) and abs(one) > MOST_COUNT for one in given):
        raise NotPlain(TOO_LARGE)


def is_wide(text: Any) -> bool:
    """Return whether a format asks for a width that is large, or that is passed to it."""
    return isinstance(text, (str, bytes)) and _WIDE.search(str(text)) is not None


def unknown_of(value: Value, origin: Origin, mask: str = "none") -> Value:
    """Return the unknown result of a call that is not computed because of one value, with its name and reason."""
    if not isinstance(value, UnknownValue):
        return UnknownValue("is not evaluated", origin, mask, at=origin)
    if value.what == "":
        return UnknownValue(Sentence("is computed from a value that ", value.why), origin, mask, at=origin)
    return UnknownValue(value.why, value.what, mask)


def not_evaluated(run: Interpreter, arguments: Arguments, origin: Origin, why: str | None = None) -> Value:
    """Return the unknown result of a call that is not computed: for a reason, or for its first unknown argument."""
    for value in arguments.every() if why is None else ():
        if isinstance(value, UnknownValue):
            return unknown_of(value, origin, value.mask)
    return run.unfollowed(why or "is not evaluated", origin.node, origin.unit)
