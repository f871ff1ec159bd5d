"""Files on web servers, which are not trusted: what they send is counted, and they have little time to send it."""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import urlsplit

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.files.ranged import PAGE, Pages

PROTOCOLS = ("http", "https")
SECONDS = 20.0  # for one request
#: Bytes of a file that is read whole, because its server gives no part of it.
MOST_WHOLE = 16 << 20


def opened(url: str) -> Pages | io.BytesIO:
    """Return a file on a web server: by ranges, or whole if it is small and the server knows no ranges."""
    import fsspec

    filesystem = fsspec.filesystem(urlsplit(url).scheme, client_kwargs={"auto_decompress": False, "trust_env": True})

    def ask(start: int, end: int) -> tuple[int | None, bytes]:
        found: tuple[int | None, bytes] = fsspec.asyn.sync(
            filesystem.loop, _part, filesystem, url, start, end, timeout=SECONDS + 5
        )
        return found

    total, data = ask(0, PAGE)
    if total is None:
        return io.BytesIO(data)

    def fetch(start: int, end: int) -> bytes:
        size, part = ask(start, end)
        if size != total:
            raise UnreadableInput("The URL cannot be read: the file changed, or the server stopped giving parts of it.")
        return part

    return Pages(fetch, total, data)


async def _part(filesystem: Any, url: str, start: int, end: int) -> tuple[int | None, bytes]:
    """Return the size of a file and a part of it; None and all of it from a server that gives no parts."""
    import aiohttp

    session = await filesystem.set_session()
    headers = {"Range": f"bytes={start}-{end - 1}", "Accept-Encoding": "identity"}
    limits = {"timeout": aiohttp.ClientTimeout(total=SECONDS), "max_redirects": 5}
    async with session.get(filesystem.encode_url(url), headers=headers, **limits) as answer:
        if answer.url.scheme not in PROTOCOLS or (url.startswith("https:") and answer.url.scheme != "https"):
            raise UnreadableInput(f"The URL cannot be read: it leads to {answer.url.scheme}://, which is not secure.")
        if answer.status == 416 and start == 0:
            raise UnreadableInput("The file is empty.")
        if answer.status in (404, 410):
            raise FileNotFoundError(url)
        answer.raise_for_status()
        size = re.fullmatch(rf"bytes {start}-\d+/(\d+)", answer.headers.get("Content-Range", ""))
        ranged = answer.status == 206 and size is not None
        most = end - start if ranged else MOST_WHOLE + 1
        data = bytearray()
        async for chunk in answer.content.iter_chunked(PAGE):
            data += chunk
            if len(data) >= most:
                break
        if ranged:
            assert size is not None
            return int(size[1]), bytes(data[:most])
    if len(data) > MOST_WHOLE:
        limit = f"{MOST_WHOLE >> 20} MiB"
        raise UnreadableInput(f"The server gives no parts of files, and this one has more than {limit}: download it.")
    return None, bytes(data)
