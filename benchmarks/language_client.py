"""The least of a language client: it opens texts, and waits for their diagnostics."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Client:
    """A server over its standard input and output."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        assert server.stdin is not None
        assert server.stdout is not None
        self.sends, self.answers = server.stdin, server.stdout

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        """Send a message; one with a number asks for an answer."""
        body = {"jsonrpc": "2.0", "method": method, "params": params, **({} if number is None else {"id": number})}
        data = json.dumps(body).encode()
        self.sends.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.sends.flush()

    def heard(self) -> Any:
        """Return the next message of the server."""
        length = 0
        while line := self.answers.readline().strip():
            length = int(line.split()[-1]) if line.startswith(b"Content-Length") else length
        return json.loads(self.answers.read(length))

    def opened(self, uri: str, text: str) -> float:
        """Open a text; return the seconds until its diagnostics are there."""
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        begun = time.perf_counter()
        self.send("textDocument/didOpen", {"textDocument": document})
        while self.heard().get("method") != "textDocument/publishDiagnostics":
            pass
        return time.perf_counter() - begun


@contextmanager
def running(command: Sequence[str], root: Path) -> Iterator[Client]:
    """Start a server with the package in a checkout, and end it."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        client = Client(server)
        client.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
        client.heard()
        client.send("initialized", {})
        yield client
        client.sends.close()
