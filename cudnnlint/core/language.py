"""The language of what users read: English, unless a translation is installed (`cudnnlint/language`).

Sentences are made in English everywhere. Only where a text is laid out for a reader, it passes through `tr`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Translation = Callable[[str], str]


def _english(text: str) -> str:
    return text


_installed: list[Translation] = [_english]


def install(translation: Translation | None) -> None:
    """Translate with this from now on; None is English."""
    _installed[0] = translation or _english


def tr(text: str) -> str:
    """Return a sentence, or a paragraph, in the language of the reader."""
    return _installed[0](text)


def foreign() -> bool:
    """Return whether the reader's language is another than English."""
    return _installed[0] is not _english


def translated_page(page: str) -> str:
    """Return a page in the reader's language: its paragraphs, headings and items, but not its code."""
    if not foreign():
        return page
    blocks = re.split(r"(```.*?```|\n{2,}|\n(?=- ))", page, flags=re.S)
    return "".join(block if block.startswith("```") or not block.strip() else _in_language(block) for block in blocks)


def _in_language(block: str) -> str:
    """Return one paragraph, heading or item; each keeps its mark."""
    head, mark, body = re.match(r"(\s*)((?:#+ |- )?)(.*)", block, re.S).groups()  # type: ignore[union-attr]
    first, end, rest = body.partition("\n") if mark.startswith("#") else (body, "", "")
    return f"{head}{mark}{tr(' '.join(first.split()))}{end}{tr(' '.join(rest.split())) if rest else ''}"
