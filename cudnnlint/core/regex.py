"""Regular expressions that are compiled when they are used first: a module has several, and a run uses few of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["regex"]

if TYPE_CHECKING:
    from re import compile as regex
else:

    def regex(text, flags=0):
        """Return what behaves like `re.compile(text, flags)`."""
        return _Regex(text, flags)


class _Regex:
    """A regular expression; what is asked of the compiled one is kept, so that it is looked up once."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._given: tuple[Any, int] = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found
