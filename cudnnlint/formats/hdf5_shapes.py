"""The shapes of data sets in an HDF5 file, by the path of the group that holds them. Reads no element of any.

Groups as Keras writes them (h5py's defaults: symbol tables), and those of links in the group's own header. What is laid
out in another way, damaged, or beyond the bounds of `hdf5.File` has no shapes here.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.formats.hdf5 import LINK, LINK_INFO, SYMBOL_TABLE, Cursor, Damaged, File, Readable, messages

DATASPACE = 0x01
#: How deep groups are followed: Keras names a weight by model, layer, wrapped layer and cell.
MAX_DEPTH = 16
MAX_MEMBERS = 20_000
MAX_NAME_HEAP = 2**22


class StoredShapes:
    """The data sets of one file. Each question costs the groups on the way to what it asks for."""

    def __init__(self, stream: Readable) -> None:
        self.file = File(stream)
        self.listed: dict[int, dict[str, int]] = {}

    def under(self, path: str, name: str | None = None) -> list[tuple[int, ...]] | None:
        """Return the shapes of all data sets below a group; None where it is missing or cannot be read.

        With a name: below the one group of that name in it, at whatever depth; None where there are several.
        """
        try:
            address: int | None = self.file.root
            for part in path.split("/"):
                address = None if address is None else self._members(address).get(part)
            if name is not None and address is not None:
                called = list(self._called(name, address, MAX_DEPTH))
                address = called[0] if len(called) == 1 else None
            return None if address is None else list(self._below(address, MAX_DEPTH))
        except UnreadableInput:
            return None

    def lacks(self, name: str) -> bool:
        """Return whether the file has no group or data set of this name; False where that cannot be read."""
        try:
            return name not in self._members(self.file.root)
        except UnreadableInput:
            return False

    def filled(self, path: str) -> list[str] | None:
        """Return the members of a group that hold data sets, none where it is missing; None where it is unreadable."""
        try:
            members = self._members(self.file.root).get(path)
            listed = {} if members is None else self._members(members)
            return [name for name, member in listed.items() if next(self._below(member, MAX_DEPTH), None) is not None]
        except UnreadableInput:
            return None

    def _called(self, name: str, address: int, depth: int) -> Iterator[int]:
        """Yield the members of a name at any depth, but none inside another of them."""
        if not depth:
            raise Damaged("its groups have no end")
        for own, member in self._members(address).items():
            if own == name:
                yield member
            elif self._shape(member) is None:
                yield from self._called(name, member, depth - 1)

    def _below(self, address: int, depth: int) -> Iterator[tuple[int, ...]]:
        if not depth:
            raise Damaged("its groups have no end")
        for member in self._members(address).values():
            shape = self._shape(member)
            if shape is None:
                yield from self._below(member, depth - 1)
            else:
                yield shape

    def _shape(self, address: int) -> tuple[int, ...] | None:
        """Return the shape of a data set; None for a group."""
        space = next((body for kind, body in messages(self.file, address) if kind == DATASPACE), None)
        if space is None:
            return None
        version, rank = space.number(1), space.number(1)
        if version not in (1, 2):
            raise Damaged("the shape of a data set cannot be read")
        space.take(6 if version == 1 else 2)
        return tuple(space.length() for _ in range(rank))

    def _members(self, address: int) -> dict[str, int]:
        """Return the names in a group, with the addresses of what they name."""
        if address not in self.listed:
            found: dict[str, int] = {}
            for kind, body in messages(self.file, address):
                if kind == SYMBOL_TABLE:
                    found.update(_of_table(self.file, body))
                elif kind == LINK:
                    found.update(_of_link(body))
                elif kind == LINK_INFO and _is_dense(body):
                    raise UnreadableInput("A group of the HDF5 file keeps its links in a heap.")
            self.listed[address] = found
        return self.listed[address]


def _of_table(file: File, body: Cursor) -> Iterator[tuple[str, int]]:
    """Yield the members of a symbol table: a version 1 B-tree of nodes, and a local heap with the names."""
    tree = body.offset()
    head = file.signed(body.offset(), 8 + 2 * file.length_size + file.offset_size, b"HEAP")
    head.take(4)
    size, _, address = head.length(), head.length(), head.offset()
    names = file.bytes_at(address, min(size, MAX_NAME_HEAP))
    left = MAX_MEMBERS
    for node in _nodes(file, tree, MAX_DEPTH):
        start = file.signed(node, 8, b"SNOD")
        start.take(2)
        count = start.number(2)
        entries = file.at(node + 8, count * (2 * file.offset_size + 24))
        left -= count
        if left < 0:
            raise Damaged("a group has more members than any Keras model")
        for _ in range(count):
            at, where = entries.offset(), entries.offset()
            entries.take(24)  # what is cached of the member: a kind, and 16 bytes of its own
            yield names[at:].partition(b"\0")[0].decode("utf-8", "replace"), where


def _nodes(file: File, address: int, depth: int) -> Iterator[int]:
    """Yield the addresses of the symbol table nodes under a node of a version 1 B-tree."""
    if not depth:
        raise Damaged("an index of a group has no end")
    head = file.signed(address, 8 + 2 * file.offset_size, b"TREE")
    if head.number(1):
        raise Damaged("a group has the index of a data set")
    level, count = head.number(1), head.number(2)
    pairs = file.at(address + 8 + 2 * file.offset_size, count * (file.length_size + file.offset_size))
    for _ in range(count):
        pairs.length()  # the key before each child
        child = pairs.offset()
        if level:
            yield from _nodes(file, child, depth - 1)
        else:
            yield child


def _of_link(body: Cursor) -> Iterator[tuple[str, int]]:
    """Yield the member of a link message, if it is a hard link."""
    body.take(1)
    flags = body.number(1)
    kind = body.number(1) if flags & 8 else 0
    body.take(8 * bool(flags & 4) + bool(flags & 16))
    name = body.take(body.number(1 << (flags & 3))).decode("utf-8", "replace")
    if kind == 0:
        yield name, body.offset()


def _is_dense(body: Cursor) -> bool:
    body.take(1)
    body.take(8 * (body.number(1) & 1))
    return body.offset() != (1 << 8 * body.offset_size) - 1
