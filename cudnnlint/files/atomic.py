"""Writes a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, with the permissions of what stood there.

    What is no regular file (/dev/stdout, a pipe) is written to, never replaced. Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    real = Path(os.path.realpath(path))  # a link stays a link
    descriptor, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, real.stat().st_mode & 0o7777 if real.exists() else 0o666 & ~_umask())
        os.replace(name, real)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
