"""The whole story on one page: paths -> files -> layers of facts -> verdicts -> diagnostics -> report.

Prints nothing and never exits. The same input gives the same report, for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from cudnnlint import (
    __version__,
    baseline,
    config,
    discovery,
    engine,
    environment,
    gathering,
    reading,
    rulebook,
    suppress,
)  # fmt: skip
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability, Effect
from cudnnlint.core.errors import UnreadableInput, UsageError
from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, Report, RulePage
from cudnnlint.core.target import Target
from cudnnlint.crew import Crew
from cudnnlint.gathering import Failure, Read
from cudnnlint.releases import Releases
from cudnnlint.settings import CANNOT_TELL, Flags, Settings, settle


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
    reading.forget()
    rulebook.load()  # a flawed rulebook is fatal before any file is read
    found = list(discover(request))
    jobs = request.flags.jobs
    with Crew(run_config(request).jobs if jobs is None else jobs) as crew:
        read = gathering.read_all(found, crew)
        results = crew.map(_judge, request.flags, list(zip(found, read, strict=True)))
    return _outcome(results, len(found))


def discover(request: Request) -> Iterator[discovery.Found]:
    """The files of a request, standard input among them."""
    if "-" in request.paths:
        yield from discovery.stdin(request.stdin_name or "-", request.stdin, request.flags.force_exclude)
    paths = tuple(path for path in request.paths if path != "-")
    yield from discovery.discover(paths, request.flags.force_exclude)


@lru_cache(maxsize=1)
def _releases() -> Releases:
    return environment.releases(rulebook.load().tables)


def _judge(flags: Flags, item: tuple[discovery.Found, Read]) -> Result:
    """One file that was read: its report, and what is left of its diagnostics."""
    found, read = item
    if read is None:
        return Result(None)
    book = rulebook.load()
    settings = settle(flags, config.nearest(found.real.parent), found.real, book)
    file, diagnostics = _failed(found, read) if isinstance(read, Failure) else _judged(found, read, settings)
    left = suppress.apply(file, tuple(sorted(diagnostics, key=_order)), settings, book)
    if settings.baseline is not None:
        left = baseline.left(file, left, baseline.read(settings.baseline), settings.baseline)
    return Result(file, left, sum(_fails(diagnostic, settings) for diagnostic in left))


def _judged(found: discovery.Found, model: Model, settings: Settings) -> tuple[FileReport, list[Diagnostic]]:
    targets = environment.decide(settings.wish, model.hints, found.real.parent, _releases())
    judged = engine.judge(model, targets, rulebook.load())
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


def _failed(found: discovery.Found, failure: Failure) -> tuple[FileReport, list[Diagnostic]]:
    column = failure.column or 1
    place = SourcePlace(found.path, failure.row, column, failure.row, column + 1) if failure.row else None
    diagnostic = _unreadable(found.path, failure.reason, place, failure.pointer)
    if failure.fault:
        diagnostic = replace(diagnostic, code="CDN003", name="internal-fault", advice=None)
    source = reading.text(found) if place else None
    kind = reading.SUFFIXES.get(found.real.suffix.lower(), "python")
    return FileReport(found.path, kind, error=(diagnostic.code, failure.reason), source=source), [diagnostic]


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
