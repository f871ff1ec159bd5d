"""Calls of something that is called like a recurrent layer of Keras, as a text search finds them."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

LAYERS = frozenset({"LSTM", "GRU", "SimpleRNN", "RNN", "CuDNNLSTM", "CuDNNGRU"} | {f"ConvLSTM{n}D" for n in (1, 2, 3)})


def calls(code: str | bytes) -> Iterator[ast.Call]:
    """The calls in a piece of source; none where it cannot be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            last = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if last in LAYERS:
                yield node
