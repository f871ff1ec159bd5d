"""Objects of the standard library that are constants: their attributes, and their methods, are computed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from cudnnlint.frontends.source.python import plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Bound, Const, Value
from cudnnlint.frontends.source.stdlib import texts
from cudnnlint.frontends.source.stdlib.versions import Loose
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: For each class its attributes, and its methods.
_KNOWN: dict[type, tuple[str, str]] = {
    re.Match: ("string pos endpos lastindex lastgroup", "group groups groupdict start end span __getitem__"),
    re.Pattern: ("pattern flags groups", "match search fullmatch findall split sub"),
    Fraction: ("numerator denominator", "limit_denominator as_integer_ratio"),
    Decimal: ("", "is_nan is_infinite is_zero to_integral_value as_integer_ratio sqrt normalize"),
    PurePosixPath: (
        "name stem suffix suffixes parent parts anchor root",
        "with_suffix with_name with_stem joinpath as_posix is_absolute match relative_to is_relative_to __fspath__",
    ),
    Version: ("", ""),
    Loose: ("", ""),
}
CLASSES = tuple(_KNOWN)


def _names(value: Const, place: int) -> list[str]:
    return next((names[place].split() for kind, names in _KNOWN.items() if isinstance(value.value, kind)), [])


def attribute(run: Interpreter, value: Const, name: str) -> Value | None:
    """Return an attribute of a constant of the library; None if it is no such constant, or has no such attribute."""
    if name in _names(value, 1):
        return Bound(value, name)
    if name not in _names(value, 0):
        return None
    try:
        return plain.abstract(run, plain.attempt(getattr, value.value, name), value.assumed)
    except plain.NotPlain:
        return None


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a constant of the library; None if it is not one of these."""
    receiver = bound.receiver
    if not isinstance(receiver, Const) or bound.name not in _names(receiver, 1):
        return None
    called = replace(arguments, positional=[receiver, *arguments.positional])
    return plain.evaluate(run, _calling(bound.name), called, origin)


def _calling(name: str) -> Callable[..., Any]:
    def call(receiver: Any, *given: Any, **named: Any) -> Any:
        if isinstance(receiver, re.Pattern):
            texts.check_pattern(receiver, [*given, *named.values()])
        return getattr(receiver, name)(*given, **named)

    return call


def item(run: Interpreter, value: Const, index: Value) -> Value | None:
    """Return `match[index]`."""
    if not isinstance(value.value, re.Match) or not isinstance(index, Const):
        return None
    try:
        return plain.abstract(run, plain.attempt(value.value.group, index.value), value.assumed)
    except plain.NotPlain:
        return None
