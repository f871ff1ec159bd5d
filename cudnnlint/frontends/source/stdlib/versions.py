"""Versions as values: what `packaging` and `distutils` make of a text, computed."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from packaging.version import InvalidVersion, Version

from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Const, Contents, Library, Tuple, UnknownValue, Value, assumption
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@functools.total_ordering
class Loose:
    """A version as `distutils.version.LooseVersion` compares it: part by part, with texts too."""

    def __init__(self, text: str) -> None:
        parts = [part for part in re.split(r"(\d+|[a-z]+|\.)", text) if part and part != "."]
        self.version = [int(part) if part.isdigit() else part for part in parts]

    def _of(self, other: object) -> list[Any]:
        if isinstance(other, (str, Loose)):
            return (Loose(other) if isinstance(other, str) else other).version
        raise TypeError(type(other).__name__)

    def __eq__(self, other: object) -> bool:
        return self.version == self._of(other)

    def __lt__(self, other: object) -> bool:
        return self.version < self._of(other)

    def __hash__(self) -> int:
        return hash(tuple(self.version))


def attribute(value: Const, name: str) -> Value | None:
    """Return `version.major`, `version.release`; None for other values and attributes."""
    if isinstance(value.value, Version) and name in ("major", "minor", "micro"):
        return Const(getattr(value.value, name), assumed=value.assumed)
    if isinstance(value.value, Version) and name in ("base_version", "public"):
        return Const(str(value.value), assumed=value.assumed)
    parts: tuple[Any, ...] | None = None
    if isinstance(value.value, Version) and name == "release":
        parts = value.value.release
    elif isinstance(value.value, Loose) and name == "version":
        parts = tuple(value.value.version)
    return None if parts is None else Tuple(Contents(tuple(map(Const, parts))), assumed=value.assumed)


def _parsed(kind: Callable[[str], Any]) -> Callable[[Interpreter, Arguments, Origin], Value | None]:
    def parse(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        text = arguments.get(0, "version") or arguments.get(0, "vstring")
        try:
            if isinstance(text, Const) and isinstance(text.value, str):
                return Const(kind(text.value), assumed=assumption(text))
        except InvalidVersion:
            pass
        return UnknownValue("is a version that is not known", origin, at=origin)

    return parse


#: Library functions by their dotted names.
FUNCTIONS = {
    **dict.fromkeys(("packaging.version.parse", "packaging.version.Version", "packaging.version.LegacyVersion",
                     "pkg_resources.parse_version", "pkg_resources.extern.packaging.version.parse",
                     "setuptools.extern.packaging.version.parse"), _parsed(Version)),
    **dict.fromkeys(("distutils.version.LooseVersion", "distutils.version.StrictVersion",
                     "setuptools._distutils.version.LooseVersion", "looseversion.LooseVersion"), _parsed(Loose)),
}  # fmt: skip


def of_python(left: Value, right: Value, compare: Callable[[Any, Any], Any]) -> bool | None:
    """Return the result of comparing `sys.version_info`; None unless it is the same for the first and last Python 3."""
    sides = [_python(side) for side in (left, right)]
    if sides[0] is None or sides[1] is None:
        return None
    answers = {bool(compare(one, other)) for one, other in zip(*sides, strict=True)}
    return answers.pop() if len(answers) == 1 else None


def _python(value: Value) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the lowest and highest value of a tuple of numbers, or of Python's version; None for anything else."""
    if isinstance(value, Library):
        return ((3, 0), (3, 99)) if value.name == "sys.version_info" else None
    if not isinstance(value, Tuple) or not value.contents.certain:
        return None
    numbers = tuple(item.value for item in value.contents.items if isinstance(item, Const))
    whole = len(numbers) == len(value.contents.items) and all(isinstance(number, int) for number in numbers)
    return (numbers, numbers) if whole else None
