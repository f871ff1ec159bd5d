"""Which files are worth parsing: a search in the bytes, then one in the code without comments and prose."""

from __future__ import annotations

import ast
import re
import warnings

from cudnnlint.core.regex import regex

#: Every recurrent layer of Keras has one of these in its name.
NAMES = regex(r"LSTM|GRU|RNN")
#: A class of `layers` whose name is not written, and may be one of these.
_PICKED = r"getattr\([\w.]*layers,"
_BYTES = regex(rb"LSTM|GRU|RNN|" + _PICKED.encode())
#: More such characters one after another are no name, but data written as text: a line of Base64 has 76. The pictures
#: that a notebook shows are written so, and hold GRU or RNN by chance once in 130,000 characters.
_LONGEST_WORD = 70
_BEFORE, _BEHIND = regex(rb"[A-Za-z0-9+/]*\Z"), regex(rb"[A-Za-z0-9+/]*")
_TOKEN = regex(
    rf"""
    (?P<text>(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<comment>\#[^\n]*)
    |(?P<name>(?:LSTM|GRU|RNN|{_PICKED}))
    """,
    re.VERBOSE | re.DOTALL,
)


def in_bytes(data: bytes) -> bool:
    """Return whether the bytes hold the name of a recurrent layer, which is not just a part of encoded data."""
    return any(not _is_encoded(data, *found.span()) for found in _BYTES.finditer(data))


def _is_encoded(data: bytes, start: int, end: int) -> bool:
    before = _BEFORE.search(data[max(0, start - _LONGEST_WORD) : start])
    behind = _BEHIND.match(data, end, end + _LONGEST_WORD)
    assert before is not None
    assert behind is not None
    return len(before[0]) + len(behind[0]) + end - start >= _LONGEST_WORD


def in_code(text: str) -> bool:
    """Return whether a recurrent layer's name is in the code, or in a text that is not prose.

    Such a text is, for example, the second argument of `getattr(layers, "LSTM")`.
    """
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "name":
            return True
        if token.lastgroup == "text" and len(token.group()) < 40 and NAMES.search(token.group()):
            return True
    return False


def only_names(text: str) -> bool:
    """Return whether a module does nothing but import names and list them, as many an `__init__` does.

    Nothing is called in it, so that it constructs no layer, whatever it imports.
    """
    if "def " in text or "class " in text:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError):
        return False
    return all(isinstance(one, (ast.Import, ast.ImportFrom)) or _is_text(one) for one in body)


def _is_text(statement: ast.stmt) -> bool:
    """Return whether a statement is a text, or gives texts a name."""
    if not isinstance(statement, (ast.Expr, ast.Assign)):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    value = statement.value
    parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
    return all(isinstance(one, ast.Name) for one in targets) and all(isinstance(one, ast.Constant) for one in parts)
