"""The whole story on one page: paths -> files -> layers of facts -> verdicts -> diagnostics -> report.

Prints nothing and never exits. The same input gives the same report, for any number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cudnnlint import (
    __version__,
    baseline,
    config,
    discovery,
    environment,
    fixing,
    gathering,
    judging,
    reading,
    rulebook,
)  # fmt: skip
from cudnnlint.core.errors import UnreadableInput, UsageError
from cudnnlint.core.layer import FileHints
from cudnnlint.core.report import Report, RulePage
from cudnnlint.core.target import Target
from cudnnlint.crew import Crew
from cudnnlint.judging import Result
from cudnnlint.settings import Flags, settle


@dataclass(frozen=True)
class Request:
    """What one run is asked. `stdin` is what `-` among the paths stands for, under the name `stdin_name`."""

    paths: tuple[str, ...]
    flags: Flags
    stdin: bytes = b""
    stdin_name: str | None = None


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
        results = crew.map(judging.judge, request.flags, list(zip(found, read, strict=True)))
        results = fixing.offer(found, results, request.flags, crew)
    return _outcome(results, len(found))


def discover(request: Request) -> Iterator[discovery.Found]:
    """The files of a request, standard input among them."""
    if "-" in request.paths:
        yield from discovery.stdin(request.stdin_name or "-", request.stdin, request.flags.force_exclude)
    paths = tuple(path for path in request.paths if path != "-")
    yield from discovery.discover(paths, request.flags.force_exclude)


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
    return environment.decide(settings.wish, hints, folder, judging.releases())


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
