"""F-strings: what their fields show."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import conversions, plain
from cudnnlint.frontends.source.python.arguments import Arguments
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
            plainly = _text(node, part.value)
            if plainly is None:
                return run.unfollowed("is a string that contains an escape that is not known", node, frame.unit)
            texts.append(plainly)
        elif isinstance(part, cst.FormattedStringExpression):
            found = run.evaluate(part.expression, frame)
            value, spec = _shown(run, part, found, frame), _spec(run, part, frame, parts)
            text = None if spec is None else _field(run, part, value, spec, frame, converted=value is not found)
            if text is None:
                return run.unfollowed("is a string that contains a value that is not known", node, frame.unit)
            parts.append(value)
            texts.append(text)
    return Const("".join(texts), assumed=assumption(*parts))


def _text(node: cst.FormattedString, written: str) -> str | None:
    """Return the text between the fields of an f-string, as Python reads it; None where that is not known."""
    written = written.replace("{{", "{").replace("}}", "}")
    if "\\" not in written:
        return written
    prefix = node.prefix.lower().replace("f", "")
    try:
        text = cst.SimpleString(f"{prefix}{node.quote}{written}{node.quote}").evaluated_value
    except (cst.CSTValidationError, SyntaxError, ValueError):
        return None
    return text if isinstance(text, str) else None


def _spec(run: Interpreter, part: cst.FormattedStringExpression, frame: Frame, parts: list[Value]) -> str | None:
    """Return the format of a field, which may have fields itself; None where one of them is not known."""
    texts: list[str] = []
    for piece in part.format_spec or ():
        if isinstance(piece, cst.FormattedStringExpression):
            value = run.evaluate(piece.expression, frame)
            text = None if piece.format_spec else _field(run, piece, value, "", frame)
            if text is None:
                return None
            parts.append(value)
            texts.append(text)
        elif isinstance(piece, cst.FormattedStringText):
            texts.append(piece.value)
    return "".join(texts)


def _shown(run: Interpreter, part: cst.FormattedStringExpression, value: Value, frame: Frame) -> Value:
    """Return what a field of an f-string shows: an object as its class formats it."""
    how = {"r": "repr", "s": "str", "a": "repr"}.get(_conversion(part) or "", "format")
    return conversions.text_of(run, value, how, Origin(frame.unit, part.expression))


_CONVERSIONS: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}


def _conversion(part: cst.FormattedStringExpression) -> str | None:
    """Return how a field is converted: as it says, and `{name=}` by `repr`."""
    return part.conversion or ("r" if part.equal is not None and part.format_spec is None else None)


def _field(
    run: Interpreter, part: cst.FormattedStringExpression, value: Value, spec: str, frame: Frame,
    converted: bool = False,
) -> str | None:  # fmt: skip
    """Return a field of an f-string as text; None where it is not computed."""
    conversion = None if converted else _conversion(part)
    if not isinstance(value, Const) or re.search(r"\d{4}", spec):
        return None  # not a field of a million spaces
    if isinstance(value.value, run.library.constants) and spec and conversion is None:
        origin = Origin(frame.unit, part.expression)
        made = run.call(run.attribute(value, "__format__", origin), Arguments([Const(spec)]), origin)
        return made.value if isinstance(made, Const) else None
    known = isinstance(value.value, (str, int, float, complex, type(None), *run.library.constants))
    if not known or (conversion in ("r", "a") and not plain.has_one_text(value.value)):
        return None
    shown = value.value if conversion is None else _CONVERSIONS[conversion](value.value)
    try:
        return _name(part, frame) + format(shown, spec)
    except (TypeError, ValueError):
        return None


def _name(part: cst.FormattedStringExpression, frame: Frame) -> str:
    """Return what `{name=}` shows before the value: the field as it is written."""
    if part.equal is None:
        return ""
    before = part.equal.whitespace_before.empty and part.equal.whitespace_after.empty
    if not before or not part.whitespace_before_expression.empty:
        raise ValueError("spaces in a field")
    return f"{frame.unit.text_of(part.expression)}="


def concatenated(run: Interpreter, node: cst.ConcatenatedString, frame: Frame) -> Value:
    """Return the value of texts that are written one behind the other."""
    parts: list[Value] = []
    rest: cst.BaseString = node
    while isinstance(rest, cst.ConcatenatedString):
        parts.append(run.evaluate(rest.left, frame))
        rest = rest.right
    parts.append(run.evaluate(rest, frame))
    if all(isinstance(part, Const) for part in parts):
        texts = [part.value for part in parts if isinstance(part, Const)]
        if len({type(text) for text in texts}) == 1:
            return Const(type(texts[0])().join(texts), assumed=assumption(*parts))
    return run.unfollowed("is not a constant string", node, frame.unit)
