"""What Python's own messages mean: they are few, and the same in every program. Loads what error_words.toml holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats import toml


@dataclass(frozen=True)
class ErrorWords:
    """Python's messages with what they say, kinds of values, and what arguments and methods are called today."""

    messages: tuple[tuple[re.Pattern[str], str], ...]
    kinds: Mapping[str, str]
    renamed: Mapping[str, str]
    renamed_methods: Mapping[str, str]


@cache
def words() -> ErrorWords:
    """Return the table."""
    table = toml.loads(Path(__file__).with_name("error_words.toml").read_text(encoding="utf-8"))
    return ErrorWords(
        tuple((re.compile(row["pattern"]), row["says"]) for row in table["python"]),
        {row["name"]: row["says"] for row in table["kind"]},
        table["renamed"],
        table["renamed_methods"],
    )


def said(message: str) -> list[str]:
    """Return what a message of Python's means; nothing for another."""
    for pattern, text in words().messages:
        found = pattern.search(message)
        if found:
            return [text.format(**found.groupdict())]
    return []
