"""The whole story on one page: paths -> files -> layers of facts -> verdicts -> diagnostics -> report.

Prints nothing and never exits. The same input gives the same report, for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cudnnlint.check import across_releases, check_file, read_all  # fmt: skip
from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.edit import Applicability
from cudnnlint.core.errors import UnreadableInput, UsageError
from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.report import Report, RulePage
from cudnnlint.core.target import Target
from cudnnlint.core.version import __version__
from cudnnlint.files import discovery, reading  # fmt: skip
from cudnnlint.files.executor import Executor, Progress
from cudnnlint.files.found import Found
from cudnnlint.fix import jobs, saved  # fmt: skip
from cudnnlint.fix.order import Order
from cudnnlint.rulebook import loader  # fmt: skip
from cudnnlint.settings import baseline, config  # fmt: skip
from cudnnlint.settings.settings import Flags, settle
from cudnnlint.targets import environment  # fmt: skip


@dataclass(frozen=True)
class Request:
    """What one run is asked. `stdin` is what `-` among the paths stands for, under the name `stdin_name`.

    Fixes in source are written out and proved only if `edits` are wanted: each file is read again with them. With
    `compare` the layers are judged for all releases too.
    """

    paths: tuple[str, ...]
    flags: Flags
    stdin: bytes = b""
    stdin_name: str | None = None
    edits: bool = True
    compare: bool = False


@dataclass(frozen=True)
class Outcome:
    """The report, how many of its diagnostics make the run fail, and whether cudnnlint itself is at fault."""

    report: Report
    failing: int
    crashed: bool
    judged: tuple[baseline.Judged, ...]


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
    the saved models that were written, each with what was said of it.
    """

    outcome: Outcome
    count: int
    sources: Mapping[str, tuple[bytes, bytes]]
    models: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    notes: tuple[str, ...] = ()


def check(request: Request, progress: Progress | None = None) -> Outcome:
    """Judge every file that the request names; `progress` is told how many are done, and of how many.

    Raises CudnnlintError for wrong use, a wrong configuration or a flawed rulebook.
    """
    with _executor(request, progress) as executor:
        found, results = _judged(request, executor)
        if request.edits:
            results = list(jobs.work(found, results, Order(request.flags), executor).results)
        return _outcome(results, len(found))


def fix(request: Request, wanted: Wanted, progress: Progress | None = None) -> Fixed:
    """Apply fixes to every file that the request names, and judge what is left.

    Raises CudnnlintError as `check` does, and where a model cannot be written.
    """
    order = Order(request.flags, wanted.kinds)
    with _executor(request, progress) as executor:
        found, results = _judged(request, executor)
        applied = jobs.work(found, results, order, executor)
    old = {item.path: reading.source(item, "notebook") for item in found if item.path in applied.written}
    results = list(applied.results)
    models, notes, count = [], [], applied.fixed
    for index, (item, result) in enumerate(zip(found, results, strict=True)):
        rewritten = _rewritten(item, result, order, wanted)
        results[index] = rewritten.result
        count += rewritten.fixed
        if rewritten.to is not None:
            models.append((rewritten.to, rewritten.remarks))
        else:
            notes += [f"{item.path}: {text}" for text in rewritten.remarks]
    sources = {path: (old[path], new) for path, new in applied.written.items()}
    return Fixed(_outcome(results, len(found)), count, sources, tuple(models), tuple(notes))


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
    discovery.forget()
    environment.sources.cache_clear()
    baseline.read.cache_clear()
    reading.forget()
    loader.load()  # a flawed rulebook is fatal before any file is read
    jobs = request.flags.jobs
    return Executor(run_config(request).jobs if jobs is None else jobs, progress)


def _judged(request: Request, executor: Executor) -> tuple[list[Found], list[CheckedFile]]:
    found = list(discover(request))
    read = read_all.read_all(found, request.flags, executor)
    with_layers = sum(isinstance(one, Model) and bool(one.layers) for one in read)
    most = across_releases.most_of(with_layers) if request.compare else 0
    flags = replace(request.flags, compared=most)
    return found, executor.map(check_file.judge, flags, list(zip(found, read, strict=True)))


def discover(request: Request) -> Iterator[Found]:
    """Yield the files of a request, including standard input."""
    if "-" in request.paths:
        yield from discovery.stdin(request.stdin_name or "-", request.stdin, request.flags.force_exclude)
    paths = tuple(path for path in request.paths if path != "-")
    yield from discovery.discover(paths, request.flags.force_exclude)


def run_config(request: Request) -> config.Config:
    """Return the configuration of the run as a whole: the nearest to all of its paths."""
    named = [request.stdin_name or "." if path == "-" else path for path in request.paths]
    paths = [os.path.realpath(path) for path in named]
    folder = Path(os.path.commonpath(paths))
    return config.nearest(folder if folder.is_dir() else folder.parent)


def targets_of(path: str, asked: tuple[str, ...]) -> tuple[Target, ...]:
    """Return the targets that a file, or the sources in a folder, would be checked for."""
    real = Path(os.path.abspath(path))
    model_folder = (real / discovery.SAVED_MODEL).is_file()
    folder = real if real.is_dir() and not model_folder else real.parent
    settings = settle(Flags(target=asked), config.nearest(folder), real, loader.load())
    hints = FileHints()
    if real.is_file() or model_folder:
        try:
            model = reading.read(Found(path, real, folder=model_folder), loader.load().tables.names)
        except (UnreadableInput, OSError) as error:
            raise UsageError(f"Cannot read {path}: {error}") from error
        hints = environment.hints(model) if model is not None else hints
    return environment.decide(settings.requested, hints, folder, environment.known())


def _outcome(results: Sequence[CheckedFile], seen: int) -> Outcome:
    judged = [_numbered(result, first) for result, first in _with_first_id(results)]
    diagnostics = tuple(diagnostic for _, found in judged for diagnostic in found)
    codes = {diagnostic.code for diagnostic in diagnostics}
    pages = tuple(
        RulePage(rule.code, rule.name, rule.summary, rule.page, loader.URL.format(name=rule.name))
        for rule in sorted(loader.load().rules.values(), key=lambda rule: rule.code)
        if rule.code in codes
    )
    report = Report(tuple(file for file, _ in judged), diagnostics, seen, __version__, pages)
    failing = sum(result.failing for result in results)
    return Outcome(report, failing, "CDN003" in codes, tuple(judged))


def _with_first_id(results: Sequence[CheckedFile]) -> Iterator[tuple[CheckedFile, int]]:
    first = 0
    for result in results:
        if result.file is not None:
            yield result, first
            first += len(result.file.layers)


def _numbered(result: CheckedFile, first: int) -> baseline.Judged:
    """Return the result with the ids of its layers shifted, so that they are unique in the report."""
    assert result.file is not None
    layers = tuple(replace(layer, id=layer.id + first) for layer in result.file.layers)
    moved = tuple(replace(d, layers=tuple(layer + first for layer in d.layers)) for d in result.diagnostics)
    return replace(result.file, layers=layers), moved
