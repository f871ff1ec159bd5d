"""A check for what libcst must not be given: its parser ends the process on thousands of nested brackets.

Brackets, operators and calls in a row are counted in the text first. Strings and comments are skipped well enough for
counting; where that fails, the parser still decides.
"""

from __future__ import annotations

import re

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import in_force
from cudnnlint.core.regex import regex

#: Brackets, operators, commas and texts that are deeper than `DEEP`, each counted once for every bracket beyond it.
#: libcst takes some 3 microseconds for each: it copies what is inside brackets, once for every bracket around it.
DEEP = 20

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
    limits = in_force()
    deepest, most, longest = limits.bracket_depth, limits.deep_tokens, limits.expression_parts
    runs = [0]
    deep = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            runs[-1] += 1
            runs.append(0)
            if len(runs) - 1 > deepest:
                raise _refused(text, token.start(), f"It nests brackets more than {deepest} deep.")
        elif kind == "close":
            if len(runs) > 1:
                runs.pop()
        elif kind == "end":
            if token.group() != "\n" or len(runs) == 1:
                runs[-1] = 0
        elif kind in ("operator", "text"):
            runs[-1] += 1
        deep += max(0, len(runs) - 1 - DEEP)
        if deep > most:
            raise _refused(text, token.start(), f"It holds too much that is more than {DEEP} brackets deep.")
        if runs[-1] > longest:
            raise _refused(text, token.start(), f"It has an expression of more than {longest} parts.")


def _refused(text: str, offset: int, reason: str) -> UnreadableInput:
    row = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return UnreadableInput(reason, row, column)
