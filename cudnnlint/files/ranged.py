"""A file of which only parts are fetched, each with one request, within limits of bytes, requests and time."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cudnnlint.core.errors import UnreadableInput

PAGE = 1 << 16  # bytes; a small model's configuration and table of contents are in one or two
MOST_BYTES, MOST_REQUESTS = 128 << 20, 500  # of one file
LONGEST = 120.0  # seconds for one file
Fetch = Callable[[int, int], bytes]


@contextmanager
def answers() -> Iterator[None]:
    """Turn what a file system raises, which may be anything, into UnreadableInput."""
    try:
        yield
    except UnreadableInput:
        raise
    except FileNotFoundError:
        raise UnreadableInput("The URL cannot be read: there is no such file.") from None
    except Exception as error:  # the packages behind fsspec each have exceptions of their own
        text = " ".join(str(error).split())[:300] or "no answer in time"
        raise UnreadableInput(f"The URL cannot be read: {type(error).__name__}: {text}.") from None


class Pages(io.RawIOBase):
    """A file of which pages are fetched when they are asked for; those that lie together, with one request."""

    def __init__(self, fetch: Fetch, size: int, first: bytes = b"") -> None:
        self.fetch, self.size, self.at = fetch, size, 0
        self.pages = {0: first} if len(first) in (PAGE, size) else {}
        self.bytes = self.requests = 0
        self.until = time.monotonic() + LONGEST

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes. Raises UnreadableInput beyond the limits."""
        end = self.size if size < 0 else min(self.size, self.at + size)
        if end <= self.at:
            return b""
        first, last = self.at // PAGE, (end - 1) // PAGE
        self._need([page for page in range(first, last + 1) if page not in self.pages])
        text = b"".join(self.pages[page] for page in range(first, last + 1))
        found = text[self.at - first * PAGE : end - first * PAGE]
        self.at += len(found)
        return found

    def _need(self, missing: list[int]) -> None:
        while missing:
            count = next((n for n in range(1, len(missing)) if missing[n] != missing[0] + n), len(missing))
            start, end = missing[0] * PAGE, min(self.size, (missing[0] + count) * PAGE)
            self.bytes, self.requests = self.bytes + end - start, self.requests + 1
            if self.bytes > MOST_BYTES or self.requests > MOST_REQUESTS:
                raise UnreadableInput("The URL cannot be read: too much of the file is needed; download it first.")
            if time.monotonic() > self.until:
                raise UnreadableInput(f"The URL cannot be read: it took more than {LONGEST:.0f} seconds.")
            with answers():
                data = self.fetch(start, end)
            if len(data) != end - start:
                raise UnreadableInput("The URL cannot be read: the server sent fewer bytes than it announced.")
            for number in range(count):
                self.pages[missing[number]] = data[number * PAGE : (number + 1) * PAGE]
            del missing[:count]

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a position. Raises ValueError in front of the file."""
        self.at = offset + (0, self.at, self.size)[whence]
        if self.at < 0:
            raise ValueError("negative position")
        return self.at

    def tell(self) -> int:
        """Return the position."""
        return self.at

    def seekable(self) -> bool:
        """Return True."""
        return True

    def readable(self) -> bool:
        """Return True."""
        return True
