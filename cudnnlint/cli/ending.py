"""A run that is told to end (SIGTERM, SIGHUP) ends as one that is interrupted: it leaves nothing behind."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType


def on_signals() -> None:
    """Let signals that end a program end it in an orderly way, with the status that a shell gives them."""
    _replace(signal.SIG_DFL, _end)  # what is ignored stays so: nohup


def as_usual() -> None:
    """Let the signals end the program at once again: it writes nothing that could be left."""
    _replace(_end, signal.SIG_DFL)


def _replace(old: object, new: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == old:
            signal.signal(number, new)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
