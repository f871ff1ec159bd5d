"""Reads a compiled catalogue (.mo, the format of GNU gettext): messages and their texts.

Python's own `gettext` looks a message up; here all of them are needed, to find templates again in finished text.
Format: https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html
"""

from __future__ import annotations

import struct

MAGIC = 0x950412DE


def read(data: bytes) -> dict[str, str]:
    """Return the messages with their texts. Raises ValueError for bytes that are no catalogue."""
    magic, _, count, originals, texts = struct.unpack_from("<5I", data)
    if magic != MAGIC:
        raise ValueError("not a catalogue of messages")
    pairs = ((_string(data, originals, index), _string(data, texts, index)) for index in range(count))
    return {message: text for message, text in pairs if message}


def _string(data: bytes, table: int, index: int) -> str:
    length, start = struct.unpack_from("<2I", data, table + 8 * index)
    return data[start : start + length].decode("utf-8")
