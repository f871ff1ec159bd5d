"""`check_many`: one report for each of many files or URLs, computed by any executor of `concurrent.futures`."""

from __future__ import annotations

import os
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.check import check_file, read_all
from cudnnlint.check.outcome_of import outcome
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import FileReport, Report
from cudnnlint.files import discovery, ignore_files, reading
from cudnnlint.files.executor import Executor
from cudnnlint.settings import config
from cudnnlint.settings.settings import Flags
from cudnnlint.targets import environment

if TYPE_CHECKING:
    import concurrent.futures

#: Files that are submitted before the first of them has to be finished.
AHEAD = 64
#: The call of `check_many` that this process worked for last.
_LAST: list[str] = []


def check_many(
    uris: Iterable[str | os.PathLike[str]],
    executor: concurrent.futures.Executor | None = None,
    *,
    target: str | None = None,
    ahead: int = AHEAD,
) -> Iterator[Report]:
    """Yield a report for each path or URL, in their order; a file that cannot be read has CDN001 in its own.

    `executor` is any executor of `concurrent.futures` (threads, processes, a Dask or Ray cluster); without one, the
    files are read one by one as the reports are asked for. No more than `ahead` files are submitted before the oldest
    of them is finished, and `uris` may be a generator. Each file is read by itself, and settings are those of its
    folder, or of the working folder for a URL. `target` is written as for `--target`. Raises UsageError for a target
    that does not exist, and for URLs without the extra `remote`.
    """
    flags = Flags(target=(target,) if target else (), jobs=1)
    run = uuid.uuid4().hex
    names = (os.fspath(uri) for uri in uris)
    if executor is None:
        yield from (check_one(name, flags, run) for name in names)
        return
    waiting: deque[concurrent.futures.Future[Report]] = deque()
    try:
        for name in names:
            waiting.append(executor.submit(check_one, name, flags, run))
            if len(waiting) >= max(1, ahead):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def check_one(uri: str, flags: Flags, run: str) -> Report:
    """Return the report on one path or URL; what an earlier run found out about folders is forgotten."""
    if [run] != _LAST:
        for forget in (config.forget, ignore_files.forget, environment.forget, reading.forget):
            forget()
        _LAST[:] = [run]
    found = list(discovery.discover((uri,)))
    read = read_all.read_all(found, flags, Executor(1), read_all.linted(found))
    results = [check_file.judge(flags, item) for item in zip(found, read, strict=True)]
    report = outcome(results, len(found)).report
    return replace(report, files=tuple(map(_lighter, report.files)))


def _lighter(file: FileReport) -> FileReport:
    """Return a file without the facts of its layers, which only fixes need."""
    return replace(file, layers=tuple(replace(layer, layer=None) for layer in file.layers))
