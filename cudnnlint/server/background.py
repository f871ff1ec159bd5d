"""Work on buffers, one piece after the other in one thread, so that the server hears the client meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.server.documents import Buffer
from cudnnlint.settings.settings import Flags

Done = TypeVar("Done")
Work = Callable[[Buffer, Flags], Done]


@dataclass(frozen=True)
class _Piece:
    """Work on one text with these flags: under way, or done."""

    buffer: Buffer
    flags: Flags
    future: asyncio.Future[Any]


class Worker:
    """Does each kind of work once for each text, and keeps what came of it for the newest.

    Work on an older text that has not begun is cancelled; of work that has, nobody sees the result. `failed` is told of
    every piece that raised.
    """

    def __init__(self, failed: Callable[[Buffer, BaseException], None]) -> None:
        self.failed = failed
        self.pool = ThreadPoolExecutor(1, "check")
        self.pieces: dict[tuple[str, str], _Piece] = {}

    async def answer(self, work: Work[Done], buffer: Buffer, flags: Flags) -> Done | None:
        """Return what comes of work; None where it failed or the text is an older one by now."""
        future = self._begun(work, buffer, flags)
        await asyncio.wait([future])
        return None if future.cancelled() or future.exception() is not None else future.result()

    def known(self, work: Work[Done], buffer: Buffer, flags: Flags) -> Done | None:
        """Return what came of work, if it is done."""
        piece = self.pieces.get((buffer.uri, work.__name__))
        if piece is None or (piece.buffer, piece.flags) != (buffer, flags) or not piece.future.done():
            return None
        return None if piece.future.cancelled() or piece.future.exception() else piece.future.result()

    def forget(self, uri: str | None = None) -> None:
        """Drop what is known of a file, or of all files: something else that it rests on has changed."""
        for key in [key for key in self.pieces if uri in (None, key[0])]:
            self.pieces.pop(key).future.cancel()

    def _begun(self, work: Work[Done], buffer: Buffer, flags: Flags) -> asyncio.Future[Done]:
        key = (buffer.uri, work.__name__)
        piece = self.pieces.get(key)
        if piece is not None and (piece.buffer, piece.flags) == (buffer, flags) and not piece.future.cancelled():
            return piece.future
        if piece is not None:
            piece.future.cancel()
        future = asyncio.get_running_loop().run_in_executor(self.pool, work, buffer, flags)
        future.add_done_callback(lambda done: self._finished(buffer, done))
        self.pieces[key] = _Piece(buffer, flags, future)
        return future

    def _finished(self, buffer: Buffer, future: asyncio.Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self.failed(buffer, error)
