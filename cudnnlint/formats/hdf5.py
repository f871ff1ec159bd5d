"""Reads text attributes of the root group of an HDF5 file, and nothing else: never a data set, never a weight.

The HDF5 library crashes or hangs on damaged files, which no `except` catches (19 of 6,000 byte flips of
one small model with h5py 3.16), so the few structures on the way to an attribute are walked here. Every read
is bounded, and so is their number: a 2 GB file costs what a small one does. Names of structures and fields
are those of the HDF5 File Format Specification, version 3.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.formats.sniff import HDF5, OFFSETS

MAX_READ = 64 * 2**20
MAX_TOTAL = 2 * MAX_READ
MAX_READS = 20_000

NIL, LINK_INFO, LINK, ATTRIBUTE, CONTINUATION, SYMBOL_TABLE, ATTRIBUTE_INFO = 0x00, 0x02, 0x06, 0x0C, 0x10, 0x11, 0x15


class Damaged(UnreadableInput):
    """The file says it is HDF5 and is not, or is cut off."""

    def __init__(self, what: str) -> None:
        super().__init__(f"The HDF5 file is damaged: {what}.")


class Cursor:
    """Bytes that are read from front to back; too few of them are damage."""

    def __init__(self, data: bytes, offset_size: int = 8, length_size: int = 8) -> None:
        self.data, self.at = data, 0
        self.offset_size, self.length_size = offset_size, length_size

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes and move past them; raise Damaged where there are fewer."""
        if count < 0 or self.at + count > len(self.data):
            raise Damaged("a structure ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size: int) -> int:
        """Return the next `size` bytes as an unsigned number."""
        return int.from_bytes(self.take(size), "little")

    def offset(self) -> int:
        """Return the next bytes as an address in the file."""
        return self.number(self.offset_size)

    def length(self) -> int:
        """Return the next bytes as a length in the file."""
        return self.number(self.length_size)

    def padded(self, count: int, to: int) -> bytes:
        """Return the next `count` bytes, and move past the padding up to a multiple of `to`."""
        taken = self.take(count)
        self.take(min(-count % to, len(self.data) - self.at))
        return taken

    @property
    def left(self) -> int:
        """Return how many bytes are left."""
        return len(self.data) - self.at


class Readable(Protocol):
    """What is needed of an open file."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position, and return it."""


class File:
    """An HDF5 file: its superblock, and bounded reads at addresses."""

    def __init__(self, stream: Readable) -> None:
        self.stream = stream
        self.reads = self.total = self.base = 0
        self.offset_size = self.length_size = 8
        start = next((at for at in OFFSETS if self.bytes_at(at, 8, short=True) == HDF5), None)
        if start is None:
            raise Damaged("the signature is missing")
        self.root = self._superblock(Cursor(self.bytes_at(start, 96, short=True)), start)

    def bytes_at(self, address: int, size: int, short: bool = False) -> bytes:
        """Return `size` bytes at an address; fewer only if `short`."""
        self.reads += 1
        self.total += size
        if size > MAX_READ or self.total > MAX_TOTAL or self.reads > MAX_READS:
            raise Damaged("a structure is larger than any Keras configuration")
        try:
            self.stream.seek(self.base + address)
            data = self.stream.read(size)
        except (OSError, ValueError, OverflowError):
            raise Damaged("an address points outside the file") from None
        if len(data) < size and not short:
            raise Damaged("it is cut off, or an address points outside it")
        return data

    def at(self, address: int, size: int, short: bool = False) -> Cursor:
        """Return a cursor over `size` bytes at an address."""
        return Cursor(self.bytes_at(address, size, short), self.offset_size, self.length_size)

    def signed(self, address: int, size: int, signature: bytes) -> Cursor:
        """Return a cursor over the structure at `address`, past its signature; raise Damaged where that differs."""
        cursor = self.at(address, size, short=True)
        if cursor.take(4) != signature:
            raise Damaged(f"no {signature.decode()} block where one should be")
        return cursor

    def _superblock(self, cursor: Cursor, start: int) -> int:
        cursor.take(8)
        version = cursor.number(1)
        if version > 3:
            raise Damaged(f"version {version} of its superblock is not known")
        cursor.take(4 if version < 2 else 0)
        self.offset_size = cursor.offset_size = cursor.number(1)
        self.length_size = cursor.length_size = cursor.number(1)
        if not {self.offset_size, self.length_size} <= {4, 8}:
            raise Damaged("the size of its addresses is not possible")
        cursor.take((9, 13, 1, 1)[version])
        base, _, end = cursor.offset(), cursor.offset(), cursor.offset()
        self.base = base or start
        if self.stream.seek(0, 2) < end:
            raise Damaged("it is cut off")
        if version < 2:
            cursor.offset()  # of the driver's information
            cursor.offset()  # of the name of the root group, which has none
        return cursor.offset()


def messages(file: File, address: int) -> Iterator[tuple[int, Cursor]]:
    """Yield the messages (type, body) of the object header at `address`, its continuation blocks included."""
    first = file.at(address, 48, short=True)
    second_format = first.data[:4] == b"OHDR"
    flags = 0
    if second_format:
        flags = first.data[5] if len(first.data) > 5 else 0
        first.at = 6 + 16 * bool(flags & 0x20) + 4 * bool(flags & 0x10)
        size = first.number(1 << (flags & 3))
    else:
        if first.number(1) != 1:
            raise Damaged("the header of its root group cannot be read")
        first.take(7)
        size = first.number(4)
        first.take(4)
    blocks = [(address + first.at, size, 0)]
    while blocks:
        at, size, skip = blocks.pop(0)
        if len(blocks) > 64:
            raise Damaged("the header of its root group has no end")
        for kind, body in _block(file.at(at + skip, size - skip), second_format, flags):
            if kind == CONTINUATION:
                where, length = body.offset(), body.length()
                blocks.append((where, length - 4 * second_format, 4 * second_format))
            else:
                yield kind, body


def _block(cursor: Cursor, second_format: bool, flags: int) -> Iterator[tuple[int, Cursor]]:
    """Yield the messages of one block of an object header."""
    head = 4 + 2 * bool(flags & 4) if second_format else 8
    while cursor.left >= head:
        kind = cursor.number(1 if second_format else 2)
        size, message_flags = cursor.number(2), cursor.number(1)
        cursor.take(head - (4 if second_format else 5))
        body = Cursor(cursor.take(min(size, cursor.left)), cursor.offset_size, cursor.length_size)
        if not message_flags & 2:  # a message that is stored elsewhere is no attribute of Keras's
            yield kind, body


def attribute(file: File, body: Cursor) -> tuple[str, bytes | None]:
    """Name and text of an attribute message; the text is None for what is not one string."""
    version, shared = body.number(1), body.number(1)
    if version not in (1, 2, 3):
        raise Damaged("an attribute cannot be read")
    name_size, type_size, space_size = body.number(2), body.number(2), body.number(2)
    body.take(version == 3)
    to = 8 if version == 1 else 1
    name = body.padded(name_size, to).split(b"\0")[0].decode("utf-8", "replace")
    datatype, space = body.padded(type_size, to), body.padded(space_size, to)
    if (version > 1 and shared & 3) or not _single(space, body.length_size):
        return name, None
    return name, _text(file, datatype, body)


def _single(space: bytes, length_size: int) -> bool:
    """Return whether a dataspace holds exactly one element."""
    cursor = Cursor(space, length_size=length_size)
    version, rank = cursor.number(1), cursor.number(1)
    cursor.take(1)
    if version == 2 and cursor.number(1) == 2:
        return False  # empty by declaration
    cursor.take(5 if version == 1 else 0)
    return all(cursor.length() == 1 for _ in range(rank))


def _text(file: File, datatype: bytes, body: Cursor) -> bytes | None:
    cursor = Cursor(datatype)
    kind, bits, size = cursor.number(1) & 15, cursor.number(3), cursor.number(4)
    if kind == 3:
        return body.take(size).split(b"\0")[0]
    if kind != 9 or bits & 15 != 1:
        return None
    length, address, index = body.number(4), body.offset(), body.number(4)
    return _global_heap(file, address, index)[:length] if length else b""


def _global_heap(file: File, address: int, index: int) -> bytes:
    """Return object `index` of the global heap collection at `address`."""
    head = file.signed(address, 8 + file.length_size, b"GCOL")
    head.take(4)
    end, at = address + head.length(), address + head.at
    while at + 8 + file.length_size <= end:
        cursor = file.at(at, 8 + file.length_size)
        found, _, size = cursor.number(2), cursor.take(6), cursor.length()
        at += cursor.at
        if found == index:
            return file.bytes_at(at, size)
        if found == 0:
            break
        at += size + -size % 8
    raise Damaged("a text that an attribute names is missing")
