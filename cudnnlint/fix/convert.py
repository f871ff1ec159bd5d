"""The command `convert OLD NEW`: checks the request, has the model rewritten, and can run both files first.

With `verify` the new file takes its place only after both files computed the same numbers.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnlint.core.errors import Refused, UsageError
from cudnnlint.core.file_limits import held
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.files import atomic
from cudnnlint.formats.sniff import HEAD, WRITTEN, content
from cudnnlint.rewriters import saved
from cudnnlint.settings import config
from cudnnlint.targets import environment

if TYPE_CHECKING:
    from cudnnlint.probe.verify import Verified


@dataclass(frozen=True)
class Conversion:
    """What is asked: the Keras (2 or 3) that is to load the file, and whether both files are to be run.

    `config` is the file that holds the layers of a weights-only OLD. `in_place`: NEW may be OLD; `force`: NEW may be
    any other file. `python` is the interpreter that has the framework; None is this one.
    """

    keras: int = 3
    config: Path | None = None
    in_place: bool = False
    force: bool = False
    verify: bool = False
    python: str | None = None


def convert(old: Path, new: Path, options: Conversion) -> list[str]:
    """Write the model of `old` as `new` and return what to report, a line each.

    Raises UsageError for wrong use, Refused and UnreadableInput as the rewriter does, OSError where nothing can be
    written. Then `new` is as it was.
    """
    _must_be_free(old, new, options)
    if options.verify:
        must_have_a_framework(options.python)
    limits = config.nearest(old.resolve().parent).limits
    with held(limits), atomic.scratch(new.resolve()) as folder:
        return _in_steps(old, new, options, folder)


def _must_be_free(old: Path, new: Path, options: Conversion) -> None:
    """Raise UsageError where NEW is no model's name, in no folder, or a file that nobody asked to replace."""
    if new.suffix.lower() not in WRITTEN:
        raise UsageError(f"NEW ({new}) has to end in .keras, .h5 or .hdf5.")
    above = new.resolve().parent
    if not above.is_dir():
        raise UsageError(f"{above} is not a folder." if above.exists() else f"The folder {above} does not exist.")
    if not new.is_file():
        return
    if old.exists() and os.path.samefile(old, new):
        if not options.in_place:
            raise UsageError(f"{new} is also the file to read. Use --in-place to replace it.")
    elif not options.force:
        raise UsageError(f"{new} exists. Use --force to replace it.")


def _in_steps(old: Path, new: Path, options: Conversion, folder: Path) -> list[str]:
    """Complete the weights where a configuration is given, convert, and run both files where that is asked for."""
    completed: list[str] = []
    verified: list[str] = []
    if options.config is not None:
        old, completed = _completed(old, options.config, folder)
    made = folder / new.name
    summary = saved.convert(old, made, _newest(), options.keras)
    if options.verify:
        found = compare(old, made, options.python)
        if not found.same:
            raise Refused("", f"{found}; nothing was written")
        verified = [f"verified: {found}"]
    atomic.take(made, new.resolve())
    return [f"Wrote {new}", *completed, *_reported(summary), *verified]


def _completed(weights: Path, config: Path, folder: Path) -> tuple[Path, list[str]]:
    """Return a whole model of a weights-only file, in a container of its own kind, and what to report of it."""
    whole = folder / "whole.h5"
    changes = saved.complete(weights, config, whole, _newest()).changes
    with whole.open("rb") as stream:
        kind = content(stream.read(HEAD))
    named = whole.with_name(f"{weights.stem}.whole{'.keras' if kind == 'keras' else '.h5'}")
    os.replace(whole, named)
    return named, [f"the layers are those of {config.name}", *changes]


def must_have_a_framework(python: str | None = None) -> None:
    """Raise UsageError, which says what to install, where no framework is installed."""
    from cudnnlint.probe import options
    from cudnnlint.probe.options import Options

    options.find(Options(python=python) if python else Options())


def compare(old: Path, new: Path, python: str | None = None) -> Verified:
    """Run two models on the same inputs, in the framework that an interpreter (None: this one) has."""
    from cudnnlint.probe.parent import Host
    from cudnnlint.probe.verify import verify

    return verify(old, new, Host(python) if python else None)


def _newest() -> str:
    return str(environment.known().newest("keras"))


def _reported(outcome: saved.Summary) -> list[str]:
    changes = _together(outcome.changes)
    return [*changes, *(f"note: {warning}" for warning in outcome.warnings)] or ["no layer needed a change"]


def _together(changes: list[str]) -> list[str]:
    """Return the changes with one line for those that are told of several layers in the same words."""
    layers: dict[str, list[str]] = {}
    for change in changes:
        path, found, said = change.partition(": ")
        layers.setdefault(said if found else change, []).extend([path] if found else [])
    return [f"{', '.join(paths)}: {said}" if paths else said for said, paths in layers.items()]
