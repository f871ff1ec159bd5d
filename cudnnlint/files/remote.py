"""Files behind URLs, through fsspec (the extra `remote`): a model's configuration costs a few ranged reads.

Every request and every file has a limit of bytes and of time; nothing is written to disk and nothing is unpickled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

from cudnnlint.core.errors import UnreadableInput, UsageError
from cudnnlint.core.regex import regex
from cudnnlint.core.text import is_url
from cudnnlint.files import web
from cudnnlint.files.ranged import PAGE, Fetch, Pages, answers

INSTALL = 'pip install "cudnnlint[remote]"'
#: Files in a folder of a bucket; more belong to `check_many`.
MOST_FILES = 100_000
_PAGE_OF_HTML = regex(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)


def prove(url: str) -> None:
    """Raise UsageError where this installation cannot open such a URL at all."""
    import logging

    try:
        import fsspec
    except ImportError:
        raise UsageError(f"{url} is a URL; to read it: {INSTALL}") from None
    for name in ("fsspec", "gcsfs", "s3fs", "botocore"):
        logging.getLogger(name).addHandler(logging.NullHandler())  # what they would write to standard error unasked
    protocol = urlsplit(url).scheme
    if "::" in url:
        raise UsageError(f"{url} is a chain of URLs, which cudnnlint does not read.")
    try:
        fsspec.get_filesystem_class(protocol)
    except ValueError:
        raise UsageError(f"{url}: fsspec does not know the protocol {protocol}://.") from None
    except ImportError as error:
        raise UsageError(f"{url}: {error}; to read it: {INSTALL}") from None


def name_of(url: str) -> str:
    """Return the name of the file behind a URL, whose suffix says what it is."""
    return unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])


def listed(url: str) -> list[str] | None:
    """Return the files in a folder of a bucket, in the order of their names; None for a file, and for the web.

    Raises UnreadableInput.
    """
    if urlsplit(url).scheme in web.PROTOCOLS:
        return None
    with answers():
        filesystem, path = _filesystem(url)
        if filesystem.info(path)["type"] != "directory":
            return None
        found = []
        for folder, _, files in filesystem.walk(path):
            found += [f"{folder}/{name}" for name in files]
            if len(found) > MOST_FILES:
                raise UnreadableInput(f"The folder has more than {MOST_FILES:,} files: use cudnnlint.check_many.")
        base = url.rstrip("/")
        inside = len(path.rstrip("/")) + 1
        return sorted(f"{base}/{name[inside:]}" for name in found)


@contextmanager
def opened(url: str) -> Iterator[BinaryIO]:
    """Open the file behind a URL for a few reads at any place in it. Raises UnreadableInput."""
    with answers():
        if urlsplit(url).scheme in web.PROTOCOLS:
            stream = web.opened(url)
        else:
            filesystem, path = _filesystem(url)
            file = filesystem.open(path, "rb", block_size=PAGE, cache_type="none")
            stream = Pages(_from_file(file), int(filesystem.size(path)))
        if _PAGE_OF_HTML.match(stream.read(64)):
            raise UnreadableInput("The URL gives a web page, not the file itself.")
        stream.seek(0)
    yield cast(BinaryIO, stream)


def first_bytes(url: str, count: int) -> bytes:
    """Return the first bytes of a file. Raises UnreadableInput."""
    with opened(url) as stream:
        return stream.read(count) or b""


def _filesystem(url: str) -> tuple[Any, str]:
    import fsspec

    filesystem, path = fsspec.core.url_to_fs(url)
    return filesystem, str(path)


def _from_file(file: Any) -> Fetch:
    def fetch(start: int, end: int) -> bytes:
        file.seek(start)
        return bytes(file.read(end - start))

    return fetch


class Nowhere:
    """The project of a file behind a URL: none of its imports is followed."""

    def name_of(self, path: str) -> tuple[str, bool]:
        """Return the dotted name of a file, and that it is no package."""
        return name_of(path).partition(".")[0] if is_url(path) else path, False

    def find(self, name: str, beside: str) -> None:
        """Return None: no module is found."""

    def at(self, path: str, beside: str) -> None:
        """Return None: no file is found."""
