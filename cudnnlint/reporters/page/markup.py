"""Elements of HTML and SVG. Text is escaped where it is put in, so that no name can become markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from cudnnlint.core.text import visible

#: Elements without an end.
_EMPTY = frozenset({"br", "hr", "input", "meta"})


class Markup(str):
    """Text that is markup already. Made by `element`, `join` and `raw` alone."""

    __slots__ = ()


Content = str | Markup | None
#: An attribute's value: None and False leave it out, True gives the name alone.
Attribute = str | int | float | bool | None


def text(value: str) -> Markup:
    """Return text as markup: escaped, with everything invisible written out."""
    return value if isinstance(value, Markup) else Markup(escape(visible(value, keep="\n")))


def raw(value: str) -> Markup:
    """Return markup that this program itself wrote: a style sheet, a script."""
    return Markup(value)


def join(parts: Iterable[Content], between: str = "") -> Markup:
    """Return the parts one after another; None is left out."""
    return Markup(str(text(between)).join(text(part) for part in parts if part is not None))


def element(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """Return an element. `class_` and `for_` are the attributes without `_`; `data_code` is `data-code`."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(content)}</{name}>")


def _attribute(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    name = "viewBox" if name == "viewbox" else name
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    shown = f"{round(value, 1):g}" if isinstance(value, float) else f"{value}"
    return f' {name}="{escape(visible(shown))}"'
