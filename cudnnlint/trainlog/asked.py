"""What a question in plain words is about, where no message in it is known: its words lead to what holds there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats import toml

MOST_LINES = 40  # a longer text is a log, in which such words mean nothing
LONGEST = 4_000  # characters of a question that are worth looking at
#: What a program printed, and nobody wrote: loggers, bars of progress.
_PRINTED = re.compile(
    r"\d{4}-\d\d-\d\d|.{0,200}\.(?:cc|cpp|py):\d+[\]:]|\[?[IWEF]\d{4} |\s*Epoch \d|\s*\d+/(?:\d+|Unknown)\b"
    r"|.{0,80}\[[=>.]{3}"
)


@dataclass(frozen=True)
class About:
    """A field that people ask about: what all must be found in a text of it, what holds there, and what to do."""

    name: str
    words: tuple[re.Pattern[str], ...]
    says: str
    do: str


@cache
def abouts() -> tuple[About, ...]:
    """Return the fields, in the order that counts."""
    table = toml.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))
    return tuple(
        About(row["name"], tuple(re.compile(words, re.IGNORECASE) for words in row["words"]), row["says"], row["do"])
        for row in table["about"]
    )


def asked(lines: Sequence[str]) -> About | None:
    """Return what a short text asks about; None for a longer one, and where its words lead nowhere."""
    if len(lines) > MOST_LINES:
        return None
    text = " ".join(line for line in lines if not _PRINTED.match(line))[:LONGEST]
    return next((about for about in abouts() if all(words.search(text) for words in about.words)), None)
