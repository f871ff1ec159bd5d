"""Some work for each of several things, so many of them at once."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")
Result = TypeVar("Result")


def each(work: Callable[[Thing], Result], things: Sequence[Thing], jobs: int) -> Iterator[Result]:
    """Yield what `work` returns for each thing, `jobs` at once, as they are done; what it raises is raised here.

    The threads are daemons: whoever interrupts the program does not wait for them, and their children end with it.
    """
    if jobs == 1:
        yield from map(work, things)
        return
    done: queue.Queue[Result | Exception] = queue.Queue()
    waiting: queue.SimpleQueue[Thing] = queue.SimpleQueue()
    for thing in things:
        waiting.put(thing)

    def worker() -> None:
        with contextlib.suppress(queue.Empty):  # nothing is left
            while True:
                thing = waiting.get_nowait()
                try:
                    done.put(work(thing))
                except Exception as error:
                    done.put(error)

    for _ in range(jobs):
        threading.Thread(target=worker, daemon=True).start()
    for _ in things:
        found = done.get()
        if isinstance(found, Exception):
            raise found
        yield found
