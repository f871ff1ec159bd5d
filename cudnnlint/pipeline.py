"""The whole story on one page: paths -> files -> layers of facts -> verdicts -> diagnostics -> report.

Prints nothing and never exits. The same input gives the same report, for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from cudnnlint import __version__, baseline, config, discovery, engine, environment, reading, rulebook, suppress
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability, Effect
from cudnnlint.core.errors import CudnnlintError, UnreadableInput, UsageError
from cudnnlint.core.layer import FileHints
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, Report, RulePage
from cudnnlint.core.target import Target
from cudnnlint.releases import Releases
from cudnnlint.settings import CANNOT_TELL, Flags, Settings, settle

#: Below this many files, starting processes costs more than it saves (a worker imports for 0.3 s).
POOL_FROM = 24


@dataclass(frozen=True)
class Request:
    """What one run is asked. `stdin` is what `-` among the paths stands for, under the name `stdin_name`."""

    paths: tuple[str, ...]
    flags: Flags
    stdin: bytes = b""
    stdin_name: str | None = None


@dataclass(frozen=True)
class Result:
    """One judged file; `file` is None where source was passed over. Ids of layers count from 0 in the file.

    `failing` is how many of the diagnostics make the run fail.
    """

    file: FileReport | None
    diagnostics: tuple[Diagnostic, ...] = ()
    failing: int = 0


@dataclass(frozen=True)
class Outcome:
    """The report, how many of its diagnostics make the run fail, and whether cudnnlint itself is at fault."""

    report: Report
    failing: int
    crashed: bool
    judged: tuple[baseline.Judged, ...]


def check(request: Request) -> Outcome:
    """Judge every file that the request names.

    Raises CudnnlintError for wrong use, a wrong configuration or a flawed rulebook.
    """
    config.forget()
    discovery.forget()
    environment.sources.cache_clear()
    baseline.read.cache_clear()
    rulebook.load()  # a flawed rulebook is fatal before any file is read
    found = list(discover(request))
    results = _judge_all(found, request.flags)
    return _outcome(results, len(found))


def discover(request: Request) -> Iterator[discovery.Found]:
    """The files of a request, standard input among them."""
    if "-" in request.paths:
        yield from discovery.stdin(request.stdin_name or "-", request.stdin, request.flags.force_exclude)
    paths = tuple(path for path in request.paths if path != "-")
    yield from discovery.discover(paths, request.flags.force_exclude)


def _judge_all(found: list[discovery.Found], flags: Flags) -> list[Result]:
    jobs = min(_jobs(flags), len(found))
    if jobs < 2 or len(found) < POOL_FROM:
        return [judge_file(item, flags) for item in found]
    try:
        with ProcessPoolExecutor(jobs) as pool:
            chunk = max(1, len(found) // (jobs * 8))
            return list(pool.map(judge_file, found, [flags] * len(found), chunksize=chunk))
    except BrokenProcessPool as error:
        raise CudnnlintError("A worker process died; run with --jobs 1 to see at which file.") from error


def _jobs(flags: Flags) -> int:
    if flags.jobs:
        return flags.jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def _releases() -> Releases:
    return environment.releases(rulebook.load().tables)


def judge_file(found: discovery.Found, flags: Flags) -> Result:
    """Read and judge one file: its report, and what is left of its diagnostics."""
    book = rulebook.load()
    settings = settle(flags, config.nearest(found.real.parent), found.real, book)
    file, diagnostics = _read_and_judge(found, settings)
    if file is None:
        return Result(None)
    left = suppress.apply(file, tuple(sorted(diagnostics, key=_order)), settings, book)
    if settings.baseline is not None:
        left = baseline.left(file, left, baseline.read(settings.baseline), settings.baseline)
    return Result(file, left, sum(_fails(diagnostic, settings) for diagnostic in left))


def _read_and_judge(found: discovery.Found, settings: Settings) -> tuple[FileReport | None, list[Diagnostic]]:
    """What cannot be read becomes CDN001 here, and the others go on."""
    book = rulebook.load()
    try:
        model = reading.read(found, book.tables.names)
        if model is None:
            return None, []
        targets = environment.decide(settings.wish, model.hints, found.real.parent, _releases())
        judged = engine.judge(model, targets, book)
    except UnreadableInput as error:
        return _failed(found, error)
    except RecursionError:
        return _failed(found, UnreadableInput("It is nested too deeply."))
    except OSError as error:
        return _failed(found, UnreadableInput(f"It cannot be opened: {error.strerror or error}."))
    broken = [_unreadable(found.path, reason, place) for reason, place in model.errors]
    file = FileReport(
        path=found.path,
        kind=model.kind,
        targets=targets if judged.layers else (),
        layers=judged.layers,
        error=("CDN001", broken[0].message) if broken else None,
        notes=model.notes,
        source=model.source,
        cells=model.cells,
    )
    return file, [*broken, *(_for_inference(d) if settings.inference else d for d in judged.diagnostics)]


def _failed(found: discovery.Found, error: UnreadableInput) -> tuple[FileReport, list[Diagnostic]]:
    column = error.column or 1
    place = SourcePlace(found.path, error.row, column, error.row, column + 1) if error.row else None
    diagnostic = _unreadable(found.path, error.reason, place, error.pointer)
    source = reading.text(found) if place else None
    kind = reading.SUFFIXES.get(found.real.suffix.lower(), "python")
    return FileReport(found.path, kind, error=("CDN001", error.reason), source=source), [diagnostic]


def _unreadable(path: str, reason: str, place: SourcePlace | None, pointer: bool = False) -> Diagnostic:
    rule = rulebook.load().rules["unreadable-input"]
    severity, advice = (Severity.INFO, None) if pointer else (Severity.ERROR, rule.advice)
    return Diagnostic(rule.code, rule.name, reason, severity, path, location=place, advice=advice)


def _for_inference(diagnostic: Diagnostic) -> Diagnostic:
    """Under `--for inference`, a fix that changes training only is as safe as one that changes nothing."""
    fix = diagnostic.fix
    if fix is None or fix.intent is None or fix.applicability is not Applicability.UNSAFE:
        return diagnostic
    if fix.intent.effect is not Effect.SAME_AT_INFERENCE:
        return diagnostic
    return replace(diagnostic, fix=replace(fix, applicability=Applicability.SAFE))


def _order(diagnostic: Diagnostic) -> tuple[int, int, int, str]:
    """Along the source; the sort is stable, so that targets, and the layers of a saved model, keep their order."""
    place = diagnostic.location
    return (place.cell or 0, place.row, place.column, diagnostic.code) if place else (0, 0, 0, "")


def _fails(diagnostic: Diagnostic, settings: Settings) -> bool:
    strict = settings.strict and diagnostic.code == CANNOT_TELL
    return strict or diagnostic.severity.weight >= Severity(settings.fail_on).weight


def run_config(request: Request) -> config.Config:
    """The configuration that holds for the run as a whole: the nearest to all of its paths."""
    named = [request.stdin_name or "." if path == "-" else path for path in request.paths]
    paths = [os.path.realpath(path) for path in named]
    folder = Path(os.path.commonpath(paths))
    return config.nearest(folder if folder.is_dir() else folder.parent)


def targets_of(path: str, asked: tuple[str, ...]) -> tuple[Target, ...]:
    """The targets that a file, or the sources in a folder, would be judged for."""
    real = Path(os.path.abspath(path))
    folder = real if real.is_dir() else real.parent
    settings = settle(Flags(target=asked), config.nearest(folder), real, rulebook.load())
    hints = FileHints()
    if real.is_file():
        try:
            model = reading.read(discovery.Found(path, real), rulebook.load().tables.names)
        except (UnreadableInput, OSError) as error:
            raise UsageError(f"{path} cannot be read: {error}") from error
        hints = model.hints if model is not None else hints
    return environment.decide(settings.wish, hints, folder, _releases())


def _outcome(results: list[Result], seen: int) -> Outcome:
    judged = [_numbered(result, first) for result, first in _with_first_id(results)]
    diagnostics = tuple(diagnostic for _, found in judged for diagnostic in found)
    codes = {diagnostic.code for diagnostic in diagnostics}
    pages = tuple(
        RulePage(rule.code, rule.name, rule.summary, rule.page, rulebook.URL.format(name=rule.name))
        for rule in sorted(rulebook.load().rules.values(), key=lambda rule: rule.code)
        if rule.code in codes
    )
    report = Report(tuple(file for file, _ in judged), diagnostics, seen, __version__, pages)
    failing = sum(result.failing for result in results)
    return Outcome(report, failing, "CDN003" in codes, tuple(judged))


def _with_first_id(results: list[Result]) -> Iterator[tuple[Result, int]]:
    first = 0
    for result in results:
        if result.file is not None:
            yield result, first
            first += len(result.file.layers)


def _numbered(result: Result, first: int) -> baseline.Judged:
    """The ids of a file's layers, moved so that they are unique in the report."""
    assert result.file is not None
    layers = tuple(replace(layer, id=layer.id + first) for layer in result.file.layers)
    moved = tuple(replace(d, layers=tuple(layer + first for layer in d.layers)) for d in result.diagnostics)
    return replace(result.file, layers=layers), moved
