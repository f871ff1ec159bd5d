"""Fixes in saved models: written to a new file (or in place), which is read again and has to be better.

The findings that are left are those of the new file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from cudnnlint.check import read_all
from cudnnlint.check.check_file import CheckedFile, judge
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Intent
from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.core.file_limits import held
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.files import atomic
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.fix.order import Order
from cudnnlint.fix.regression import Removal, better
from cudnnlint.settings import config

KINDS = ("keras", "h5")


@dataclass(frozen=True)
class Rewritten:
    """What became of a saved model: the findings that are left, how many were fixed, and what the user should know.

    `to` is the file that was written (or would be); None where nothing could be fixed. `changed` if somebody else
    changed the file meanwhile, so that nothing was written.
    """

    result: CheckedFile
    fixed: int
    to: Path | None
    remarks: tuple[str, ...] = ()
    changed: bool = False


def beside(path: Path) -> Path:
    """Return the default path of the fixed model: `NAME.cudnn.keras` beside `NAME.keras`."""
    return path.with_name(f"{path.stem}.cudnn{path.suffix}")


def _temporary_folder() -> AbstractContextManager[str]:
    import tempfile  # it imports a generator of random numbers; most runs fix no model

    return tempfile.TemporaryDirectory()


def fix(
    item: Found, result: CheckedFile, order: Order, to: Path, write: bool = True, verify: bool = False
) -> Rewritten:
    """Apply the fixes that are asked for to one saved model and write it to `to` (or only find out what would be).

    With `verify` both files are run in the framework first, and nothing is written unless they compute the same.
    Raises OSError where the file cannot be written.
    """
    with held(config.nearest(item.real.parent).limits):
        return _fixed(item, result, order, to, write, verify)


def _fixed(item: Found, result: CheckedFile, order: Order, to: Path, write: bool, verify: bool) -> Rewritten:
    wanted = list(_wanted(result, order))
    if not wanted:
        return Rewritten(result, 0, None)
    before = _state(item.real)
    with atomic.scratch(to.resolve()) if write else _temporary_folder() as scratch:
        new = Path(scratch) / f"model{item.real.suffix}"
        taken, remarks = _rewrite(item, new, wanted)
        if not taken:
            return Rewritten(result, 0, None, tuple(remarks))
        gone = [Removal(item.path, frozenset(d.layers), frozenset({(d.code, d.target)})) for d in taken]
        if not better(result, _again(new, item.path, order), gone):
            remarks.append("the fixes would cause other findings; nothing was written")
            return Rewritten(result, 0, None, tuple(remarks))
        if verify:
            from cudnnlint.fix.convert import compare

            found = compare(item.real, new)
            remarks.append(f"verified: {found}" if found.same else f"{found}; nothing was written")
            if not found.same:
                return Rewritten(result, 0, None, tuple(remarks))
        if not write:
            return Rewritten(result, len(taken), to, tuple(remarks))
        if _state(item.real) != before:
            return Rewritten(result, 0, None, tuple(remarks), changed=True)
        atomic.take(new, to.resolve())
    return Rewritten(_again(to, str(to), order), len(taken), to, tuple(remarks))


def _state(path: Path) -> tuple[int, int, int]:
    """Return what differs once a file was written to or replaced."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _wanted(result: CheckedFile, order: Order) -> Iterator[Diagnostic]:
    if result.file is None or result.file.kind not in KINDS or result.file.error is not None:
        return
    for diagnostic in result.diagnostics:
        fix = diagnostic.fix
        if fix is not None and fix.intent is not None and fix.applicability in order.apply:
            yield diagnostic


def _rewrite(item: Found, new: Path, wanted: list[Diagnostic]) -> tuple[list[Diagnostic], list[str]]:
    """Write the model with all fixes that are not refused; those, and what was said."""
    from cudnnlint.rewriters import saved

    remarks: list[str] = []
    while wanted:
        steps = dict.fromkeys(step for diagnostic in wanted for step in _steps(diagnostic))
        try:
            outcome = saved.rewrite(item.real, new, steps)
        except Refused as refusal:
            remarks.append(f"not fixed: {refusal}")
            refused = refusal.layer_path
            kept = [d for d in wanted if refused not in _names(d)]
            wanted = kept if len(kept) < len(wanted) else []
        except UnreadableInput as fault:
            return [], [*remarks, f"cannot rewrite this file: {fault.reason}"]
        else:
            return wanted, [*remarks, *outcome.changes, *outcome.warnings]
    return [], remarks


def _steps(diagnostic: Diagnostic) -> Iterator[tuple[str, Intent]]:
    assert diagnostic.fix is not None
    assert diagnostic.fix.intent is not None
    for name in _names(diagnostic):
        yield name, diagnostic.fix.intent


def _names(diagnostic: Diagnostic) -> tuple[str, ...]:
    return (diagnostic.layer_path,) if diagnostic.layer_path else ()


def _again(path: Path, name: str, order: Order) -> CheckedFile:
    """Read and judge the new file; report it as `name`."""
    found = Found(str(path), os.path.abspath(path), named=True)
    (read,) = read_all.read_all([found], order.flags, Executor(1), read_all.linted([found]))
    result = judge(order.flags, (found, read))
    return result if result.file is None else replace(result, file=replace(result.file, path=name))
