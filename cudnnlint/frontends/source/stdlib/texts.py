"""Texts: what is parsed from one, searched in one, or made of one; paths among them."""

from __future__ import annotations

import ast
import csv
import json
import math
import posixpath
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python import absent, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed, pure
from cudnnlint.frontends.source.python.values import NONE, Instance, Tuple, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: What looks for a match at one place only.
AT_ONE_PLACE = ("match", "fullmatch")
#: How many steps a search may take.
_MOST_STEPS = 2_000_000
#: A group that is repeated, a look-behind or a back-reference: a search may take forever.
_SLOW = regex(r"\)[*+{]|\(\?<?[=!]|\(\?P=|\\[1-9]")
#: How a group begins that has a name or no number: its `?` repeats nothing.
_GROUP = regex(r"\(\?(?:P<\w+>|:)")
_PATH = "basename dirname join split splitext normpath isabs commonprefix commonpath"


def _searching(name: str) -> Callable[..., Any]:
    """Return a function of `re` whose first argument is a pattern; it refuses what may not be quick."""

    def search(pattern: Any, *given: Any, **named: Any) -> Any:
        check_pattern(pattern, [*given, *named.values()], name not in AT_ONE_PLACE)
        return getattr(re, name)(pattern, *given, **named)

    return search


def _finding(pattern: Any, *given: Any, **named: Any) -> Iterator[Any]:
    """Return the matches of `re.finditer`."""
    check_pattern(pattern, [*given, *named.values()])
    return iter(list(re.finditer(pattern, *given, **named)))


def check_pattern(pattern: Any, texts: list[Any], anywhere: bool = True) -> None:
    """Raise ValueError where searching these texts may take long; `anywhere`: the match may begin at any place."""
    written = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
    written = written.decode("latin-1") if isinstance(written, bytes) else str(written)
    longest = max((len(text) for text in texts if isinstance(text, (str, bytes))), default=0)
    if _SLOW.search(written) or _steps(written, longest, anywhere) > _MOST_STEPS:
        raise ValueError("the search may take long")


def _steps(pattern: str, length: int, anywhere: bool) -> int:
    """Return how many steps a pattern whose repetitions are not nested may take in a text of this length.

    Its repetitions share the text among them in so many ways, from each place on if it may begin `anywhere`, and what
    is optional is there or not.
    """
    signs = _GROUP.sub("(", pattern)
    repeated, optional = len(re.findall(r"[*+{]", signs)), len(re.findall(r"\?", signs))
    shared = (length + 1 if anywhere else 1) * math.comb(length + repeated, repeated) << optional
    return min(int((length + 1) ** (repeated + optional)), shared)


def _rows(lines: Any, *given: Any, **named: Any) -> Iterator[list[str]]:
    """Return the rows of `csv.reader(lines)`."""
    return iter(list(csv.reader(lines, *given, **named)))


def _records(lines: Any, *given: Any, **named: Any) -> Iterator[dict[Any, Any]]:
    """Return the records of `csv.DictReader(lines)`."""
    return iter([dict(row) for row in csv.DictReader(lines, *given, **named)])


def _of_lines(function: Callable[..., Any]) -> Computed:
    """Return a handler for a function of lines, which a file in memory may hold."""
    compute = pure(function)

    def read(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        first, *rest = arguments.positional or [NONE]
        lines = Tuple(containers.elements(run, first)) if isinstance(first, Instance) else first
        return compute(run, replace(arguments, positional=[lines, *rest]), origin)

    return read


def _parsing(function: Callable[[Any], Any]) -> Computed:
    """Return a handler for a function that makes a value of a text; what it raises for another text is raised."""
    compute = pure(function)

    def parse(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        absent.check_call(run, function, arguments)
        return compute(run, arguments, origin)

    return parse


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "ast.literal_eval": ast.literal_eval,
    "tomllib.loads": tomllib.loads,
    "tomli.loads": tomllib.loads,
}


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    found = {f"os.path.{name}": pure(getattr(posixpath, name)) for name in _PATH.split()}
    found |= {
        f"re.{name}": pure(_searching(name))
        for name in ("match", "search", "fullmatch", "findall", "split", "subn")
    }
    found |= dict.fromkeys(("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath"), pure(PurePosixPath))
    return found | {
        "re.finditer": pure(_finding),
        "re.compile": pure(re.compile),
        "re.escape": pure(re.escape),
        **{name: _parsing(function) for name, function in _PARSERS.items()},
        "json.dumps": pure(json.dumps),
        "csv.reader": _of_lines(_rows),
        "csv.DictReader": _of_lines(_records),
        "os.fspath": pure(str),
        "textwrap.dedent": pure(textwrap.dedent),
    }
