"""Finds the weights in a saved model: an HDF5 file itself, or the one that a `.keras` archive keeps uncompressed."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import BinaryIO

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.formats.archive import DAMAGE, ENCRYPTED, Sober
from cudnnlint.formats.hdf5 import Damaged
from cudnnlint.formats.hdf5_shapes import StoredShapes

WEIGHTS_FILE = "model.weights.h5"


class Stretch:
    """Some of the bytes of a file, as a file of their own."""

    def __init__(self, stream: BinaryIO, start: int, size: int) -> None:
        self.stream, self.start, self.size, self.position = stream, start, size, 0

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes."""
        self.stream.seek(self.start + self.position)
        data = self.stream.read(min(size, max(0, self.size - self.position)))
        self.position += len(data)
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position, counted from the front or, if `whence` is 2, from the end."""
        self.position = offset + (self.size if whence == io.SEEK_END else 0)
        return self.position


def weights_of(stream: BinaryIO, kind: str) -> StoredShapes | None:
    """Return the weights of a saved model by their shapes; None where they are not an HDF5 file that can be read."""
    try:
        return StoredShapes(stream if kind == "h5" else _stored_member(stream, WEIGHTS_FILE))
    except (UnreadableInput, *DAMAGE):
        return None


def is_damaged(stream: BinaryIO) -> bool:
    """Return whether the weights in an archive are no HDF5 file, or one that is cut off."""
    try:
        StoredShapes(_stored_member(stream, WEIGHTS_FILE))
    except Damaged:
        return True
    except (UnreadableInput, *DAMAGE):  # not kept as they are, or not as HDF5
        return False
    return False


def _stored_member(stream: BinaryIO, name: str) -> Stretch:
    """Return a member of an archive that is stored as it is, without reading it; raise UnreadableInput for others."""
    with zipfile.ZipFile(Sober(stream)) as archive:
        info = archive.NameToInfo.get(name)
    if info is None or info.compress_type != zipfile.ZIP_STORED or info.flag_bits & ENCRYPTED:
        raise UnreadableInput(f"Its {name} is missing or compressed.")
    stream.seek(info.header_offset + 26)  # of the local header, where two lengths end it
    name_size, extra_size = struct.unpack("<HH", stream.read(4))
    return Stretch(stream, info.header_offset + 30 + name_size + extra_size, info.file_size)
