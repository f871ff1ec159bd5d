"""The limits within which a configuration is read: JSON of bounded size, number of parts, depth and length of numbers.

They are checked before anything is trusted; a file beyond them is turned away.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import in_force
from cudnnlint.core.regex import regex

#: Beyond this Python's JSON reader may overflow the stack, where the limit of recursion is raised meanwhile.
SAFE_NESTING = 2_000
_BRACKETS = regex(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.S)
MAX_DIGITS = 400  # of a number; a longer one is no argument, and slow to convert


def decode(data: bytes, what: str) -> Any:
    """Return the value that JSON holds; raise UnreadableInput where it exceeds the limits or is not JSON."""
    limits = in_force()
    if len(data) > limits.config_bytes:
        raise too_large(what)
    if data.count(b"{") + data.count(b"[") > limits.config_items:
        raise UnreadableInput(f"{what} has more parts than any Keras configuration.")
    if data.count(b"{") + data.count(b"[") > SAFE_NESTING and _depth(data) > SAFE_NESTING:
        raise UnreadableInput(f"{what} is nested too deeply.")
    try:
        value = json.loads(data, parse_int=_integer)
    except RecursionError:
        raise UnreadableInput(f"{what} is nested too deeply.") from None
    except ValueError as error:
        raise UnreadableInput(f"{what} is not JSON: {error}.") from None
    if _nesting(value, limits.config_depth) > limits.config_depth:
        raise UnreadableInput(f"{what} is nested too deeply.")
    return value


def too_large(what: str) -> UnreadableInput:
    """Return the error of a part that is larger than a configuration may be."""
    most = in_force().config_bytes
    if most < 1 << 20:
        return UnreadableInput(f"{what} has more than {most} bytes.")
    return UnreadableInput(f"{what} has more than {most >> 20} MB.")


def _depth(data: bytes) -> int:
    """Return how deep brackets are nested, outside of strings."""
    deepest = depth = 0
    for found in _BRACKETS.finditer(data):
        mark = found[0]
        depth += (mark in b"[{") - (mark in b"]}") if len(mark) == 1 else 0
        deepest = max(deepest, depth)
    return deepest


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < MAX_DIGITS else float(digits)


def _nesting(value: Any, most: int) -> int:
    """Return how deeply lists and dicts are nested; stop counting soon after `most`."""
    level, depth = [value], 0
    while level and depth <= most:
        level = [
            inner
            for outer in level
            if isinstance(outer, (list, dict))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (list, dict))
        ]
        depth += 1
    return depth
