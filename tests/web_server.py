"""A web server on this machine, which says what it was asked and what it sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Site:
    """The files of a server by path, and how it answers: `moved` leads elsewhere, `endless` never stops sending.

    `sent` is how many bytes of files it sent, `asked` which paths and ranges it was asked for.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.moved: dict[str, str] = {}
        self.ranges = True
        self.endless = False
        self.sent = 0
        self.asked: list[tuple[str, str | None]] = []
        self.port = 0

    def url(self, path: str) -> str:
        """Return the URL of a file."""
        return f"http://127.0.0.1:{self.port}/{path}"


@contextmanager
def serving() -> Iterator[Site]:
    """Serve a site while the context lasts."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            _answer(site, self)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


def _answer(site: Site, request: BaseHTTPRequestHandler) -> None:
    path = request.path.lstrip("/").partition("?")[0]
    wanted = request.headers.get("Range")
    site.asked.append((path, wanted))
    if path in site.moved:
        request.send_response(302)
        request.send_header("Location", site.moved[path])
        request.end_headers()
        return
    if path not in site.files:
        request.send_error(404)
        return
    data = site.files[path]
    found = re.fullmatch(r"bytes=(\d+)-(\d+)", wanted or "")
    if found and site.ranges:
        start, end = int(found[1]), min(int(found[2]), len(data) - 1)
        request.send_response(206)
        request.send_header("Content-Range", f"bytes {start}-{end}/{len(data)}")
        data = data[start : end + 1]
    else:
        request.send_response(200)
    if not site.endless:
        request.send_header("Content-Length", str(len(data)))
    request.end_headers()
    try:
        while True:
            request.wfile.write(data)
            site.sent += len(data)
            if not site.endless:
                return
    except OSError:  # the other side has heard enough
        return
