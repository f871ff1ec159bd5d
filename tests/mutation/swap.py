"""Puts a mutant into a running process: functions in place, rules and tables by reading them again.

Plain constants of a module are put in place too. What else was done when a module was imported cannot be done again in
place; such a mutant needs a process of its own.
"""

from __future__ import annotations

import ast
import functools
import gc
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CACHE = type(functools.cache(lambda: None))


class NeedsImport(Exception):
    """The mutant changes what is done at import."""


@dataclass(frozen=True)
class Held:
    """What a process holds: its functions by the file that they were read from, and the caches of the program."""

    functions: dict[str, list[FunctionType]] = field(default_factory=lambda: defaultdict(list))
    caches: list[Any] = field(default_factory=list)

    @classmethod
    def now(cls) -> Held:
        """Look for them; that takes longer than most tests, so look once, before the forks."""
        held = cls()
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                held.functions[one.__code__.co_filename].append(one)
            elif isinstance(one, CACHE) and str(one.__module__).startswith("cudnnlint"):
                held.caches.append(one)
        return held

    def forget(self) -> None:
        """Empty every cache of the program's functions."""
        for one in self.caches:
            one.cache_clear()


def put(held: Held, path: Path, before: str, after: str) -> None:
    """Put the functions and plain constants of `after` where those of `before` are; `path` is the file of both."""
    old, new = (compile(text, str(path), "exec", dont_inherit=True) for text in (before, after))
    constant = _changed_constant(before, after)
    if constant is None:
        _put(old, new, held.functions[str(path)])
    else:
        _put_constant(path, *constant)
    held.forget()


def _changed_constant(before: str, after: str) -> tuple[str, ast.expr] | None:
    """Return the name and the new value of the one statement of a module that differs, if it names a value."""
    pairs = zip(ast.parse(before).body, ast.parse(after).body, strict=True)
    changed = [new for old, new in pairs if ast.dump(old) != ast.dump(new)]
    if len(changed) != 1 or not isinstance(changed[0], (ast.Assign, ast.AnnAssign)) or changed[0].value is None:
        return None
    targets = changed[0].targets if isinstance(changed[0], ast.Assign) else [changed[0].target]
    return (targets[0].id, changed[0].value) if isinstance(targets[0], ast.Name) and len(targets) == 1 else None


def _put_constant(path: Path, name: str, value: ast.expr) -> None:
    """Give a constant its new value in its module and where it was imported from there; raise NeedsImport if unsure.

    A value of an own class may be compared by identity, and what other statements of the module made of the constant
    would stay as it was.
    """
    (module,) = [one for one in [*sys.modules.values()] if getattr(one, "__file__", None) == str(path)]
    statements = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8")).body
    used = sum(isinstance(one, ast.Name) and one.id == name for one in _done_at_import(statements))
    old, new = vars(module)[name], eval(compile(ast.Expression(value), str(path), "eval"), vars(module))
    if used > 1 or not _is_plain(old) or not _is_plain(new):
        raise NeedsImport
    for one in [*sys.modules.values()]:
        if one is module or vars(one).get(name, module) is old:
            setattr(one, name, new)


def _done_at_import(statements: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a module that are executed at import: all but the bodies of functions."""
    for one in statements:
        yield one
        inside = [*one.args.defaults, *one.args.kw_defaults, *one.decorator_list] if isinstance(one, FUNCTIONS) else (
            [one.args] if isinstance(one, ast.Lambda) else ast.iter_child_nodes(one))  # fmt: skip
        yield from _done_at_import(node for node in inside if node is not None)


def _is_plain(value: object) -> bool:
    """Return whether a value is a number, a text, a pattern or a collection of such."""
    if isinstance(value, dict):
        return all(map(_is_plain, (*value, *value.values())))
    if isinstance(value, (tuple, list, set, frozenset)):
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, float, str, bytes, re.Pattern)


def _put(old: CodeType, new: CodeType, functions: list[FunctionType]) -> None:
    """Put new code where the old is, or the codes inside it; raise NeedsImport where neither can be done."""
    users = [function for function in functions if function.__code__ == old]
    if not users and _own(old) != _own(new):
        raise NeedsImport
    for function in users:
        function.__code__ = new.replace(co_filename=function.__code__.co_filename)
    for inner, other in zip(_codes(old), _codes(new), strict=True):
        if inner != other:
            try:
                _put(inner, other, functions)
            except NeedsImport:
                if not users:  # the function that holds it makes it anew at each call
                    raise


def _codes(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _own(code: CodeType) -> CodeType:
    """A code without those inside it, and without the columns at which they end."""
    kept = tuple(None if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_consts=kept, co_linetable=b"")


def parse_once() -> None:
    """From now on, parse a table again only where its text is another."""
    from cudnnlint.rulebook import compiled_tables, loader, table_loader

    table_loader.parsed = functools.cache(table_loader.parsed)
    compiled_tables.recalled = functools.cache(compiled_tables.recalled)
    for path in (loader.folder() / "tables").glob("*.toml"):
        table_loader.read(path)


def read_again(held: Held, changed: str) -> None:
    """Read the tables anew, and the rules where one is `changed`, into the objects that tests and modules hold."""
    parts = _parts()
    held.forget()
    if changed.endswith(".py"):
        for name in [name for name in sys.modules if name.startswith("cudnnlint.rules.")]:
            del sys.modules[name]
    for old, new in zip(parts, _parts(), strict=True):
        vars(old).clear()
        vars(old).update(vars(new))


def _parts() -> list[Any]:
    """The objects that tables are read into."""
    from cudnnlint.rulebook import conversion_table, loader, machine_table
    from cudnnlint.targets import environment

    book, others = loader.load(), (environment.known, conversion_table.conversion_table, machine_table.machine_table)
    return [book, book.tables, book.tables.names, book.tables.names.masks, *(read() for read in others)]
