"""Translates finished English sentences with a catalogue of messages, which are texts and templates.

The program makes its sentences in English, often one inside another. A message of the catalogue is found again in the
finished text, and what was filled in is translated by itself. Names, values and code stay as they are: a text without a
blank is one. A text that is only known in parts is taken apart between its sentences and clauses, never inside them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from cudnnlint.core.regex import regex
from cudnnlint.language.catalogue import read

_HOLE = regex(r"\{(\w*)\}")
_WORD = regex(r"(?:^|[\s(])[a-z]+(?=$|[\s.,;:)])")
_ARTICLES = frozenset(("a", "an", "the", "in", "on", "to", "of", "no", "not", "is", "it", "its"))
_SENTENCES = regex(r"(?<=[.!?])(\s+)")
#: What joins the clauses of a sentence: a mark, or a mark with a word, which is a message itself.
_CLAUSES = (
    re.compile(r"(: )"),
    re.compile(r"(; )"),
    re.compile(r"( \(|\)(?=$|[.;,: ]))"),
    re.compile(r"(?<=`)( )(?=[a-z])"),
    re.compile(r"(, (?:and|or) |, )"),
    re.compile(r"( )"),  # behind the first word: a name, or a number
)
TELLING = 12  # letters outside of the holes by which a template is known wherever it fits; others need known holes


class Template(NamedTuple):
    """A message with holes: its longest literal piece, two patterns of the whole, and the text in the language."""

    piece: str
    patterns: tuple[re.Pattern[str], re.Pattern[str]]
    text: str


class Translator:
    """One language: `Translator.of("es")(text)`."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        # a text is looked up without the blanks around it
        bare = {message.strip(): text.strip() for message, text in messages.items()}
        pairs = [pair for one in bare.items() for pair in _forms(*one)]
        self.plain = {_key(message): text for message, text in pairs if not _HOLE.search(message)}
        holed = [pair for pair in pairs if _HOLE.search(pair[0])]
        holed.sort(key=lambda pair: (-_letters(pair[0]), pair[0]))
        made = [(_letters(message), _template(message, text)) for message, text in holed]
        self.telling = [template for letters, template in made if letters >= TELLING]
        self.weak = [template for letters, template in made if 0 < letters < TELLING]
        self.known = lru_cache(maxsize=4096)(self._known)

    @classmethod
    def of(cls, language: str) -> Translator:
        """Return the translator to a language whose catalogue is in this folder."""
        return cls(read(resources.files(__package__).joinpath(f"{language}.mo").read_bytes()))

    def __call__(self, text: str) -> str:
        """Return the text in the other language, as far as messages fit it."""
        whole = self.known(text)
        if whole is not None:
            return whole
        for seam in (_SENTENCES, *_CLAUSES[:3]):
            pieces = seam.split(text)
            if any(self.known(piece) not in (None, piece) for piece in pieces[::2]):
                return "".join(self._joint(piece) if index % 2 else self(piece) for index, piece in enumerate(pieces))
        return text

    def _known(self, text: str) -> str | None:
        """Return the translation of a text that is known in all of its parts; None for any other."""
        bare = text.strip()
        if bare != text and bare:
            inner = self.known(bare)
            return None if inner is None else text.replace(bare, inner, 1)
        message = self._message(text)
        if message is not None:
            return message
        if not _is_prose(text):
            return text
        return self._by_sentences(text) or self._by_weak_templates(text) or self._by_clauses(text)

    def _message(self, text: str) -> str | None:
        """Return the translation of a text that is one message, with or without its full stop."""
        stop = "." if text.endswith(".") else ""
        bare = text.removesuffix(stop)
        found = self.plain.get(_key(bare)) or self._filled(text, self.telling) or self._filled(bare, self.telling)
        return None if found is None else _like(text, found).removesuffix(stop) + stop

    def _filled(self, text: str, templates: Sequence[Template]) -> str | None:
        folded = text.lower()
        for template in templates:
            if template.piece in folded:
                for pattern in template.patterns:
                    filled = self._with(pattern.fullmatch(text), template.text, templates is self.weak)
                    if filled is not None:
                        return filled
        return None

    def _with(self, found: re.Match[str] | None, text: str, strict: bool) -> str | None:
        if found is None:
            return None
        holes = {name: self._tight(value) if strict else self(value) for name, value in found.groupdict().items()}
        if None in holes.values():
            return None
        return _HOLE.sub(lambda hole: str(holes[_group(hole[1])]), text)

    def _by_sentences(self, text: str) -> str | None:
        """Return the text by its sentences; a message may be several of them."""
        pieces, done, start = _SENTENCES.split(text), [], 0
        while start < len(pieces) > 1:
            for end in range(len(pieces), start, -2):
                whole = end - start < len(pieces)
                found = self.known("".join(pieces[start:end])) if whole else None
                if found is not None:
                    done += [found, *pieces[end : end + 1]]
                    start = end + 1
                    break
            else:
                return None
        return "".join(done) or None

    def _by_weak_templates(self, text: str) -> str | None:
        stop = "." if text.endswith(".") else ""
        found = self._filled(text, self.weak) or self._filled(text.removesuffix(stop), self.weak)
        return None if found is None else _like(text, found).removesuffix(stop) + stop

    def _tight(self, text: str) -> str | None:
        """Return the translation of what fills a template that says little: not of a row of clauses."""
        is_row = _is_prose(text) and (", " in text or "; " in text)
        return self._message(text) if is_row else self.known(text)

    def _by_clauses(self, text: str) -> str | None:
        for seam in _CLAUSES:
            pieces = _split(seam, text)
            if len(pieces) == 1:
                continue
            done = [self._joint(piece) if index % 2 else self.known(piece) for index, piece in enumerate(pieces)]
            said = any(_is_prose(piece) or self._message(piece) is not None for piece in pieces[::2])
            if said and None not in done:
                return "".join(map(str, done))
        return None

    def _joint(self, text: str) -> str:
        """Return what joins two clauses: a mark, or a mark with a word."""
        return self.plain.get(text, text)


