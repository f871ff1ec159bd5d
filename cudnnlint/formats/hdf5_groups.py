"""What the root group of an HDF5 file holds: its text attributes, and the names of its members.

Attributes that are many or large lie in a fractal heap ("dense"), indexed by a version 2 B-tree. Two
levels of such a tree are read, which is hundreds of attributes; Keras writes four.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats.hdf5 import (
    ATTRIBUTE,
    ATTRIBUTE_INFO,
    LINK,
    SYMBOL_TABLE,
    Cursor,
    Damaged,
    File,
    attribute,
    messages,
)

MAX_NAMES = 2**16


@dataclass(frozen=True)
class Root:
    """The text attributes of a root group (only those asked for), all attribute names, and member names."""

    texts: dict[str, bytes]
    attributes: frozenset[str]
    members: frozenset[str]


def read_root(stream: BinaryIO, wanted: tuple[str, ...]) -> Root:
    """Return the root group of an HDF5 file."""
    file = File(stream)
    texts: dict[str, bytes] = {}
    attributes: set[str] = set()
    members: set[str] = set()
    for kind, body in messages(file, file.root):
        if kind == SYMBOL_TABLE:
            members |= _members(file, body)
        elif kind == LINK:
            members |= _linked(body)
        elif kind in (ATTRIBUTE, ATTRIBUTE_INFO):
            for found in [body] if kind == ATTRIBUTE else _dense(file, body):
                name, text = attribute(file, found)
                attributes.add(name)
                if name in wanted and text is not None:
                    texts[name] = text
    return Root(texts, frozenset(attributes), frozenset(members))


def _members(file: File, body: Cursor) -> set[str]:
    """Return the names in the local heap of a symbol table; those of deleted members may be among them."""
    body.offset()
    head = file.signed(body.offset(), 8 + 2 * file.length_size + file.offset_size, b"HEAP")
    head.take(4)
    size, _, address = head.length(), head.length(), head.offset()
    names = file.bytes_at(address, min(size, MAX_NAMES), short=True).split(b"\0")
    return {name.decode("utf-8", "replace") for name in names if name}


def _linked(body: Cursor) -> set[str]:
    """Return the name in a link message, as a set of one."""
    body.take(1)
    flags = body.number(1)
    body.take(bool(flags & 8) + 8 * bool(flags & 4) + bool(flags & 16))
    return {body.take(body.number(1 << (flags & 3))).decode("utf-8", "replace")}


def _dense(file: File, body: Cursor) -> Iterator[Cursor]:
    """Yield the attribute messages that an attribute info message points to."""
    body.take(1)
    body.take(2 * (body.number(1) & 1))
    heap, tree = body.offset(), body.offset()
    if heap != (1 << 8 * file.offset_size) - 1:
        store = _Heap(file, heap)
        for record in _records(file, tree):
            yield store.object(Cursor(record, file.offset_size, file.length_size))


def _records(file: File, address: int) -> Iterator[bytes]:
    """Yield the records of a version 2 B-tree of one or two levels."""
    head = file.signed(address, 40, b"BTHD")
    head.take(2)
    node, size, depth = head.number(4), head.number(2), head.number(2)
    head.take(2)
    root, count = head.offset(), head.number(2)
    if depth > 1:
        raise UnreadableInput("The HDF5 file has more attributes than cudnnlint reads.")
    if not depth:
        yield from _node(file, root, count, size, b"BTLF")
        return
    yield from _node(file, root, count, size, b"BTIN")
    in_leaf = ((node - 10) // size).bit_length() if size and node > 10 else 8  # 10 bytes of a leaf are no records
    children = file.at(root + 6 + count * size, (count + 1) * (file.offset_size + (in_leaf + 7) // 8))
    for _ in range(count + 1):
        leaf = children.offset()
        yield from _node(file, leaf, children.number((in_leaf + 7) // 8), size, b"BTLF")


def _node(file: File, address: int, count: int, size: int, signature: bytes) -> list[bytes]:
    """Return the records of one node, which may be none."""
    if not count:
        return []
    node = file.signed(address, 6 + count * size, signature)
    node.take(2)
    return [node.take(size) for _ in range(count)]


class _Heap:
    """A fractal heap without filters."""

    def __init__(self, file: File, address: int) -> None:
        self.file = file
        head = file.signed(address, 256, b"FRHP")
        head.take(1)
        self.id_size, filters, _, self.max_managed = (head.number(size) for size in (2, 2, 1, 4))
        if filters:
            raise UnreadableInput("Its HDF5 attributes are compressed, which cudnnlint does not read.")
        head.length()  # the next huge ID
        self.huge = head.offset()
        head.length()  # free space in managed blocks
        head.offset()  # its manager
        for _ in range(8):
            head.length()  # how much of what there is
        self.width, self.start, self.max_direct = head.number(2), head.length(), head.length()
        self.offset_bytes = (head.number(2) + 7) // 8
        head.take(2)
        self.root, self.rows = head.offset(), head.number(2)
        if not 0 < self.width <= 1024 or not 0 < self.start <= self.max_direct:
            raise Damaged("a heap of attributes cannot be read")

    def object(self, record: Cursor) -> Cursor:
        """Return the object that the heap ID at the front of a record names."""
        found = Cursor(record.take(self.id_size), record.offset_size, record.length_size)
        kind = found.number(1) >> 4 & 3
        if kind == 1:
            return self._huge(found)
        if kind != 0:
            raise Damaged("an attribute is missing from its heap")
        offset = found.number(self.offset_bytes)
        limit = min(self.max_direct, self.max_managed)
        return self.file.at(self._locate(offset), found.number(((limit.bit_length() - 1) >> 3) + 1))

    def _locate(self, offset: int) -> int:
        """Return the address of a place in the heap's own order."""
        if not self.rows:
            return self.root + offset
        cursor = self.file.signed(self.root, 5 + self.file.offset_size + self.offset_bytes, b"FHIB")
        table, size, passed = self.root + len(cursor.data), self.start, 0
        for row in range(self.rows):
            size = self.start << max(row - 1, 0)
            if size > self.max_direct:
                break
            if offset < passed + size * self.width:
                entry = row * self.width + (offset - passed) // size
                block = self.file.at(table + entry * self.file.offset_size, self.file.offset_size).offset()
                return block + (offset - passed) % size
            passed += size * self.width
        raise Damaged("an attribute is missing from its heap")

    def _huge(self, found: Cursor) -> Cursor:
        """Return an object that lies outside the heap's blocks, by the number in its ID."""
        wanted = found.number(min(found.left, self.file.length_size))
        for record in _records(self.file, self.huge):
            cursor = Cursor(record, self.file.offset_size, self.file.length_size)
            address, length, number = cursor.offset(), cursor.length(), cursor.length()
            if number == wanted:
                return self.file.at(address, length)
        raise Damaged("an attribute is missing from its heap")
