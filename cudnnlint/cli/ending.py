"""A run that is told to end (SIGTERM, SIGHUP) ends as one that is interrupted: it leaves nothing behind."""

from __future__ import annotations

import signal
import sys
from types import FrameType


def on_signals() -> None:
    """Let signals that end a program end it in an orderly way, with the status that a shell gives them."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # nohup: it is to be ignored
            signal.signal(number, _end)


def as_usual() -> None:
    """Let the signals end the program at once again: it writes nothing that could be left."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == _end:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
