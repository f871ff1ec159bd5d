"""Which files are worth parsing: a search in the bytes, then one in the code without comments and prose."""

from __future__ import annotations

import ast
import re
import warnings

#: Every recurrent layer of Keras has one of these in its name.
NAMES = re.compile(r"LSTM|GRU|RNN")
_BYTES = re.compile(rb"LSTM|GRU|RNN")
_TOKEN = re.compile(
    r"""
    (?P<text>(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<comment>\#[^\n]*)
    |(?P<name>(?:LSTM|GRU|RNN))
    """,
    re.VERBOSE | re.DOTALL,
)


def in_bytes(data: bytes) -> bool:
    """Return whether the bytes hold the name of a recurrent layer."""
    return _BYTES.search(data) is not None


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
