"""Colour and line breaks for a terminal; without colour the same text."""

from __future__ import annotations

import textwrap

from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass

CODES = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "bold": "1"}
SEVERITY = {"error": "red", "warning": "yellow", "info": "cyan"}
VERDICT = {"cudnn": "green", "fallback": "yellow", "raises": "red", "depends": "magenta", "unknown": "cyan"}


@dataclass(frozen=True)
class Ink:
    """Paints if `colour`, and wraps to `width`."""

    colour: bool
    width: int

    def paint(self, text: str, *styles: str) -> str:
        """Return the text in these styles; unchanged without colour."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(CODES[style] for style in styles)}m{text}\x1b[0m"

    def wrapped(self, text: str, first: str, rest: str) -> list[str]:
        """Return the text, in the reader's language, in lines up to `width`; they begin with `first` and `rest`."""
        lines = textwrap.wrap(
            tr(text),
            max(self.width, len(rest) + 20),
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return lines or [first.rstrip()]
