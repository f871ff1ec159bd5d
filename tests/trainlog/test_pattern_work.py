"""The work of the patterns of a log grows with a line, not with its square: none may begin to match at any character.

A pattern that begins with `\\w+` begins again at each letter of a word that has no end.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest

from cudnnlint.trainlog.phrases import phrases

PARSER: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
SIGNS: Any = importlib.import_module("re._constants" if sys.version_info >= (3, 11) else "sre_constants")
#: So many characters may be tried again.
FEW = 200


def begins_anywhere(tokens: Any) -> bool:
    """Whether the first thing that is matched has no end, and nothing before says where it may begin."""
    for sign, value in tokens:
        if sign in (SIGNS.AT, SIGNS.ASSERT, SIGNS.ASSERT_NOT):
            return False
        if sign is SIGNS.SUBPATTERN:
            return begins_anywhere(value[3])
        if sign is SIGNS.BRANCH:
            return any(begins_anywhere(branch) for branch in value[1])
        if sign not in (SIGNS.MAX_REPEAT, SIGNS.MIN_REPEAT):
            return False
        least, most, repeated = value
        if most is SIGNS.MAXREPEAT or most > FEW or begins_anywhere(repeated):
            return True
        if least:
            return False
    return False


PATTERNS = [pattern for phrase in phrases() for pattern in phrase.patterns]
PATTERNS += [case.near for phrase in phrases() for case in phrase.cases if case.near]


def test_no_pattern_begins_with_something_endless() -> None:
    assert [one.pattern for one in PATTERNS if begins_anywhere(PARSER.parse(one.pattern))] == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\w+ failed", True),
        (r"(?P<detail>\w+)\(\)", True),
        (r"(?:layout|\w+ optimizer) failed", True),
        (r"[a-z]{0,9}\d+", True),
        (r"(?<!\w)\w+ failed", False),
        (r"\b(?:a|\w+) failed", False),
        (r"[a-z]{1,9}\d+", False),
        (r"failed: .*", False),
    ],
)
def test_an_endless_beginning_is_seen(pattern: str, expected: bool) -> None:
    assert begins_anywhere(PARSER.parse(pattern)) is expected
