"""What an entry of a folder is: a folder to walk, or a file to read."""

from __future__ import annotations

import os
import sys

from cudnnlint.formats.sniff import HEAD, looks_like_config

_JUNCTION = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT, which `stat` knows on Windows alone


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether it is a folder itself, and neither a link to one nor a junction, which may lead in a circle."""
    if not entry.is_dir(follow_symlinks=False):
        return False
    return sys.platform != "win32" or getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) != _JUNCTION


def is_wanted(entry: os.DirEntry[str]) -> bool:
    """Return whether it is a file that may hold a model; only a .json is looked into."""
    try:
        if not entry.is_file():  # a link to a file counts; a fifo or device does not, and is never opened
            return False
        return not entry.name.lower().endswith(".json") or looks_like_config(_head(entry.path))
    except OSError:
        return False


def _head(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(HEAD)
