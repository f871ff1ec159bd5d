"""What a process of the pool does with the signals that end a run: it hears none before it knows what to do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable

import pytest

from cudnnlint.files.executor import POOL_FROM, Executor

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


def heard(shared: int, item: int) -> tuple[bool, bool, Iterable[int], int]:
    """How this process takes the signals, and which of them it does not hear."""
    own = os.getpid() != shared
    mask = sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []))
    if own:
        os.kill(os.getpid(), signal.SIGINT)  # Ctrl-C goes to every process of a terminal
    return own, signal.getsignal(signal.SIGINT) == signal.SIG_IGN, mask, item


def test_a_process_of_the_pool_leaves_ctrl_c_to_its_run() -> None:
    with Executor(2) as executor:
        found = executor.map(heard, os.getpid(), range(POOL_FROM))
    assert found == [(True, True, [], at) for at in range(POOL_FROM)]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_signals_wait_while_processes_start(monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = []

    class Pool:
        def map(self, work: object, batches: list[range]) -> list[list[int]]:
            blocked.append(signal.pthread_sigmask(signal.SIG_BLOCK, []))
            return [list(batch) for batch in batches]

        def shutdown(self, cancel_futures: bool) -> None:
            pass

    executor = Executor(2)
    monkeypatch.setattr(executor, "_pool", Pool)
    assert executor.map(heard, 0, range(POOL_FROM)) == list(range(POOL_FROM))
    assert blocked == [{signal.SIGINT, signal.SIGTERM, signal.SIGHUP}]
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])
