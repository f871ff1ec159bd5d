"""What a literal means: its text is compiled by Python, and the same literals are met again and again."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import libcst as cst

Literal = cst.SimpleString | cst.Integer | cst.Float | cst.Imaginary


@lru_cache(maxsize=4096)
def evaluated(kind: type[Literal], text: str) -> Any:
    """Return the value of a literal; raises ValueError or SyntaxError where Python has none for it."""
    return kind(text).evaluated_value
