"""Translates finished English sentences with a catalogue of messages, which are texts and templates.

The program makes its sentences in English, often one inside another. A message of the catalogue is found again in the
finished text, what was filled in is translated by itself, and what no message fits stays as it is: names, values, code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from cudnnlint.language.catalogue import read

_HOLE = re.compile(r"\{(\w*)\}")
#: Where a text that no message fits as a whole is taken apart: behind a sentence, then at what joins clauses.
_SEAMS = (re.compile(r"(?<=[.!?])(\s+)"), re.compile(r"(; |: | \(|\)(?=$|[.;,])|, (?:and|or) )"), re.compile(r"(, )"))
LEAST = 2  # letters outside of the holes that a template must have to be looked for


class Template(NamedTuple):
    """A message with holes: its longest literal piece, a pattern of the whole, and the text of the other language."""

    piece: str
    pattern: re.Pattern[str]
    text: str


class Translator:
    """One language: `Translator.of("es")(text)`."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.plain = {_key(message): text for message, text in messages.items() if not _HOLE.search(message)}
        templates = [(message, text) for message, text in messages.items() if _HOLE.search(message)]
        templates.sort(key=lambda pair: (-len(_HOLE.sub("", pair[0])), pair[0]))
        self.templates = [_template(message, text) for message, text in templates if _letters(message) >= LEAST]
        self.translated = lru_cache(maxsize=4096)(self._translated)

    @classmethod
    def of(cls, language: str) -> Translator:
        """Return the translator to a language whose catalogue is in this folder."""
        return cls(read(resources.files(__package__).joinpath(f"{language}.mo").read_bytes()))

    def __call__(self, text: str) -> str:
        """Return the text in the other language, as far as messages fit it."""
        return self.translated(text)

    def _translated(self, text: str) -> str:
        if not re.search(r"[A-Za-z]{2}", text):
            return text
        whole = self._as_whole(text)
        if whole is not None:
            return whole
        for seam in _SEAMS:
            pieces = seam.split(text)
            if len(pieces) > 1:
                done = [
                    self._seam(piece) if index % 2 else self.translated(piece) for index, piece in enumerate(pieces)
                ]
                if done[::2] != pieces[::2]:
                    return "".join(done)
        return text

    def _seam(self, text: str) -> str:
        """Return what joins two clauses: a mark, or a mark with a word."""
        return self.plain.get(text, text)

    def _as_whole(self, text: str) -> str | None:
        """Return the translation of a text that is one message; None where it is not."""
        bare = text.strip()
        if bare != text:
            inner = self._as_whole(bare) if bare else None
            return None if inner is None else text.replace(bare, inner, 1)
        stop = text[-1] if text[-1] in ".:" else ""
        for form, end in dict.fromkeys(((text, ""), (text.removesuffix(stop), stop))):
            found = self.plain.get(_key(form)) or self._filled(form)
            if found is not None:
                return _like(text, found) + ("" if found.endswith(end) else end)
        return None

    def _filled(self, text: str) -> str | None:
        folded = text.lower()
        for template in self.templates:
            found = template.pattern.fullmatch(text) if template.piece in folded else None
            if found is not None:
                return self._with(found, template.text)
        return None

    def _with(self, found: re.Match[str], text: str) -> str:
        return _HOLE.sub(lambda hole: self._inner(found.group(_group(hole[1]))), text)

    def _inner(self, text: str) -> str:
        """Return what was filled in; a single word is a name or a value."""
        return self.translated(text) if " " in text.strip() else text


def _template(message: str, text: str) -> Template:
    pieces = _HOLE.split(message)
    literals, seen = pieces[::2], set[str]()
    pattern = re.escape(literals[0])
    for hole, literal in zip(pieces[1::2], literals[1:], strict=True):
        name = _group(hole)
        pattern += (f"(?P={name})" if name in seen else f"(?P<{name}>.*?)") + re.escape(literal)
        seen.add(name)
    if pattern[:1].isalpha():
        pattern = f"[{pattern[0].lower()}{pattern[0].upper()}]{pattern[1:]}"
    return Template(max(literals, key=len).lower(), re.compile(pattern, re.S), text)


def _group(hole: str) -> str:
    return f"hole_{hole}"


def _key(text: str) -> str:
    """Return a text as it is looked up: with a small first letter, without a full stop."""
    return (text[:1].lower() + text[1:]).removesuffix(".")


def _like(old: str, new: str) -> str:
    """Return a translation that begins with a capital where the text does."""
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _letters(message: str) -> int:
    return sum(map(str.isalpha, _HOLE.sub("", message)))
