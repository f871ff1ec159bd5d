"""Whether code makes masks, wherever in the program: a tensor that is not followed may have one then."""

from __future__ import annotations

from functools import lru_cache, reduce

import libcst as cst

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Unit

#: What makes a mask, wherever it is in the code that was read.
_MASKS = regex(r"(?m)^(?!\s*#).*?(?:\bMasking\b|\bmask_zero\s*=\s*(?!False))")


def are_in(unit: Unit) -> bool:
    """Return whether the code of a unit makes a mask; what its docstrings say does not count."""
    if not _named_in(unit.text):
        return False
    lone = [node for node in index.walk(unit.tree) if isinstance(node, cst.Expr)]
    said = [unit.text_of(node) for node in lone if isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString))]
    return _named_in(reduce(lambda text, one: text.replace(one, "", 1), said, unit.text))


@lru_cache(maxsize=1024)
def _named_in(text: str) -> bool:
    """Return whether a text names what makes a mask; a module is read for every file that imports it."""
    return _MASKS.search(text) is not None
