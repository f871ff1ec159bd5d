"""What a fix is asked for, and what it may look at: the pages of a file and all that the file constructs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import libcst as cst

from cudnnlint.core.edit import Edit, Intent
from cudnnlint.core.fact import Absent, Assumed, Fact, Known, alternatives
from cudnnlint.core.layer import Call, Construction
from cudnnlint.core.place import Place, SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.rewriters.source.parsed_page import Page


@dataclass(frozen=True)
class JudgedConstruction:
    """One construction of a layer in the file, and the codes of what was found in that layer."""

    construction: Construction
    codes: frozenset[str]


@dataclass(frozen=True)
class Need:
    """One fix that is wanted: the rule's intent, for the layers that these constructions make.

    `calls` are the calls of the layers, `places` where the fault was found in them.
    """

    code: str
    intent: Intent
    made: tuple[Construction, ...]
    calls: tuple[Call, ...] = ()
    places: frozenset[Place] = frozenset()


class Impossible(Exception):
    """Why a fix cannot be written into the text; a clause without a full stop."""


@dataclass(frozen=True)
class FixContext:
    """One file: its pages, everything that it constructs, and the texts of the other files of the run.

    `left_out` is what an argument is that is left out (tables/signatures.toml).
    """

    pages: tuple[Page, ...]
    made: tuple[JudgedConstruction, ...]
    others: Sequence[str] = field(default=(), repr=False)
    left_out: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def call(self, place: Place | None) -> tuple[Page, cst.Call]:
        """Return the call at a place, and its page."""
        if isinstance(place, SourcePlace):
            for page in self.pages:
                call = page.at(place, cst.Call)
                if call is not None:
                    return page, call
            if self.pages and place.path != self.pages[0].path:
                raise Impossible(f"the layer is constructed in {place.path}")
        raise Impossible("no call in this file constructs the layer")

    def page_of(self, node: cst.CSTNode) -> Page:
        """Return the page that holds a node."""
        return next(page for page in self.pages if node in page.parents)

    def expression(self, place: Place | None) -> tuple[Page, cst.BaseExpression] | None:
        """Return the expression at a place, and its page, if it is in this file."""
        for page in self.pages if isinstance(place, SourcePlace) else ():
            node = page.at(place, cst.BaseExpression)  # type: ignore[arg-type, type-abstract]
            if node is not None:
                return page, node
        return None

    def fed(self, place: Place) -> Iterator[tuple[JudgedConstruction, str]]:
        """Yield the constructions that get the value written at a place, and as which argument."""
        yield from self._fed.get(place, ())

    @cached_property
    def _fed(self) -> dict[Place | None, list[tuple[JudgedConstruction, str]]]:
        """The constructions and arguments that get the value written at each place."""
        found: dict[Place | None, list[tuple[JudgedConstruction, str]]] = {}
        for made in self.made:
            for name, fact in made.construction.arguments.items():
                for place in {one.place for one in alternatives(fact) if not isinstance(one, Absent)}:
                    found.setdefault(place, []).append((made, name))
        return found

    def at(self, place: Place | None) -> Iterator[JudgedConstruction]:
        """Yield the constructions that the call at a place makes."""
        return iter(self._made_at.get(place, ()))

    @cached_property
    def _made_at(self) -> dict[Place | None, list[JudgedConstruction]]:
        found: dict[Place | None, list[JudgedConstruction]] = {}
        for made in self.made:
            found.setdefault(made.construction.place, []).append(made)
        return found

    def loses_comment(self, edits: Iterable[Edit]) -> bool:
        """Return whether these edits would delete a comment."""
        return any(
            page.covers(edit.place, comment) and comment.value not in edit.content
            for edit in edits
            for page in self.pages
            if edit.place.cell == page.cell
            for comment in page.every(cst.Comment)
        )

    def mentioned_elsewhere(self, name: str) -> bool:
        """Return whether another file of the run uses this name."""
        pattern = re.compile(rf"\b{re.escape(name)}\b")
        return any(pattern.search(text) for text in self.others)


def is_certainly(fact: Fact, value: Any) -> bool:
    """Return whether the argument certainly has this value already, or is left out."""
    return all(
        isinstance(one, Absent) or (isinstance(one, (Known, Assumed)) and one.value == value)
        for one in alternatives(fact)
    )


def literal(value: Any, like: str = "") -> str:
    """Return a value as source text, in the quotes that the text `like` begins with."""
    text = repr(value)
    quote = like[:1]
    if isinstance(value, str) and "'" not in value and '"' not in value:
        return f"'{value}'" if quote == "'" else f'"{value}"'
    return text
