"""What is mutated, which tests have to notice it, and what came of trying."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from mutants import Mutant, of_python, of_table
from rows import rows_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
Key = tuple[str, str, str, str, int]
#: Digits of a mark: of ten thousand mutants no two have the same.
MARK = 12


@dataclass(frozen=True)
class Trial:
    """A mutant of one file; `where` is the line that it changes, `nth` counts those that look alike.

    `mark` tells it from every other, and stays as long as the row or function that it stands in says the same.
    """

    path: str
    mutant: Mutant
    where: str
    nth: int
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.mutant.line}: {self.key[2]}  ->  {self.mutant.after}"

    @cached_property
    def words(self) -> frozenset[str]:
        """What was left out or changed, in brackets as a test is named for it."""
        gone = set(re.findall(r"[\w.]+", self.mutant.before)) - set(re.findall(r"[\w.]+", self.mutant.after))
        return frozenset(f"{sign}{word}]" for word in gone for sign in "[-") if len(gone) < 3 else frozenset()

    @cached_property
    def literal(self) -> str:
        """The text in quotes that was changed or left out; something that no test holds where none was."""
        gone = set(re.findall(r"\w{3,}", self.mutant.before)) - set(re.findall(r"\w{3,}", self.mutant.after))
        return next(iter(gone)) if len(gone) == 1 else "\0"

    @property
    def key(self) -> Key:
        """What it is known by, wherever its line moves."""
        return self.path, self.where, " ".join(self.mutant.before.split()), self.mutant.after, self.nth


@dataclass(frozen=True)
class Outcome:
    """What came of a trial: the test that noticed it, or what else did; None if it survives."""

    key: Key
    line: int
    noticed_by: str | None
    seconds: float

    def json(self) -> str:
        """One line of the file of outcomes."""
        return json.dumps(vars(self))

    @classmethod
    def of(cls, text: str) -> Outcome:
        """The outcome that a line of the file tells."""
        found: dict[str, Any] = json.loads(text)
        return cls(**{**found, "key": tuple(found["key"])})


def targets() -> dict[str, dict[str, list[str]]]:
    """The files that are mutated and the tests that have to notice, by name of the target."""
    return dict(tomllib.loads((HERE / "targets.toml").read_text(encoding="utf-8")))


def trials(name: str) -> Iterator[Trial]:
    """Every mutant of a target."""
    for pattern in targets()[name]["files"]:
        for path in sorted(ROOT.glob(pattern)):
            yield from of_file(path)


def of_file(path: Path) -> Iterator[Trial]:
    """Every mutant of a file."""
    text = path.read_text(encoding="utf-8")
    lines, seen = text.splitlines(), Counter[tuple[str, ...]]()
    around = _rows_around(lines) if path.suffix == ".toml" else _functions_around(text, lines)
    for mutant in of_table(text) if path.suffix == ".toml" else of_python(text):
        trial = Trial(path.relative_to(ROOT).as_posix(), mutant, lines[mutant.line - 1].strip(), 0)
        known, place = tuple(map(str, trial.key)), (*map(str, trial.key), around[mutant.line - 1])
        mark = hashlib.sha256(json.dumps([place, seen[place]]).encode()).hexdigest()[:MARK]
        yield replace(trial, nth=seen[known], mark=mark)
        seen.update((known, place))


def _rows_around(lines: list[str]) -> list[str]:
    """What each line of a table stands in: its row, without comments; outside of rows its section and itself."""
    around, section = [], ""
    for line in lines:
        section = line if line.startswith("[") else section
        around.append(f"{section}\n{line}")
    for _, begin, end in rows_of(lines):
        row = "\n".join(line for line in lines[begin - 1 : end - 1] if line and not line.startswith("#"))
        around[begin - 1 : end - 1] = [row] * (end - begin)
    return around


def _functions_around(text: str, lines: list[str]) -> list[str]:
    """What each line of a module stands in: the innermost function; outside of functions itself."""
    around = list(lines)
    for node in ast.walk(ast.parse(text)):  # the outer ones come first
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            begin, end = node.lineno - 1, node.end_lineno or node.lineno
            around[begin:end] = ["\n".join(lines[begin:end])] * (end - begin)
    return around


def explained() -> dict[Key, str]:
    """The survivors that change nothing that can be seen, with the reason."""
    path = HERE / "explained.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", []) if path.exists() else []
    return {(one["path"], one["line"], one["before"], one["after"], one.get("nth", 0)): one["because"] for one in found}
