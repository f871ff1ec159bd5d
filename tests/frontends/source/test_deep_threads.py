"""Reading source raises limits of the process; several threads at once put them back all the same."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

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


ENDLESS = """
import os, signal, threading
from cudnnlint.cli import ending
from cudnnlint.frontends.source.syntax.deep_stack import deep

def work():
    os.kill(os.getpid(), signal.{name})
    threading.Event().wait()

ending.on_signals()
deep(work)
"""


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 128 + signal.SIGTERM), ("SIGINT", -signal.SIGINT)])
def test_a_program_that_is_told_to_end_does_not_wait_for_a_file_that_takes_long(name: str, status: int) -> None:
    program = [sys.executable, "-c", ENDLESS.format(name=name)]
    assert subprocess.run(program, capture_output=True, timeout=120, check=False).returncode == status
