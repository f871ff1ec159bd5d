"""Runs the server on standard input and output."""

from __future__ import annotations

from cudnnlint.server.connection import Server
from cudnnlint.server.features import SERVED


def serve() -> int:
    """Serve one client until it leaves; return the exit status that the protocol asks for.

    That is 0 if the client has said that it leaves, and 1 if it has just gone.
    """
    server = Server()
    for name, (function, options) in SERVED.items():
        server.feature(name, options)(function)
    server.start_io()
    return 0 if server.session.ended else 1
