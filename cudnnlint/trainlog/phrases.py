"""Loads phrases.toml: the wordings that a training log may hold. Reads no log."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: What a line tells, from bad to good. The first three are problems.
TELLS = {
    "raises": "the step stops with an error",
    "machine": "this machine, as set up, cannot run cuDNN kernels",
    "fallback": "the layer runs in a loop without cuDNN",
    "changed": "Keras continues, but not as requested",
    "cudnn": "the layer runs in cuDNN",
    "harmless": "this line is harmless",
}
PROBLEMS = ("raises", "machine", "fallback")
#: What stands before a phrase where a traceback shows the line of code that says it: no news of its own.
_ECHO = re.compile(r"\s{4,}(?:raise\b.*)?['\"]", re.DOTALL)


@dataclass(frozen=True)
class Phrase:
    """One wording; the fields are explained at the head of phrases.toml."""

    key: str
    tells: str
    anchor: tuple[str, ...]
    pattern: re.Pattern[str]
    said_by: str
    means: str
    do: str
    codes: tuple[str, ...]


@cache
def phrases() -> tuple[Phrase, ...]:
    """All phrases, in the order that counts."""
    text = Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8")
    return tuple(
        Phrase(
            row["key"],
            row["tells"],
            tuple(row["anchor"]),
            re.compile(row["pattern"]),
            row["said_by"],
            row["means"],
            row["do"],
            tuple(row["codes"]),
        )
        for row in tomllib.loads(text)["phrase"]
    )


@cache
def anchors() -> tuple[str, ...]:
    """Every anchor once: a line without any of them, as nearly all are, holds no phrase."""
    return tuple(dict.fromkeys(anchor for phrase in phrases() for anchor in phrase.anchor))


def found_in(text: str, seen: int = 0) -> Iterator[tuple[Phrase, re.Match[str]]]:
    """Every phrase in `text` that does not end within its first `seen` characters; overlapping ones give way."""
    present = {anchor for anchor in anchors() if anchor in text}
    if not present:
        return
    taken: list[tuple[int, int]] = []
    for phrase in phrases():
        if present.isdisjoint(phrase.anchor):
            continue
        for match in phrase.pattern.finditer(text):
            start, end = match.span()
            if _ECHO.fullmatch(text, 0, start):
                continue
            if end > seen and not any(start < last and first < end for first, last in taken):
                taken.append((start, end))
                yield phrase, match
