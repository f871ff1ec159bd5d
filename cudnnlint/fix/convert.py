"""The command `convert OLD NEW`: checks the request, has the model rewritten, and can run both files first.

With `verify` the new file takes its place only after both files computed the same numbers.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnlint.core.errors import Refused, UsageError
from cudnnlint.formats.sniff import WRITTEN
from cudnnlint.rewriters import saved
from cudnnlint.targets import environment

if TYPE_CHECKING:
    from cudnnlint.probe.verify import Verified


@dataclass(frozen=True)
class Conversion:
    """What is asked: the Keras (2 or 3) that is to load the file, whether NEW may be OLD, whether both are to be run.

    `python` is the interpreter that has the framework; None is this one.
    """

    keras: int = 3
    in_place: bool = False
    verify: bool = False
    python: str | None = None


def convert(old: Path, new: Path, options: Conversion) -> list[str]:
    """Write the model of `old` as `new` and return what to report, a line each.

    Raises UsageError for wrong use, Refused and UnreadableInput as the rewriter does, OSError where nothing can be
    written. Then `new` is as it was.
    """
    if new.suffix.lower() not in WRITTEN:
        raise UsageError(f"NEW ({new}) has to end in .keras, .h5 or .hdf5.")
    if new.exists() and old.exists() and os.path.samefile(old, new) and not options.in_place:
        raise UsageError(f"{new} is also the file to read. Use --in-place to replace it.")
    if not options.verify:
        return [f"Wrote {new}", *_reported(saved.convert(old, new, _newest(), options.keras))]
    return _verified(old, new, options)


def _verified(old: Path, new: Path, options: Conversion) -> list[str]:
    must_have_a_framework(options.python)
    target = new.resolve()
    if not target.parent.is_dir():
        raise Refused("", f"the folder {target.parent} does not exist")
    with tempfile.TemporaryDirectory(prefix=f".{new.name}.", dir=target.parent) as folder:
        made = Path(folder) / new.name
        outcome = saved.convert(old, made, _newest(), options.keras)
        found = compare(old, made, options.python)
        if not found.same:
            raise Refused("", f"{found}; nothing was written")
        os.replace(made, target)
    return [f"Wrote {new}", *_reported(outcome), f"verified: {found}"]


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
    return [*outcome.changes, *(f"note: {warning}" for warning in outcome.warnings)] or ["no layer needed a change"]
