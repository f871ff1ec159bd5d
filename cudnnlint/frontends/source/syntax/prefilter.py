"""Which files are worth parsing: a search in the bytes, then one in the code without comments and prose."""

from __future__ import annotations

import re

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
