"""The limits inside which a saved model is read: what is turned away before its numbers are trusted.

The two bomb limits are those of Keras's own loader (keras 3.15.1, `saving_lib.py`), so that a file
that Keras reads is not turned away here.
"""

from __future__ import annotations

import errno
import math
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.formats.archive import DAMAGE
from cudnnlint.formats.limits import decode
from cudnnlint.formats.sniff import HEAD, content, is_pointer

MOST_MEMBERS = 10_000
#: `_ZIP_EXTRACT_BOMB_FLOOR_BYTES`, `_ZIP_MEMBER_MAX_EXPANSION`: deflate cannot exceed 1,032 to 1.
BOMB_MEMBER, BOMB_MEMBER_RATIO = 1 << 28, 100
#: Faults of the place that is written to, met while reading: they are not the file's.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG})
#: `_H5_DATASET_BOMB_FLOOR_BYTES`, `_H5_DATASET_MAX_EXPANSION`.
BOMB_DATASET, BOMB_DATASET_RATIO = 1 << 32, 1000

_UNWRITTEN: list[h5py.File] = []


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what zipfile, h5py and json raise on a broken file into UnreadableInput with one sentence."""
    try:
        yield
    except (*DAMAGE, KeyError) as error:
        if number := errno_of(error):
            elsewhere = getattr(error, "filename", None) not in (None, str(path))
            if number in NO_ROOM or elsewhere:
                raise OSError(number, os.strerror(number)) from error
            raise UnreadableInput(os.strerror(number)) from error
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableInput(f"{path.name} is damaged: {text.strip(chr(39))}") from error


@contextmanager
def copying(path: Path) -> Iterator[None]:
    """Turn what the HDF5 library or zipfile raises when it meets damage only while it copies into UnreadableInput."""
    try:
        yield
    except (*DAMAGE, KeyError) as error:
        if isinstance(error, (KeyError, ValueError)) and "Unable to" not in str(error):
            raise  # not the library's words: a fault of ours
        if number := errno_of(error):  # the source is open: it is the copy that failed
            raise OSError(number, os.strerror(number)) from error
        raise UnreadableInput(f"{path.name} cannot be copied: {str(error).strip(chr(39))}") from error


@contextmanager
def created(path: Path) -> Iterator[h5py.File]:
    """Yield a new HDF5 file. Raises OSError or RuntimeError where it cannot be written.

    h5py may write the last of a dataset when nobody has it any more, and Python only reports what is raised then: the
    weights would be zeros. The library crashes when it closes a file that it could not write: such a file stays open.
    """
    file = h5py.File(path, "w")
    lost: list[BaseException | None] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda found: lost.append(found.exc_value)
    try:
        yield file
        for error in filter(None, lost):
            raise error
        file.flush()
    except (OSError, RuntimeError):
        _UNWRITTEN.append(file)
        raise
    except BaseException:
        file.close()
        raise
    finally:
        sys.unraisablehook = before
    file.close()


def errno_of(error: Exception) -> int:
    """Return the system's number of an error, which HDF5 sometimes writes into the message only; 0 if it has none."""
    found = re.search(r"errno = (\d+)", str(error))
    return error.errno if isinstance(error, OSError) and error.errno else int(found[1]) if found else 0


def kind_of(path: Path) -> str:
    """Return the container by the first bytes, "keras" or "h5"; raise UnreadableInput for anything else."""
    if not path.is_file():
        raise UnreadableInput("the file does not exist" if not path.exists() else "not a regular file")
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise UnreadableInput(error.strerror or str(error)) from error
    if is_pointer(head):
        raise UnreadableInput("this is a Git LFS pointer; run git lfs pull to fetch the model itself", pointer=True)
    found = content(head)
    if found not in ("keras", "h5"):
        raise UnreadableInput(_unlike(head, found))
    return found


def _unlike(head: bytes, found: str | None) -> str:
    """Return what a file is that holds no model, by its first bytes."""
    if found == "config":
        return (
            "it is the JSON of a model, without weights: name the file of its weights first, and this one as --config"
        )
    if not head:
        return "the file is empty"
    if head.lstrip()[:1] == b"<":
        return "it is a web page or XML, not a model: the download went wrong"
    return "neither a .keras archive nor an HDF5 file"


def parse(text: bytes | str, what: str) -> dict[str, Any]:
    """Return a JSON object of bounded size and depth; raise UnreadableInput for anything else."""
    value = decode(text.encode() if isinstance(text, str) else text, what)
    if not isinstance(value, dict):
        raise UnreadableInput(f"{what} is not a JSON object")
    return value


def check_members(archive: zipfile.ZipFile) -> None:
    """Refuse an archive with a decompression bomb, one name twice, too many members, or an odd compression."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS or len({member.filename for member in members}) < len(members):
        raise UnreadableInput("the archive has too many members, or two of the same name")
    for member in members:
        if member.file_size > BOMB_MEMBER and member.file_size > BOMB_MEMBER_RATIO * member.compress_size:
            raise UnreadableInput(f"the member {member.filename} is a decompression bomb")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnreadableInput(f"Its {member.filename} is compressed in a way that Keras does not use.")


def step_into(group: h5py.Group, name: str) -> h5py.Group | h5py.Dataset:
    """Return the object at `name`, a path below `group`, followed over hard links only."""
    found: h5py.Group | h5py.Dataset = group
    try:
        name.encode()
    except UnicodeEncodeError:  # half a character is no name
        raise UnreadableInput(f"the weights file has no {name!r}") from None
    for part in name.split("/"):
        if not isinstance(found, h5py.Group) or part not in found:
            raise UnreadableInput(f"the weights file has no {name!r}")
        if not isinstance(found.get(part, getlink=True), h5py.HardLink):
            raise UnreadableInput(f"{name!r} in the weights file is a link to another place")
        found = found[part]
    return found


def dataset(group: h5py.Group, name: str) -> h5py.Dataset:
    """Return the dataset at `name`; raise UnreadableInput where it is not plain, or larger than what is stored."""
    found = step_into(group, name)
    if not isinstance(found, h5py.Dataset) or found.external or found.is_virtual:
        raise UnreadableInput(f"{name!r} in the weights file is not a plain dataset")
    declared = math.prod(found.shape or ()) * found.dtype.itemsize
    if declared > BOMB_DATASET and declared > BOMB_DATASET_RATIO * found.id.get_storage_size():
        raise UnreadableInput(f"{name!r} in the weights file declares far more than it stores")
    return found
