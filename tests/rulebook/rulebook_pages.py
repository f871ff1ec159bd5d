"""The pages of the rules, taken apart: headings, and the examples under them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from newest_releases import NEWEST

from cudnnlint.core.book import Rule

HEADINGS = ("What it does", "Why it matters", "Bad", "Fixed", "Good", "Fix safety", "References")
DEFAULT_TARGET = f"keras@{NEWEST}:tensorflow"
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """One example of a page: where it stands, what language, for which target, and which codes come with it."""

    rule: str
    heading: str
    number: int
    language: str
    target: str
    also: frozenset[str]
    text: str

    def __str__(self) -> str:
        return f"{self.rule}-{self.heading.lower()}-{self.number}"

    @property
    def file_name(self) -> str:
        """A name with the suffix of the language."""
        return {"python": "example.py", "json": "model.json"}[self.language]


def headings(page: str) -> list[str]:
    """The second-level headings of a page, in order."""
    return re.findall(r"^## (.+)$", page, re.MULTILINE)


def sections(page: str) -> dict[str, str]:
    """Heading -> text under it."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return {heading: text.strip() for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


def examples(rule: Rule) -> list[Example]:
    """Every fenced example of a rule's page."""
    found = []
    for heading, text in sections(rule.page).items():
        for number, (language, info, code) in enumerate(FENCE.findall(text), 1):
            words = dict(word.split("=", 1) for word in info.split())
            also = frozenset(filter(None, words.get("also", "").split(",")))
            target = words.get("target", DEFAULT_TARGET)
            found.append(Example(rule.name, heading, number, language, target, also, code))
    return found
