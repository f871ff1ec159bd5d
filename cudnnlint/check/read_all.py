"""From files to models: every file is read, and what one file's calls construct in another is put together."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cudnnlint.check import importing, old_programs, remembered
from cudnnlint.check.remembered import KeptReading
from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import held, overdue
from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.target import Target
from cudnnlint.files import reading
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.files.linted import Linted
from cudnnlint.files.reading import RunFiles
from cudnnlint.files.run_imports import reaches
from cudnnlint.frontends.source.project.lookups import Lookups
from cudnnlint.frontends.source.project.project import INSTALLED
from cudnnlint.rulebook import loader
from cudnnlint.settings import config
from cudnnlint.settings.settings import Flags, settle
from cudnnlint.targets import environment, old_imports, variants

if TYPE_CHECKING:
    from cudnnlint.core.answers import Answers


@dataclass(frozen=True)
class Failure:
    """Why a file could not be read, as plain data, which crosses processes; `fault`: by a fault of cudnnlint's."""

    reason: str
    row: int | None = None
    column: int | None = None
    pointer: bool = False
    fault: bool = False


Read = Model | Failure | None  # None: source that was passed over, because no layer can be in it


@dataclass(frozen=True)
class _Run:
    """What all readings of one run share. `must`: parse whatever the bytes look like."""

    flags: Flags
    run_files: RunFiles
    must: bool = False


def linted(found: Sequence[Found]) -> RunFiles:
    """Return the files of a run as its readings know them."""
    return RunFiles(Linted(item.path for item in found if item.problem is None and not item.folder))


def read_all(found: Sequence[Found], flags: Flags, executor: Executor, run_files: RunFiles) -> list[Read]:
    """Return the reading of each file, in the order of `found`, which may be some of the files of a run."""
    run = _Run(flags, run_files)
    read = executor.map(_attempt, run, found)
    if any(_is_source(one) for one in read):
        _read_callers(found, read, run, executor)
        _gather(read, _read_programs(found, read, run, executor))
        _hear_importers(found, read, run, executor)
    return read


def _read_callers(found: Sequence[Found], read: list[Read], run: _Run, executor: Executor) -> None:
    """Read those skipped files that may call what its own file does not call, or hold such a call."""
    places = {item.path: index for index, item in enumerate(found)}
    unread = _Unread({path: found[index] for path, index in places.items() if read[index] is None})
    while more := _calling([one for one in read if isinstance(one, Model)], unread, run):
        calling = [unread.files.pop(path) for path in more]
        for item, one in zip(calling, executor.map(_attempt, replace(run, must=True), calling), strict=True):
            read[places[item.path]] = one


def _calling(models: Sequence[Model], unread: _Unread, run: _Run) -> list[str]:
    """Return which of the skipped files name such a function or class and import its file, or hold a layer's place."""
    from cudnnlint.frontends.source.project.callers import callers, handing_on

    holding = {layer.place.path for model in models for layer in model.layers}.intersection(unread)
    goals = {model.path for model in models if any(layer.uncalled for layer in model.layers)}
    goals |= {path for path, names in handing_on(models).items() if names} if unread else set()
    named = callers(models, unread)
    return [
        path
        for path in named
        if path not in holding
        and reaches(path, unread[path], reading.project_of(unread.files[path], run.run_files), goals)
    ] + sorted(holding)


def _read_programs(
    found: Sequence[Found], read: list[Read], run: _Run, executor: Executor
) -> dict[str, list[Model]]:
    """Return the programs that import each module; those that may set something for it are read, if they were not."""
    sources = {one.path: one for one in read if isinstance(one, Model) and _is_source(one)}
    of, may_set = importing.programs(found, sources.values(), run.run_files)
    places = [place for place, item in enumerate(found) if item.path in may_set and read[place] is None]
    more = executor.map(_attempt, replace(run, must=True), [found[place] for place in places])
    for place, one in zip(places, more, strict=True):
        read[place] = one
    sources |= {one.path: one for one in more if isinstance(one, Model)}
    return {goal: [sources.get(path) or Model(path, "python") for path in paths] for goal, paths in of.items()}


def _gather(read: list[Read], programs: Mapping[str, Sequence[Model]]) -> None:
    """Put each layer with the file that it is in; `programs` are those that import a file."""
    from cudnnlint.frontends.source.project.callers import gather

    sources = {index: one for index, one in enumerate(read) if isinstance(one, Model) and _is_source(one)}
    for index, model in zip(sources, gather(sources.values(), programs), strict=True):
        read[index] = model


