"""Just enough of the protocol-buffer wire format to walk a message without its generated classes.

Reads fields lazily from a buffer, so that a tensor of a gigabyte costs what its header costs. Knows no
schema, executes nothing, and raises UnreadableInput for anything that is not a well-formed message.
Source: the encoding chapter of the protocol-buffer documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from cudnnlint.core.errors import UnreadableInput

Buffer = memoryview
Value = Union[int, memoryview]

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
BROKEN = "The protocol buffer in it is cut off or damaged."


def fields(message: Buffer) -> Iterator[tuple[int, Value]]:
    """Yield (field number, value) of every field, in file order; a value is an int or a view of bytes."""
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise UnreadableInput(BROKEN)
        if kind == VARINT:
            value, at = _varint(message, at)
            yield number, value
            continue
        if kind == BYTES:
            size, at = _varint(message, at)
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
        else:
            raise UnreadableInput(BROKEN)
        if at + size > end:
            raise UnreadableInput(BROKEN)
        yield number, message[at : at + size]
        at += size


def _varint(message: Buffer, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            raise UnreadableInput(BROKEN)
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, at
    raise UnreadableInput(BROKEN)


def messages(message: Buffer, number: int) -> Iterator[Buffer]:
    """Yield every embedded message (or string, as bytes) with this field number."""
    for found, value in fields(message):
        if found == number and isinstance(value, memoryview):
            yield value


def message_at(message: Buffer, *path: int) -> Buffer | None:
    """Return the first embedded message along a path of field numbers, or None."""
    for number in path:
        inner = next(messages(message, number), None)
        if inner is None:
            return None
        message = inner
    return message


def text_at(message: Buffer, *path: int) -> str:
    """Return the string at a path of field numbers; "" where there is none."""
    found = message_at(message, *path)
    return "" if found is None else bytes(found).decode("utf-8", "replace")
