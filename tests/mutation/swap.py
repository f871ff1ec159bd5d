"""Puts a mutant into a running process: functions in place, rules and tables by reading them again.

What was done when a module was imported cannot be done again in place; such a mutant needs a process of its own.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

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
    """Put the functions of `after` where those of `before` are; `path` is the file that they were read from."""
    old, new = (compile(text, str(path), "exec", dont_inherit=True) for text in (before, after))
    _put(old, new, held.functions[str(path)])
    held.forget()


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