def _split(seam: re.Pattern[str], text: str) -> list[str]:
    """Return the pieces of a text, with what joins them; the last seam is the blank behind the first word."""
    if seam is _CLAUSES[-1]:
        first, blank, rest = text.partition(" ")
        return [first, blank, rest] if blank and first.lower() not in _ARTICLES else [text]
    return seam.split(text)


def _forms(message: str, text: str) -> list[tuple[str, str]]:
    """Return a message as it may be found: one that continues a sentence also without its comma."""
    forms = [(message, text)]
    if message[:2] in (", ", "; ") and text[:2] == message[:2]:
        forms.append((message[2:], text[2:]))
    return forms


def _template(message: str, text: str) -> Template:
    literals = _HOLE.split(message)[::2]
    patterns = (re.compile(_pattern(message, ".*?"), re.S), re.compile(_pattern(message, ".*"), re.S))
    return Template(max(literals, key=len).lower(), patterns, text)


def _pattern(message: str, filling: str) -> str:
    pieces, seen = _HOLE.split(message), set[str]()
    pattern = re.escape(pieces[0])
    for hole, literal in zip(pieces[1::2], pieces[2::2], strict=True):
        name = _group(hole)
        pattern += (f"(?P={name})" if name in seen else f"(?P<{name}>{filling})") + re.escape(literal)
        seen.add(name)
    return f"[{pattern[0]}{pattern[0].upper()}]{pattern[1:]}" if pattern[:1].islower() else pattern


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


def _is_prose(text: str) -> bool:
    """Return whether a text has words of a language: several pieces, of which one has small letters alone."""
    return " " in text.strip() and _WORD.search(text) is not None
