"""Check every model of a registry on a cluster: `python examples/registry.py dask|ray|threads < URIS > findings.jsonl`.

URIS are paths or URLs, one on each line, any number of them (`pip install "cudnnlint[remote]"` for URLs, and
`distributed` or `ray`). The output has a line for each model, in their order.
"""

from __future__ import annotations

import concurrent.futures
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import cudnnlint


@contextmanager
def threads() -> Iterator[concurrent.futures.Executor]:
    """Use threads of this process: most of the time is spent waiting for servers."""
    with concurrent.futures.ThreadPoolExecutor(32) as executor:
        yield executor


@contextmanager
def dask() -> Iterator[concurrent.futures.Executor]:
    """Use the Dask cluster that the environment names (DASK_SCHEDULER_ADDRESS), or one on this machine."""
    from distributed import Client

    with Client() as client:
        yield client.get_executor()


class RayExecutor(concurrent.futures.Executor):
    """A Ray cluster as an executor: each call is a task."""

    def __init__(self) -> None:
        import ray

        self.task = cache(ray.remote)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        """Start a task and return its future."""
        future: concurrent.futures.Future[Any] = self.task(fn).remote(*args, **kwargs).future()
        return future


@contextmanager
def ray() -> Iterator[concurrent.futures.Executor]:
    """Use the Ray cluster that the environment names (RAY_ADDRESS), or one on this machine."""
    import ray

    with ray.init():
        yield RayExecutor()


def main(engine: str) -> None:
    """Write a line for each model: its path, its layers by verdict, and the codes that were found."""
    uris = (line.strip() for line in sys.stdin if line.strip())
    with {"threads": threads, "dask": dask, "ray": ray}[engine]() as executor:
        for report in cudnnlint.check_many(uris, executor, ahead=1_000):
            codes = sorted({diagnostic.code for diagnostic in report.diagnostics})
            paths = [file.path for file in report.files]
            print(json.dumps({"paths": paths, **report.counts(), "codes": codes}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "threads")
