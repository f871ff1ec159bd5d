"""The command `convert OLD NEW`: checks what is asked, has the model rewritten, and on request runs both files first.

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


def convert(old: Path, new: Path, wish: Conversion) -> list[str]:
    """Write the model of `old` as `new` and return what to tell, a line each.

    Raises UsageError for wrong use, Refused and UnreadableInput as the rewriter does, OSError where nothing can be
    written. Then `new` is as it was.
    """
    if new.suffix.lower() not in WRITTEN:
        raise UsageError(f"NEW ({new}) should end in .keras, .h5 or .hdf5, which says what to write.")
    if new.exists() and old.exists() and os.path.samefile(old, new) and not wish.in_place:
        raise UsageError(f"{new} is the file that is read; say --in-place to replace it.")
    if not wish.verify:
        return [f"{new} written", *_told(saved.convert(old, new, _newest(), wish.keras))]
    return _verified(old, new, wish)


def _verified(old: Path, new: Path, wish: Conversion) -> list[str]:
    must_have_a_framework(wish.python)
    target = new.resolve()
    if not target.parent.is_dir():
        raise Refused("", f"there is no folder {target.parent}")
    with tempfile.TemporaryDirectory(prefix=f".{new.name}.", dir=target.parent) as folder:
        made = Path(folder) / new.name
        outcome = saved.convert(old, made, _newest(), wish.keras)
        found = compare(old, made, wish.python)
        if not found.same:
            raise Refused("", f"{found}; nothing is written")
        os.replace(made, target)
    return [f"{new} written", *_told(outcome), f"verified: {found}"]


def must_have_a_framework(python: str | None = None) -> None:
    """Raise UsageError, which says what to install, before anything is done."""
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


def _told(outcome: saved.Outcome) -> list[str]:
    return [*outcome.changes, *(f"note: {warning}" for warning in outcome.warnings)] or ["nothing had to change"]