def _hear_importers(found: Sequence[Found], read: list[Read], run: _Run, executor: Executor) -> None:
    """Let what the files that import a module use count for it, where nothing says which Keras it is for."""
    places = {item.path: place for place, item in enumerate(found)}
    pairs = zip(found, read, strict=True)
    goals = [one.path for item, one in pairs if isinstance(one, Model) and _is_open(run, item, one)]
    if not goals:
        return
    files = [*found, *old_programs.around(found, goals, run.run_files)]
    of = old_programs.importers(files, goals, run.run_files)
    asked = {path for paths in of.values() for path in paths}
    heard = {path: read[place] for path, place in places.items()}
    unread = [item for item in files if item.path in asked and heard.get(item.path) is None]
    more = executor.map(_attempt, replace(run, must=True), unread)
    heard |= {item.path: one for item, one in zip(unread, more, strict=True)}
    for goal, paths in of.items():
        model, importing = heard[goal], [heard[path] for path in paths]
        assert isinstance(model, Model)
        read[places[goal]] = old_programs.with_evidence(model, [one for one in importing if isinstance(one, Model)])


def _is_open(run: _Run, found: Found, model: Model) -> bool:
    """Return whether neither a file with layers nor the user says which Keras is meant, and it is not installed."""
    hints = model.hints
    if not _is_source(model) or not model.layers or hints.asks or not set(INSTALLED).isdisjoint(found.real.parts):
        return False
    if old_imports.proving((*hints.modules, *hints.modules_beside), environment.known()):
        return False
    return settle(run.flags, config.nearest(found.real.parent), found.real, loader.load()).requested is None


def _is_source(one: Read) -> bool:
    return isinstance(one, Model) and one.kind in reading.SOURCE


def _attempt(run: _Run, found: Found) -> Read:
    """Read one file; a file that cannot be read is a Failure, and the others go on."""
    try:
        return _for_targets(run, found)
    except UnreadableInput as error:
        return Failure(error.reason, error.row, error.column, error.pointer)
    except RecursionError:
        return Failure("The file is nested too deeply to be read.")
    except OSError as error:
        return Failure(f"The file cannot be opened: {error.strerror or error}.")
    except Exception as error:  # a fault of the front end in one file is reported as CDN003, and the others go on
        reason = f"cudnnlint crashed on this file ({type(error).__name__}: {error}). Please report this bug."
        return Failure(reason, fault=True)


def _for_targets(run: _Run, found: Found) -> Model | None:
    """Return the model in a file, read within the limits of its configuration."""
    limits = config.nearest(found.real.parent).limits
    with held(limits, time.process_time):
        return _within_limits(run, replace(found, limits=limits))


def _within_limits(run: _Run, found: Found) -> Model | None:
    """Return the model in a file: from the cache, if it was read before and rests on nothing that changed."""
    data = None if found.remote else reading.any_source(found)
    if data is None:
        return _fresh(run, found).model
    if not run.must and reading.passes_over(found, data):
        return None
    found = replace(found, data=data)
    folder = run.flags.cache
    if folder is None:
        return _fresh(run, found).model
    name = remembered.key(found, data, run.must)
    known = remembered.recalled(folder, name, reading.project_of(found, run.run_files))
    if known is not None and (known.hints is None or _targets(run, found, known.hints) == known.targets):
        return known.model
    read = _fresh(run, found)
    if not overdue():  # what a busy machine did not read is no result
        remembered.remember(folder, name, read)
    return read.model


def _targets(run: _Run, found: Found, hints: FileHints) -> tuple[Target, ...]:
    folder = found.real.parent
    wanted = settle(run.flags, config.nearest(folder), found.real, loader.load()).requested
    return environment.decide(wanted, hints, folder, environment.known())


def _fresh(run: _Run, found: Found) -> KeptReading:
    """Read a file; one that queries its target is read for each target that it is checked for."""
    book = loader.load()
    project = Lookups(reading.project_of(found, run.run_files))
    asked: list[tuple[FileHints, tuple[Target, ...]]] = []

    def read(answers: Answers | None) -> Model | None:
        return reading.read(found, book.tables.names, run.run_files, run.must, answers, project)

    def decide(model: Model) -> Sequence[Target]:
        hints = environment.hints(model)
        asked.append((hints, _targets(run, found, hints)))
        return asked[-1][1]

    model = variants.read(read, decide, environment.known(), book.tables)
    return KeptReading(model, project.listed(), *asked[-1]) if asked else KeptReading(model, project.listed())


class _Unread(Mapping[str, bytes]):
    """The bytes of the files that were passed over, read again when they are asked for."""

    def __init__(self, files: dict[str, Found]) -> None:
        self.files = files

    def __getitem__(self, path: str) -> bytes:
        try:
            return reading.source(self.files[path])
        except (UnreadableInput, OSError):
            return b""

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)
