"""F-strings: what their fields show."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import conversions
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import Const, Value, assumption
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def formatted(run: Interpreter, node: cst.FormattedString, frame: Frame) -> Value:
    """Return the text of an f-string."""
    texts: list[str] = []
    parts: list[Value] = []
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            texts.append(part.value)
        elif isinstance(part, cst.FormattedStringExpression):
            value = _shown(run, part, frame)
            text = _field(part, value)
            if text is None:
                return run.unfollowed("is a string that contains a value that is not known", node, frame.unit)
            parts.append(value)
            texts.append(text)
    return Const("".join(texts), assumed=assumption(*parts))


def _shown(run: Interpreter, part: cst.FormattedStringExpression, frame: Frame) -> Value:
    """Return what a field of an f-string shows: an object as its class formats it."""
    how = {"r": "repr", "s": "str", "a": "repr"}.get(part.conversion or "", "format")
    return conversions.text_of(run, run.evaluate(part.expression, frame), how, Origin(frame.unit, part.expression))


_CONVERSIONS: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}


def _field(part: cst.FormattedStringExpression, value: Value) -> str | None:
    """Return a field of an f-string as text; None where it is not computed."""
    if not isinstance(value, Const) or not isinstance(value.value, (str, int, float, type(None))) or part.equal:
        return None
    spec = part.format_spec or ()
    if not all(isinstance(piece, cst.FormattedStringText) for piece in spec):
        return None
    text = "".join(piece.value for piece in spec if isinstance(piece, cst.FormattedStringText))
    shown = _CONVERSIONS[part.conversion](value.value) if part.conversion else value.value
    if re.search(r"\d{4}", text):  # a field of a million spaces
        return None
    try:
        return format(shown, text)
    except (TypeError, ValueError):
        return None
