"""Loads the tables of phrases: the wordings that a training log may hold. Reads no log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats import toml

#: What a line tells, from bad to good. The first three are problems.
TELLS = {
    "raises": "it stops with an error",
    "machine": "this machine, as set up, cannot run cuDNN kernels",
    "fallback": "in a loop, without cuDNN",
    "changed": "Keras continues, but not as requested",
    "costs": "it runs, and costs time",
    "unclear": "not known word for word; what it is about",
    "cudnn": "the arguments allow cuDNN",
    "ready": "cuDNN was loaded; that says nothing about a layer yet",
    "asked": "a question that a page answers",
    "harmless": "this line is harmless",
}
PROBLEMS = ("raises", "machine", "fallback")
#: The tables, in the order that counts: an earlier phrase wins.
TABLES = (
    "phrases.toml",
    "phrases_of_errors.toml",
    "phrases_of_layers.toml",
    "phrases_of_files.toml",
    "phrases_of_models.toml",
    "phrases_of_others.toml",
    "phrases_of_machines.toml",
    "phrases_of_operations.toml",
    "phrases_of_keras.toml",
    "phrases_in_general.toml",
    "phrases_by_writer.toml",
    "phrases_of_questions.toml",
)
FIELDS = ("tells", "said_by", "means", "do", "codes")
#: What stands before a phrase where a traceback shows the line of code that says it: no news of its own.
LONGEST_SIZE = 18  # digits of a number of weights
SCENT = 5  # characters of the pieces that most lines are skipped by
_ECHO = re.compile(r"\s{4,}(?:raise\b.*)?f?['\"]", re.DOTALL)


@dataclass(frozen=True)
class Reading:
    """What a wording means: who says it, what happened, what to do, and the rules that look for the cause."""

    tells: str
    said_by: str
    means: str
    do: str
    codes: tuple[str, ...]


@dataclass(frozen=True)
class PhraseCase:
    """A closer reading of a phrase, and what it takes: words near it, other phrases in the log, or a verdict.

    `owner` is whose code stopped (`frames.Stop.owner`).
    """

    name: str
    near: re.Pattern[str] | None
    seen: tuple[str, ...]
    judged: str | None
    reading: Reading
    owner: str | None = None


@dataclass(frozen=True)
class Phrase:
    """One wording; the fields are explained at the head of phrases.toml."""

    key: str
    anchor: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    reading: Reading
    cases: tuple[PhraseCase, ...]
    needs_case: bool = False
    general: bool = False


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return all phrases, in the order that counts."""
    texts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in TABLES]
    tables = [toml.loads(text) for text in texts]
    rows = {row["key"]: row for table in tables for row in table["phrase"]}
    cases = {name: case for table in tables for name, case in table.get("shared", {}).items()}
    shared = {name: {"name": name, **_like(rows, case)} for name, case in cases.items()}
    return tuple(_phrase(row, shared) for row in rows.values())


def _like(rows: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """Return a shared case; where it is like a phrase, with what that phrase says, or one of its cases."""
    if "like" not in case:
        return case
    row = rows[case["like"]]
    named: dict[str, Any] = next((other for other in row.get("case", ()) if other["name"] == case.get("case")), {})
    when = {"near": case["near"]} if "near" in case else {"seen": [case["like"]]}
    return {**when, **{field: {**row, **named}[field] for field in FIELDS}}


def _phrase(row: dict[str, Any], shared: dict[str, Any]) -> Phrase:
    """Return a phrase. Raises RulebookError for an anchor that is too short to skip other lines by."""
    pattern = row["pattern"]
    short = next((anchor for anchor in row["anchor"] if len(anchor) < SCENT), None)
    if short is not None:
        raise RulebookError(f"The phrase {row['key']} has the anchor {short!r}, shorter than {SCENT} characters.")
    cases = [*row.get("case", ()), *(shared[name] for name in row.get("shared", ()))]
    return Phrase(
        row["key"],
        tuple(row["anchor"]),
        tuple(re.compile(text) for text in ([pattern] if isinstance(pattern, str) else pattern)),
        _reading(row),
        tuple(_case(row, case) for case in cases),
        row.get("needs_case", False),
        row.get("general", False),
    )


def _case(row: dict[str, Any], case: dict[str, Any]) -> PhraseCase:
    near = re.compile(case["near"]) if "near" in case else None
    return PhraseCase(
        case["name"],
        near,
        tuple(case.get("seen", ())),
        case.get("judged"),
        _reading({**row, **case}),
        case.get("owner"),
    )


def _reading(row: dict[str, Any]) -> Reading:
    return Reading(row["tells"], row["said_by"], row["means"], row["do"], tuple(row["codes"]))


@cache
def anchors() -> tuple[str, ...]:
    """Return every anchor once: a line without any of them, as nearly all are, holds no phrase."""
    return tuple(dict.fromkeys(anchor for phrase in phrases() for anchor in phrase.anchor))


@cache
def scents() -> dict[str, tuple[str, ...]]:
    """Return a few short pieces with the anchors that contain each: most lines are skipped after these alone."""
    left, chosen = set(anchors()), {}
    while left:
        pieces = Counter(piece for anchor in left for piece in _pieces(anchor))
        best = max(pieces, key=lambda piece: (pieces[piece], piece))
        chosen[best] = tuple(sorted(anchor for anchor in left if best in anchor))
        left.difference_update(chosen[best])
    return chosen


def _pieces(anchor: str) -> set[str]:
    return {anchor[at : at + SCENT] for at in range(len(anchor) - SCENT + 1)}


def found_in(text: str, seen: int = 0) -> Iterator[tuple[Phrase, re.Match[str]]]:
    """Yield every phrase in `text` that does not end within its first `seen` characters; overlapping ones give way."""
    present = {anchor for scent, group in scents().items() if scent in text for anchor in group if anchor in text}
    if not present:
        return
    taken: list[tuple[int, int]] = []
    for phrase in phrases():
        if present.isdisjoint(phrase.anchor):
            continue
        for match in (match for pattern in phrase.patterns for match in pattern.finditer(text)):
            start, end = match.span()
            if _ECHO.fullmatch(text, 0, start) or not _twice(match):
                continue
            if end > seen and not any(start < last and first < end for first, last in taken):
                if not phrase.needs_case:
                    taken.append((start, end))
                yield phrase, match


def _twice(match: re.Match[str]) -> bool:
    """Return whether size `one` is half or double of `two`: cuDNN has two biases where Keras has one."""
    sizes = match.groupdict()
    if sizes.get("one") is None:
        return True
    if max(len(sizes["one"]), len(sizes["two"])) > LONGEST_SIZE:
        return False
    smaller, larger = sorted((int(sizes["one"]), int(sizes["two"])))
    return 2 * smaller == larger
