"""Recurrent classes that a module hands on uncalled: `kind = GRU`, `{"rnn": GRU}`, `class Mine(GRU)`, `return GRU`.

Another file may call what has such a name, without a word of a recurrent layer in its own text.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cudnnlint.frontends.source.syntax.prefilter import NAMES

#: Names that a statement binds, and those that it mentions without calling them.
Binding = tuple[frozenset[str], frozenset[str]]


def names(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the names under which each file, by its path, hands on a recurrent class, or what another one hands on."""
    files = {path: _bindings(text) for path, text in texts.items()}
    found: dict[str, set[str]] = {}
    known: set[str] = set()
    while True:
        for path, bindings in files.items():
            bound = [names for names, uses in bindings if uses & known or any(map(NAMES.search, uses))]
            found[path] = set().union(*bound)
        if known.issuperset(every := set().union(*found.values())):
            return found
        known |= every


@lru_cache(maxsize=512)
def _bindings(text: str) -> tuple[Binding, ...]:
    """Return what the statements of a module bind, those inside its functions left out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError):
        return ()
    return tuple(one for statement in body for one in _of(statement))


def _of(statement: ast.stmt) -> Iterator[Binding]:
    if isinstance(statement, ast.FunctionDef):
        values = [one.value for one in _inside(statement) if isinstance(one, ast.Return) and one.value is not None]
        yield frozenset({statement.name}), frozenset(name for value in values for name in _uncalled(value))
    elif isinstance(statement, ast.ClassDef):
        held = [one for one in _inside(statement) if isinstance(one, (ast.Assign, ast.AnnAssign, ast.Return))]
        parts = [*statement.bases, *(one.value for one in held if one.value is not None)]
        yield frozenset({statement.name}), frozenset(name for part in parts for name in _uncalled(part))
    elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        bound = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        yield frozenset(bound), frozenset(_uncalled(statement.value) if statement.value is not None else ())
    elif isinstance(statement, ast.ImportFrom):
        yield from ((frozenset({one.asname}), frozenset({one.name})) for one in statement.names if one.asname)
    else:
        yield from (one for part in _parts(statement) for one in _of(part))


def _inside(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement and those in it, without their expressions, which hold none and are most of a tree."""
    todo = [statement]
    while todo:
        one = todo.pop()
        yield one
        todo += _parts(one)


def _parts(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements in the suites of a statement."""
    for suite in ("body", "orelse", "finalbody"):
        yield from getattr(statement, suite, ())
    for suites in ("handlers", "cases"):
        for one in getattr(statement, suites, ()):
            yield from one.body


def _uncalled(node: ast.AST) -> Iterator[str]:
    """Yield the names that an expression mentions but does not call."""
    todo = [node]
    while todo:
        one = todo.pop()
        kind = type(one)
        if kind is ast.Name:
            yield one.id  # type: ignore[attr-defined]
            continue
        if kind is ast.Attribute:
            yield one.attr  # type: ignore[attr-defined]
        called = one.func if isinstance(one, ast.Call) else None
        todo += [part for part in ast.iter_child_nodes(one) if part is not called]
        todo += [called.value] if isinstance(called, ast.Attribute) else []
