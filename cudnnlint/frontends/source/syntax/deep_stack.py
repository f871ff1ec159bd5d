"""A stack that is deep enough for the deepest source that `guard` lets through."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

STACK = 512 * 1024 * 1024
RECURSION = 100_000
#: The limits as they were, and an entry for each thread that needs higher ones.
_counting, _before, _inside = threading.Lock(), list[tuple[int, int]](), list[None]()

T = TypeVar("T")


def deep(work: Callable[[], T]) -> T:
    """Return the result of work that recurses deeply, run in a thread with a large stack and a raised limit.

    Nothing waits for the thread where the caller is interrupted: a program that is told to end does not go on.
    """
    done: Future[T] = Future()
    with _raised():
        threading.Thread(target=copy_context().run, args=(_finish, work, done), daemon=True).start()
        return done.result()


def _finish(work: Callable[[], T], done: Future[T]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # it is the caller's, whatever it is
        done.set_exception(error)


@contextmanager
def _raised() -> Iterator[None]:
    """Raise the limits of the process; the last of several threads that need them puts them back."""
    with _counting:
        if not _before:
            _before.append((threading.stack_size(STACK), sys.getrecursionlimit()))
            sys.setrecursionlimit(max(_before[0][1], RECURSION))
        _inside.append(None)
    try:
        yield
    finally:
        with _counting:
            _inside.pop()
            if not _inside:
                stack, limit = _before.pop()
                threading.stack_size(stack)
                sys.setrecursionlimit(limit)
