"""Objects of the standard library that are constants: their attributes, and their methods, are computed."""

from __future__ import annotations

import re
import string
import struct
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python import plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Bound, Const, Library, Value
from cudnnlint.frontends.source.stdlib import texts
from cudnnlint.frontends.source.stdlib.versions import Loose
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: For each class its attributes, and its methods.
_KNOWN: dict[type, tuple[str, str]] = {
    re.Match: ("string pos endpos lastindex lastgroup", "group groups groupdict start end span __getitem__"),
    re.Pattern: ("pattern flags groups", "match search fullmatch findall finditer split sub subn"),
    Fraction: ("numerator denominator", "limit_denominator as_integer_ratio"),
    Decimal: ("", "is_nan is_infinite is_zero to_integral_value as_integer_ratio sqrt normalize"),
    PurePosixPath: (
        "name stem suffix suffixes parent parents parts anchor root",
        "with_suffix with_name with_stem joinpath as_posix is_absolute match relative_to is_relative_to __fspath__",
    ),
    Version: ("", ""),
    Loose: ("", ""),
    datetime: (
        "year month day hour minute second microsecond fold",
        "date time replace isoformat weekday isoweekday toordinal strftime __str__ __format__",
    ),
    date: (
        "year month day",
        "replace isoformat weekday isoweekday toordinal strftime __str__ __format__",
    ),
    time: ("hour minute second microsecond fold", "replace isoformat strftime __str__ __format__"),
    timedelta: ("days seconds microseconds", "total_seconds __str__"),
    timezone: ("", ""),
    string.Template: ("template", "substitute safe_substitute"),
    struct.Struct: ("format size", "pack unpack"),
}
CLASSES = tuple(_KNOWN)
#: The parts of numbers.
_PARTS: dict[type, tuple[str, str]] = {
    complex: ("real imag", ""),
    float: ("real imag", ""),
    int: ("real imag numerator denominator", ""),
}
#: Fields of a date whose text depends on the language of the machine, or on its time zone.
_LOCAL = regex(r"%[-#^_0]*[^-#^_0YmdHMSfjyuVG%]")


def _names(value: Const, place: int) -> list[str]:
    tables = (_KNOWN, _PARTS)
    rows = (names for table in tables for kind, names in table.items() if isinstance(value.value, kind))
    return next((names[place].split() for names in rows), [])


def check_format(text: Any) -> None:
    """Raise ValueError for the format of a date that the machine's language decides."""
    if _LOCAL.search(str(text)):
        raise ValueError("the text depends on the machine")


def attribute(run: Interpreter, value: Const, name: str) -> Value | None:
    """Return an attribute of a constant of the library; None if it is no such constant, or has no such attribute."""
    if name in _names(value, 1):
        return Bound(value, name)
    if name not in _names(value, 0):
        return None
    try:
        found = plain.attempt(getattr, value.value, name)
        return plain.abstract(run, tuple(found) if name == "parents" else found, value.assumed)
    except plain.NotPlain:
        return None


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a constant of the library; None if it is not one of these."""
    receiver = bound.receiver
    if not isinstance(receiver, Const) or bound.name not in _names(receiver, 1):
        return None
    called = replace(arguments, positional=[receiver, *arguments.positional])
    if bound.name == "sub":
        return run.call(Library("re.sub"), called, origin)
    return plain.evaluate(run, _calling(bound.name), called, origin)


def _calling(name: str) -> Callable[..., Any]:
    def call(receiver: Any, *given: Any, **named: Any) -> Any:
        if isinstance(receiver, re.Pattern):
            texts.check_pattern(receiver, [*given, *named.values()], name not in texts.AT_ONE_PLACE)
        if name in ("strftime", "__format__"):
            check_format(given)
        found = getattr(receiver, name)(*given, **named)
        return iter(list(found)) if name == "finditer" else found

    return call


def item(run: Interpreter, value: Const, index: Value) -> Value | None:
    """Return `match[index]`."""
    if not isinstance(value.value, re.Match) or not isinstance(index, Const):
        return None
    try:
        return plain.abstract(run, plain.attempt(value.value.group, index.value), value.assumed)
    except plain.NotPlain:
        return None
