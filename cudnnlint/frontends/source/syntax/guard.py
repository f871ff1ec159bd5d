"""A check for what libcst must not be given: its parser ends the process on thousands of nested brackets.

Brackets, operators and calls in a row are counted in the text first. Strings and comments are skipped well enough for
counting; where that fails, the parser still decides.
"""

from __future__ import annotations

import re

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.regex import regex

#: CPython itself refuses more nested brackets than this ("too many nested parentheses").
DEEPEST = 200
#: Operators, dots and calls in one expression. libcst needs 3 s for 1,000 chained calls (quadratic).
LONGEST = 1_000
#: Brackets, operators, commas and texts that are deeper than `DEEP`, each counted once for every bracket beyond it.
#: libcst takes some 3 microseconds for each: it copies what is inside brackets, once for every bracket around it.
DEEP = 20
MOST_DEEP = 300_000

_TOKEN = regex(
    r"""
    (?P<text>[rbfuRBFU]{0,3}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<comment>\#[^\n]*)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<end>[,;]|:(?!=)|\n)
    |(?P<operator>\*\*|//|<<|>>|[-+*/%@&|^~.]|\b(?:not|if|lambda|await)\b)
    """,
    re.VERBOSE | re.DOTALL,
)


def check(text: str) -> None:
    """Raise UnreadableInput for a text that would crash the parser or take it too long."""
    runs = [0]
    deep = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            runs[-1] += 1
            runs.append(0)
            if len(runs) - 1 > DEEPEST:
                raise _refused(text, token.start(), f"It nests brackets more than {DEEPEST} deep.")
        elif kind == "close":
            if len(runs) > 1:
                runs.pop()
        elif kind == "end":
            if token.group() != "\n" or len(runs) == 1:
                runs[-1] = 0
        elif kind in ("operator", "text"):
            runs[-1] += 1
        deep += max(0, len(runs) - 1 - DEEP)
        if deep > MOST_DEEP:
            raise _refused(text, token.start(), f"It holds too much that is more than {DEEP} brackets deep.")
        if runs[-1] > LONGEST:
            raise _refused(text, token.start(), f"It has an expression of more than {LONGEST} parts.")


def _refused(text: str, offset: int, reason: str) -> UnreadableInput:
    row = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return UnreadableInput(reason, row, column)
