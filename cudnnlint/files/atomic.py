"""Writes a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def write(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, as `opened` does. Raises OSError."""
    with opened(path) as file:
        file.write(data)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of what is at `path` in one step when it is closed, with its permissions.

    An exception in between leaves everything as it was. What is no regular file (/dev/stdout, a pipe) is written to,
    never replaced. Raises OSError.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    real = Path(os.path.realpath(path))  # a link stays a link
    descriptor, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, real.stat().st_mode & 0o7777 if real.exists() else 0o666 & ~_umask())
        os.replace(name, real)
    except BaseException:
        with suppress(OSError):  # it has taken its place, or the disk is gone: what is told is what went wrong first
            os.unlink(name)
        raise


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
