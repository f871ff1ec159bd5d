"""One file to a Model: decides by content first and suffix second which front end reads it.

Heavy modules are imported when a file needs them, never before (libcst, h5py: 0.2 s each).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cudnnlint import suppress
from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.discovery import Found, looks_like_config

ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
HDF5 = b"\x89HDF\r\n\x1a\n"
HDF5_OFFSETS = (0, 512, 1024, 2048)  # a block of the user's own may stand first
LFS = b"version https://git-lfs.github.com/spec/"
HEAD = 4096
#: Bytes. The largest Python files known (generated tables) have 10 MB, notebooks with figures 100 MB.
LIMITS = {"python": 32 << 20, "notebook": 256 << 20}
SUFFIXES = {".keras": "keras", ".h5": "h5", ".hdf5": "h5", ".json": "config", ".ipynb": "notebook"}


def kind(head: bytes, name: str) -> str:
    """python, notebook, keras, h5 or config, by the first bytes, else by the suffix."""
    if head.startswith((ZIP, EMPTY_ZIP)):
        return "keras"
    if any(head.startswith(HDF5, at) for at in HDF5_OFFSETS):
        return "h5"
    suffix = os.path.splitext(name)[1].lower()
    if suffix != ".py" and looks_like_config(head):
        return "config"
    if suffix not in SUFFIXES and b"\0" in head:
        raise UnreadableInput("It is neither Python source, nor a notebook, nor a saved Keras model.")
    return SUFFIXES.get(suffix, "python")


def read(given: Found, names: Names) -> Model | None:
    """The model in one file; None for source in which no recurrent layer and no suppression can be.

    Raises UnreadableInput for a file that is broken, and OSError.
    """
    if given.problem is not None:
        raise UnreadableInput(given.problem)
    if given.folder:
        from cudnnlint.frontends.saved.savedmodel import read_folder

        return read_folder(given.path)
    head = _head(given)
    if head.startswith(LFS):
        raise UnreadableInput("It is a Git LFS pointer, not the file itself; run `git lfs pull`.", pointer=True)
    found = kind(head, given.path)
    return _source(found, given, names) if found in LIMITS else _saved(given, names)


def _saved(given: Found, names: Names) -> Model:
    from cudnnlint.frontends import saved

    if given.data is not None:
        return saved.read_bytes(given.path, given.data, names)
    return saved.read(given.path, names)


def text(given: Found) -> str:
    """A source file as text whatever its encoding is worth: for an excerpt round the fault in it."""
    return _bytes(given, LIMITS["python"]).decode("utf-8", "replace")


def _source(kind: str, given: Found, names: Names) -> Model | None:
    data = _bytes(given, LIMITS[kind])
    from cudnnlint.frontends.source import wanted

    if not wanted(data) and not suppress.marked(data):
        return None
    if kind == "notebook":
        from cudnnlint.frontends import notebook

        return notebook.read(given.path, data, names)
    from cudnnlint.frontends.source.read import read as read_source

    return read_source(given.path, data, names)


def _head(given: Found) -> bytes:
    return given.data[:HEAD] if given.data is not None else _regular(given.real, HEAD)


def _bytes(given: Found, limit: int) -> bytes:
    data = given.data if given.data is not None else _regular(given.real, limit + 1)
    if len(data) > limit:
        raise UnreadableInput(f"It has more than {limit >> 20} MiB, which no source file has.")
    return data


def _regular(path: Path, count: int) -> bytes:
    """The first bytes of a file, without waiting for a fifo that stands where a file was."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableInput("It is not a regular file.")
        return file.read(min(count, max(status.st_size + 1, HEAD)))
