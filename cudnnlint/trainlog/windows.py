"""The lines around a line: those of the same traceback, and those that a screen or notebook broke in two."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from cudnnlint.trainlog.phrases import Phrase, found_in
from cudnnlint.trainlog.pieces import Piece

LINES = 60  # a traceback through Keras and TensorFlow is seldom longer
WIDTH = 2_000  # characters of one line that are worth remembering
BROKEN_INTO = 4  # lines that one message may be broken into
WIDEST_SCREEN = 250  # a longer line was not broken by a screen

#: How TensorFlow's own logger begins a line: nothing goes on there that another line began.
_LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWEF] ")
_TRACEBACK = "Traceback (most recent call last)"
_CHAINED = ("During handling of the above exception", "was the direct cause of the following")


class Window:
    """The last lines of the log, forgotten where a new traceback begins."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=LINES)
        self.short: deque[str] = deque(maxlen=BROKEN_INTO - 1)

    def take(self, text: str) -> None:
        """Remember a line."""
        if begins_traceback(text) and not any(words in line for line in list(self.lines)[-4:] for words in _CHAINED):
            self.lines.clear()
        self.lines.append(text[-WIDTH:])
        short = len(text) <= WIDEST_SCREEN and bool(text.strip())
        if not short or _LOGGED.match(text):
            self.short.clear()
        if short:
            self.short.append(text)

    def text(self) -> str:
        """Return what this traceback said so far."""
        return "\n".join(self.lines)

    def broken(self, piece: Piece) -> Iterator[tuple[Phrase, re.Match[str]]]:
        """Yield the phrases that begin in one of the last lines and end in this one; ask before `take`."""
        if not self.short or len(piece.text) > WIDEST_SCREEN or _LOGGED.match(piece.text):
            return
        if not any(map(_scented, (*self.short, piece.text))):
            return
        alone: set[str] | None = None
        for glue in (" ", ""):  # broken between words, or in the middle of one
            before = glue.join(part.strip() if glue else part for part in self.short) + glue
            for phrase, match in found_in(before + (piece.text.strip() if glue else piece.text)):
                if alone is None:
                    alone = {phrase.key for line in (*self.short, piece.text) for phrase, _ in found_in(line)}
                if match.start() < len(before) < match.end() and phrase.key not in alone:
                    alone.add(phrase.key)
                    yield phrase, match


def begins_traceback(text: str) -> bool:
    """Return whether a new traceback begins with this line."""
    return _TRACEBACK in text


def _scented(text: str) -> bool:
    """Return whether a line may be part of a phrase: nearly every message has one of these words, no progress bar."""
    lower = text.lower()
    return "rnn" in lower or "cudnn" in lower or "lstm" in lower or "tensor" in lower or "shape" in lower
