"""Reading source raises limits of the process; several threads at once put them back all the same."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from cudnnlint.frontends.source.syntax.deep_stack import RECURSION, deep


def test_threads_that_overlap_leave_the_limits_as_they_were() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    entered, leave = threading.Barrier(2), threading.Event()

    def first() -> int:
        entered.wait()
        return sys.getrecursionlimit()

    def second() -> int:
        entered.wait()
        leave.wait()
        return sys.getrecursionlimit()

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(deep, first), pool.submit(deep, second)
        assert one.result() == RECURSION
        leave.set()
        assert other.result() == RECURSION
    assert (sys.getrecursionlimit(), threading.stack_size()) == before
