"""The whole story on one page: paths -> files -> layers of facts -> verdicts -> diagnostics -> report.

Prints nothing and never exits. The same input gives the same report, for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cudnnlint.check import outcome_of, read_all  # fmt: skip
from cudnnlint.check.across_releases import MOST
from cudnnlint.check.check_file import CheckedFile
from cudnnlint.check.outcome_of import Outcome as Outcome
from cudnnlint.core.edit import Applicability
from cudnnlint.core.errors import UsageError
from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import Shard
from cudnnlint.core.target import Target
from cudnnlint.core.text import is_url
from cudnnlint.files import discovery, ignore_files, reading, remote  # fmt: skip
from cudnnlint.files.executor import Executor, Progress
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.fix import jobs, saved  # fmt: skip
from cudnnlint.fix.order import Order
from cudnnlint.fix.part_by_part import Run, judged
from cudnnlint.rulebook import loader  # fmt: skip
from cudnnlint.settings import baseline, config  # fmt: skip
from cudnnlint.settings.settings import Flags, settle
from cudnnlint.targets import environment  # fmt: skip


@dataclass(frozen=True)
class Request:
    """What one run is asked. `stdin` is what `-` among the paths stands for, under the name `stdin_name`.

    Fixes in source are written out and proved only if `edits` are wanted: each file is read again with them. With
    `compare` the layers are judged for all releases too. `shard` is the part of the files that this run is about:
    which, of how many.
    """

    paths: tuple[str, ...]
    flags: Flags
    stdin: bytes = b""
    stdin_name: str | None = None
    edits: bool = True
    compare: bool = False
    shard: tuple[int, int] | None = None


@dataclass(frozen=True)
class Wanted:
    """What a run is to fix: fixes of these kinds. `model` is where a fixed saved model goes (None: beside it).

    With `write` False nothing is written, and the outcome tells what would be. With `verify` a fixed model is run
    beside the old one first.
    """

    kinds: frozenset[Applicability]
    model: str | None = None
    in_place: bool = False
    write: bool = True
    verify: bool = False


@dataclass(frozen=True)
class Fixed:
    """The outcome once the fixes are applied, and how many findings they took away.

    `sources` are the old and new bytes of the source files that change, by path (the caller writes them); `models`
    the saved models that were written, each with what was said of it; `changed` the files that were not fixed because
    somebody else changed them meanwhile.
    """

    outcome: Outcome
    count: int
    sources: Mapping[str, tuple[bytes, bytes]]
    models: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    notes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def check(request: Request, progress: Progress | None = None) -> Outcome:
    """Judge every file that the request names; `progress` is told how many are done, and of how many.

    Raises CudnnlintError for wrong use, a wrong configuration or a flawed rulebook.
    """
    with _executor(request, progress) as executor:
        found, run_files = _found(request, executor)
        flags = replace(request.flags, compared=MOST) if request.compare else request.flags
        run = Run(found, run_files, flags, request.edits, early=False)
        placed = list(run.results(executor, request.shard))
    outcome = outcome_of.outcome([result for _, result in placed], len(placed))
    if request.shard is None:
        return outcome
    positions = tuple(position for position, result in placed if result.file is not None)
    shard = Shard(*request.shard, run_files.linted.digest, positions)
    return replace(outcome, report=replace(outcome.report, shard=shard))


def one_by_one(request: Request, progress: Progress | None = None) -> Iterator[Outcome]:
    """Yield what `check` returns, file by file and in the same order, as soon as a file and those before are judged.

    Raises CudnnlintError as `check` does. What was yielded is not kept.
    """
    with _executor(request, progress) as executor:
        found, run_files = _found(request, executor)
        run = Run(found, run_files, request.flags, request.edits, early=True)
        first = 0
        for _, result in run.results(executor, request.shard):
            outcome = outcome_of.outcome([result], 1, first)
            first += sum(len(file.layers) for file in outcome.report.files)
            yield outcome


def _found(request: Request, executor: Executor) -> tuple[list[Found], RunFiles]:
    """Return the files of the request, and let all processes know them."""
    found = list(discover(request))
    run_files = read_all.linted(found)
    executor.tell(run_files.linted.paths)
    return found, run_files


def fix(request: Request, wanted: Wanted, progress: Progress | None = None) -> Fixed:
    """Apply fixes to every file that the request names, and judge what is left.

    Raises CudnnlintError as `check` does, and where a model cannot be written.
    """
    order = Order(request.flags, wanted.kinds)
    with _executor(request, progress) as executor:
        found, run_files = _found(request, executor)
        results = judged(found, request.flags, executor, run_files)
        applied = jobs.work(found, results, jobs.groups(results), order, executor, run_files)
    results = list(applied.results)
    models, notes, changed, count = [], list[str](), list(applied.changed), applied.fixed
    for index, (item, result) in enumerate(zip(found, results, strict=True)):
        rewritten = _rewritten(item, result, order, wanted)
        results[index] = rewritten.result
        count += rewritten.fixed
        changed += [item.path] if rewritten.changed else []
        if rewritten.to is not None:
            models.append((rewritten.to, rewritten.remarks))
        else:
            notes += [f"{item.path}: {text}" for text in rewritten.remarks]
    outcome = outcome_of.outcome(results, len(found))
    return Fixed(outcome, count, applied.written, tuple(models), tuple(notes), tuple(changed))


def _rewritten(item: Found, result: CheckedFile, order: Order, wanted: Wanted) -> saved.Rewritten:
    """Return a saved model after its fixes; any other file as it is."""
    own = Path(item.path)
    to = Path(wanted.model) if wanted.model else own if wanted.in_place else saved.beside(own)
    if item.data is not None:  # standard input
        return saved.Rewritten(result, 0, None)
    try:
        return saved.fix(item, result, order, to, wanted.write, wanted.verify)
    except OSError as error:
        raise UsageError(f"Cannot write {to}: {error.strerror or error}.") from error


def _executor(request: Request, progress: Progress | None) -> Executor:
    """Forget what an earlier run knew, prove the rulebook, and call the processes together."""
    config.forget()
    ignore_files.forget()
    environment.forget()
    baseline.read.cache_clear()
    reading.forget()
    loader.load()  # a flawed rulebook is fatal before any file is read
    jobs = request.flags.jobs
    return Executor(run_config(request).jobs if jobs is None else jobs, progress)


def discover(request: Request) -> Iterator[Found]:
    """Yield the files of a request, including standard input."""
    if "-" in request.paths:
        yield from discovery.stdin(request.stdin_name or "-", request.stdin, request.flags.force_exclude)
    paths = tuple(path for path in request.paths if path != "-")
    yield from discovery.discover(paths, request.flags.force_exclude)


def run_config(request: Request) -> config.Config:
    """Return the configuration of the run as a whole: the nearest to all of its paths."""
    named = [request.stdin_name or "." if path == "-" else "." if is_url(path) else path for path in request.paths]
    paths = [os.path.realpath(path) for path in named]
    folder = Path(os.path.commonpath(paths))
    return config.nearest(folder if folder.is_dir() else folder.parent)


def targets_of(path: str, asked: tuple[str, ...]) -> tuple[Target, ...]:
    """Return the targets that a file, or the sources in a folder, would be checked for."""
    if is_url(path):
        remote.prove(path)
    real = Path(os.path.abspath("index" if is_url(path) else path))
    model_folder = (real / discovery.SAVED_MODEL).is_file()
    folder = real if real.is_dir() and not model_folder else real.parent
    settings = settle(Flags(target=asked), config.nearest(folder), real, loader.load())
    hints = FileHints()
    if real.is_file() or model_folder or is_url(path):
        found = Found(path, str(real), folder=model_folder, named=True)
        (read,) = read_all.read_all([found], Flags(target=asked), Executor(1), read_all.linted([found]))
        if isinstance(read, read_all.Failure):
            raise UsageError(f"Cannot read {path}: {read.reason}")
        hints = environment.hints(read) if read is not None else hints
    return environment.decide(settings.requested, hints, folder, environment.known())
