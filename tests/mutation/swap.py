"""Puts a mutant into a running process: functions in place, rules and tables by reading them again.

What was done when a module was imported cannot be done again in place; such a mutant needs a process of its own.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

CACHE = type(functools.cache(lambda: None))


class NeedsImport(Exception):
    """The mutant changes what is done at import."""


def put(path: Path, before: str, after: str) -> None:
    """Put the functions of `after` where those of `before` are; `path` is the file that they were read from."""
    every = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    functions = [one for one in every if one.__code__.co_filename == str(path)]
    old, new = (compile(text, str(path), "exec", dont_inherit=True) for text in (before, after))
    _put(old, new, functions)
    forget()


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
    """A code without those inside it."""
    return code.replace(co_consts=tuple(None if isinstance(one, CodeType) else one for one in code.co_consts))


def forget() -> None:
    """Empty every cache of the program's functions."""
    for one in gc.get_objects():
        if isinstance(one, CACHE) and str(one.__module__).startswith("cudnnlint"):
            one.cache_clear()


def read_again() -> None:
    """Read the rules and tables anew, into the objects that tests and modules hold already."""
    from cudnnlint.rulebook import loader
    from cudnnlint.targets import environment

    held = list(_parts(loader.load(), environment.known()))
    forget()
    for name in [name for name in sys.modules if name.startswith("cudnnlint.rules.")]:
        del sys.modules[name]
    for old, new in zip(held, _parts(loader.load(), environment.known()), strict=True):
        vars(old).clear()
        vars(old).update(vars(new))


def _parts(book: Any, known: Any) -> Iterator[Any]:
    yield from (book, book.tables, book.tables.names, book.tables.names.masks, known)
