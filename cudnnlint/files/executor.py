"""Do the same with many items, in this process or in several. The results have the order of the items."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from cudnnlint.core.errors import CudnnlintError
from cudnnlint.files.linted import tell

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.connection import Connection

#: Below this many items, starting processes costs more than it saves (a worker imports for 0.3 s).
POOL_FROM = 24
BATCHES = 8  # for each process: few enough to be cheap to send, many enough to share the work evenly
#: Windows waits for 63 things at once, and Python needs two of them; elsewhere more are only more to start.
MOST_PROCESSES = 61 if sys.platform == "win32" else sys.maxsize

#: What ends a run; a process of the pool ends with it, by its lifeline, and is not to hear of these itself.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

Progress = Callable[[int, int], None]
Shared = TypeVar("Shared")
Item = TypeVar("Item")
Done = TypeVar("Done")


class Executor:
    """The processes of one run; they start when there is work for them.

    `progress` is told, of longer work, how many items are done, and of how many.
    """

    def __init__(self, jobs: int | None, progress: Progress | None = None) -> None:
        self.jobs = min(jobs or _cores(), MOST_PROCESSES)
        self.progress = progress or (lambda done, total: None)
        self.pool: ProcessPoolExecutor | None = None
        self.lifeline: Connection | None = None
        self.told: tuple[str, ...] = ()
        self.before = self.total = 0

    def tell(self, linted: tuple[str, ...]) -> None:
        """Let the processes know the paths of the run, before the first of them starts."""
        self.told = linted

    def count(self, before: int, total: int) -> None:
        """Let `progress` count what is done from now on behind `before` items of a longer run."""
        self.before, self.total = before, total

    def __enter__(self) -> Executor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.lifeline is not None and error is not None:
            self.lifeline.close()
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)
        if self.lifeline is not None:
            self.lifeline.close()

    def map(self, work: Callable[[Shared, Item], Done], shared: Shared, items: Sequence[Item]) -> list[Done]:
        """`work(shared, item)` for every item; `shared` is what all of them need."""
        if len(items) < POOL_FROM:
            return _batch(work, shared, items)
        size = max(1, len(items) // (self.jobs * BATCHES)) if self.jobs > 1 else 1
        batches = [items[at : at + size] for at in range(0, len(items), size)]
        found: list[Done] = []
        for batch in self._mapped(partial(_batch, work, shared), batches):
            found += batch
            self.progress(min(self.before + len(found), self.total or len(items)), max(self.total, len(items)))
        return found

    def _mapped(
        self, work: Callable[[Sequence[Item]], list[Done]], batches: Sequence[Sequence[Item]]
    ) -> Iterator[list[Done]]:
        if self.jobs < 2:
            yield from map(work, batches)
            return
        from concurrent.futures import BrokenExecutor  # here alone: it takes longer to import than a file to check

        try:
            with _held_back():
                done = self._pool().map(work, batches)  # here the processes start
            yield from done
        except BrokenExecutor as error:
            raise CudnnlintError("A worker process crashed. To find out on which file, run with --jobs 1.") from error

    def _pool(self) -> ProcessPoolExecutor:
        """Return the processes, which start now if they have not."""
        if self.pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import Pipe

            tell(self.told)
            end, self.lifeline = Pipe(duplex=False)
            given = (self.told, end, self.lifeline)
            self.pool = ProcessPoolExecutor(self.jobs, initializer=_begin, initargs=given)
        return self.pool


@contextmanager
def _held_back() -> Iterator[None]:
    """Let what ends the run wait: a process that has just started would hear it before it knows what to do then."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(told: tuple[str, ...], end: Connection, lifeline: Connection) -> None:
    """Begin as a process of a pool, which ends with the run that it works for, however that ends."""
    lifeline.close()  # inherited: only the run itself is to hold it
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    tell(told)
    threading.Thread(target=_end_with, args=(end,), daemon=True).start()


def _end_with(end: Connection) -> None:
    """Wait until nobody holds the lifeline any more."""
    with suppress(EOFError, OSError):
        end.recv_bytes()
    os.kill(os.getpid(), signal.SIGTERM)


def _batch(work: Callable[[Shared, Item], Done], shared: Shared, items: Sequence[Item]) -> list[Done]:
    return [work(shared, item) for item in items]


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
