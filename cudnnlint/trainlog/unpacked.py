"""The bytes of a log, unpacked where the standard library can: what a file is, its first bytes say, not its name."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any

from cudnnlint.core.errors import UsageError

CHUNK = 1 << 16
MOST = 1 << 30  # bytes that come out of a packed log: a few kilobytes may hold any number of them
_OPENERS: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
#: What else packs logs, and the command that writes the text of one to standard output.
_OTHERS = {
    b"\x28\xb5\x2f\xfd": ("Zstandard", "zstd -dc"),
    b"PK\x03\x04": ("zip", "unzip -p"),
    b"7z\xbc\xaf\x27\x1c": ("7-Zip", "7z x -so"),
    b"\x04\x22\x4d\x18": ("LZ4", "lz4 -dc"),
    b"\x1f\x9d": ("compress", "zcat"),
}


class _Stream:
    """A stream of which the first bytes were read already."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self.first, self.stream = first, stream

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        if not self.first:
            return self.stream.read(size)
        part, self.first = self.first[:size], self.first[size:]
        return part


def chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a log, unpacked. A packed log that was cut off ends where it was cut.

    Raises UsageError for one that is damaged, too large, or packed in a way that is not read here.
    """
    first = stream.read(CHUNK)
    for mark, (kind, command) in _OTHERS.items():
        if first.startswith(mark):
            raise UsageError(f"The log is compressed with {kind}. Unpack it: `{command} FILE | cudnnlint log -`.")
    opener = next((opener for mark, opener in _OPENERS.items() if first.startswith(mark)), None)
    source: Any = _Stream(first, stream)
    return _read(source) if opener is None else _unpacked(opener(source))


def _read(source: Any) -> Iterator[bytes]:
    while chunk := source.read(CHUNK):
        yield chunk


def _unpacked(source: Any) -> Iterator[bytes]:
    size = 0
    try:
        for chunk in _read(source):
            size += len(chunk)
            if size > MOST:
                raise UsageError(
                    f"The log is larger than {MOST >> 30} GiB unpacked. Unpack it, and give the file itself."
                )
            yield chunk
    except EOFError:
        return
    except (zlib.error, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk, and not what is on it
            raise
        raise UsageError("The log is compressed and damaged. Unpack what can be saved of it first.") from error
