"""Writes a file whole or not at all: it is made in a scratch folder beside the old one, and takes its place at once.

A run holds a lock on its scratch folder. What a killed run has left has none, and is removed by the next run that
writes the same file.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl

#: In the name of every scratch folder, which is no part of the project.
MARK = ".cudnnlint-"
_NAMED = 40  # characters of the file's own name: a name may have 255 bytes in all


def write(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, as `opened` does. Raises OSError."""
    with opened(path) as file:
        file.write(data)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of what is at `path` in one step when it is closed.

    An exception in between leaves everything as it was. What is no regular file (/dev/stdout, a pipe) is written to,
    never replaced. Raises OSError, also where what is at `path` may not be written to.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    real = Path(os.path.realpath(path))  # a link stays a link
    with scratch(real) as folder:
        made = folder / "new"
        with made.open("wb") as file:
            yield file
        take(made, real)


@contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """Give a folder beside `path` to work in, which is gone afterwards. Raises OSError."""
    _sweep(path)
    while True:
        folder = path.parent / _name(path)
        try:
            os.mkdir(folder, 0o700)
            with _locked(folder) as ours:
                if ours:
                    yield folder
                    return
        finally:
            _remove(folder)


def take(made: Path, path: Path) -> None:
    """Let what was made in a scratch folder take the place of `path`, with its owner and permissions. Raises OSError.

    The folder is gone before the old file is: a run that is killed has something left to do for the next one, which
    then also removes what is left.
    """
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    _sync(made)
    if path.exists():
        if not os.access(path, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        _belong(made, path.stat())
    aside = path.parent / _name(path)
    with _locked(made):
        try:
            os.replace(made, aside)
            _remove(made.parent)
            os.replace(aside, path)
        except BaseException:
            with suppress(OSError):  # it has taken its place, or the disk is gone: the first fault is the one to tell
                os.unlink(aside)
            raise


def _prefix(path: Path) -> str:
    return f".{path.name[:_NAMED]}{MARK}"


def _name(path: Path) -> str:
    """Return a name for something of ours beside a file, which nothing has."""
    return _prefix(path) + os.urandom(8).hex()


def _sync(made: Path) -> None:
    descriptor = os.open(made, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _belong(made: Path, old: os.stat_result) -> None:
    """Give a new file the owner, the group and the permissions of the old one, as far as this user may."""
    if sys.platform != "win32":
        now = made.stat()
        for owner, group in ((old.st_uid, -1), (-1, old.st_gid)):
            if owner not in (-1, now.st_uid) or group not in (-1, now.st_gid):
                with suppress(OSError):
                    os.chown(made, owner, group)
    os.chmod(made, stat.S_IMODE(old.st_mode))


@contextmanager
def _locked(place: Path) -> Iterator[bool]:
    """Hold the lock of a scratch folder or file, which the system gives back when this process ends, however it ends.

    Yields False where another run took it for one that was left, before it was locked.
    """
    if sys.platform == "win32":
        yield True
        return
    try:
        descriptor = os.open(place, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield place.exists()
    finally:
        with suppress(OSError):
            os.close(descriptor)


def _sweep(path: Path) -> None:
    """Remove what killed runs have left beside a file: that which has no lock."""
    if sys.platform == "win32":  # nothing says there whether such a run is alive
        return
    try:
        left = [name for name in os.listdir(path.parent) if name.startswith(_prefix(path))]
    except OSError:  # what is to be written will say so
        return
    for name in left:
        with suppress(OSError):
            descriptor = os.open(path.parent / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(path.parent / name)
            finally:
                os.close(descriptor)


def _remove(place: Path) -> None:
    """Remove something of ours, as far as that is possible; a signal that arrives meanwhile comes second."""
    try:
        _unlink(place)
    except BaseException:
        _unlink(place)
        raise


def _unlink(place: Path) -> None:
    if not place.is_dir():
        with suppress(OSError):
            os.unlink(place)
    for root, _, names in os.walk(place, topdown=False):
        for name in names:
            with suppress(OSError):
                os.unlink(os.path.join(root, name))
        with suppress(OSError):
            os.rmdir(root)
