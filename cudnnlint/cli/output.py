"""How the commands write: reports to standard output or a file, remarks to standard error."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from cudnnlint.core.language import tr
from cudnnlint.core.text import plural, visible
from cudnnlint.reporters import Look

PATIENCE = 1.0  # seconds until a run shows how far it is
WIDEST, NARROWEST, ELSEWHERE = 120, 40, 100  # columns: of a readable line, of any line, where no terminal is


def emit(text: str, file: str | None = None, for_people: bool = True) -> bool:
    """Write the report: to a file whole, or to standard output for as long as somebody reads it, else return False.

    What is not for people has the same bytes on every machine: UTF-8, and lines that end with a line feed.
    Raises UsageError where there is no room for it.
    """
    if file is not None:
        save(Path(file), text.encode("utf-8", "backslashreplace"))
        return True
    if isinstance(sys.stdout, io.TextIOWrapper):
        if not for_people:
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _close_stdout(error)
        return False
    return True


def pass_on(data: bytes) -> None:
    """Write bytes to standard output as they are, for as long as somebody reads them. Raises UsageError as `emit`."""
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.buffer.write(data)
        else:  # a caller in this process reads what is printed
            sys.stdout.write(data.decode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except OSError as error:
        _close_stdout(error)


def _close_stdout(error: OSError) -> None:
    """Let the interpreter's last flush be silent; raise UsageError unless it is only that nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        raise click.UsageError(f"Cannot write standard output: {error.strerror or error}.") from error


@contextmanager
def written_piecewise(file: str | None) -> Iterator[Callable[[str], bool]]:
    """Give a function that writes the next piece of a report; it returns False once nobody reads it any more.

    A file gets all pieces or none; standard output gets each at once.
    """
    if file is None:
        yield lambda text: emit(text)
        return
    from cudnnlint.files import atomic

    def write(text: str) -> bool:
        stream.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
        return True

    try:
        with atomic.opened(Path(file)) as stream:
            yield write
    except OSError as error:
        raise click.UsageError(f"Cannot write {file}: {error.strerror or error}.") from error


def save(path: Path, data: bytes) -> None:
    from cudnnlint.files import atomic

    try:
        atomic.write(path, data)
    except OSError as error:
        raise click.UsageError(f"Cannot write {path}: {error.strerror or error}.") from error


def save_all(files: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Write the new bytes of files that hold the old ones still.

    Raises UsageError for the first that cannot be written, or was changed meanwhile; the others are written, and that
    is said.
    """
    errors: list[click.UsageError] = []
    for path, (old, new) in files.items():
        try:
            if not _holds(path, old, new):
                save(Path(path), new)
        except click.UsageError as error:
            errors.append(error)
    for later in errors[1:]:
        click.echo(f"cudnnlint: {visible(tr(later.message))}", err=True)
    if errors:
        others = len(files) - len(errors)
        if others:
            click.echo(tr(f"Wrote {plural(others, 'other file')}."), err=True)
        raise errors[0]


def _holds(path: str, old: bytes, new: bytes) -> bool:
    """Return whether another run has written the new bytes already. Raises UsageError unless the old ones are there."""
    from cudnnlint.core.errors import UnreadableInput
    from cudnnlint.files import reading
    from cudnnlint.files.found import Found

    try:
        found = reading.source(Found(path, os.path.abspath(path)), "notebook")
        if found in (old, new):
            return found == new
    except (OSError, UnreadableInput):
        pass
    raise click.UsageError(f"{path} was changed while it was checked. Run the command again.")


def terminal_look(to_stdout: bool, verbose: bool = False, quiet: bool = False, unsafe: bool = False) -> Look:
    """Return how to write for this terminal; where there is none, with a width that suits a log."""
    terminal = to_stdout and sys.stdout.isatty()
    width = _columns() if terminal else ELSEWHERE
    return Look(max(NARROWEST, min(width, WIDEST)), to_stdout and _coloured(terminal), verbose, quiet, unsafe)


def _columns() -> int:
    import shutil  # it loads three kinds of compression

    return shutil.get_terminal_size((ELSEWHERE, 24)).columns


def _coloured(terminal: bool) -> bool:
    """Return whether to colour: NO_COLOR forbids it (no-color.org), FORCE_COLOR asks for it where no terminal is."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    return forced not in ("", "0") or (forced != "0" and terminal and os.environ.get("TERM") != "dumb")


def remark(text: str) -> None:
    """Show the progress of a long command on a terminal."""
    if sys.stderr.isatty():
        click.echo(text, err=True, nl=False)


class Counter:
    """How far a run is, on standard error: on a terminal only, and only if it takes longer than a second."""

    def __init__(self) -> None:
        self.started = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Show it; a full count takes the line away again."""
        if time.monotonic() - self.started >= PATIENCE:
            text = f"{done} of {total} files"
            remark(f"\r{text}" if done < total else f"\r{' ' * len(text)}\r")
