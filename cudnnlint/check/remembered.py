"""Readings that the cache holds: of a file whose bytes, imports and targets are what they were."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cudnnlint.core import stored
from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Target
from cudnnlint.files.found import Found
from cudnnlint.frontends.source.project.lookups import Lookup, hold
from cudnnlint.rulebook import loader

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.sources import Project


@dataclass(frozen=True)
class KeptReading:
    """What was read of a file, and what that rests on besides the file itself.

    `hints` and `targets` are there where the file asks for its target: these hints led to those targets.
    """

    model: Model | None
    lookups: Sequence[Lookup] = ()
    hints: FileHints | None = None
    targets: tuple[Target, ...] = ()


def key(found: Found, data: bytes, must: bool) -> str:
    """Return the key of the reading of a file that holds these bytes."""
    from cudnnlint.files import cache

    program = cache.program(loader.folder())
    rests_on = (found.path, found.real_path, found.named, repr(found.limits), must)
    return cache.digest("reading", program, *rests_on, data)


def recalled(folder: str, name: str, project: Project) -> KeptReading | None:
    """Return what is kept under a key, if the files that it rests on are what they were."""
    from cudnnlint.files import cache

    text = cache.opened(folder).get(name)
    if text is None:
        return None
    try:
        lookups, hints, targets, model = json.loads(text)
        if not hold(lookups, project):
            return None
        return KeptReading(stored.unpacked(model), (), stored.unpacked(hints), stored.unpacked(targets))
    except (LookupError, TypeError, ValueError):  # damaged, although the database is not
        return None


def remember(folder: str, name: str, read: KeptReading) -> None:
    """Keep a reading, unless it shows an error or holds a value that only lives in memory."""
    if read.model is not None and read.model.errors:
        return
    try:
        parts: list[Any] = [stored.packed(part) for part in (read.hints, read.targets, read.model)]
        text = json.dumps([list(read.lookups), *parts], separators=(",", ":"))
    except (stored.NotStorable, ValueError):
        return
    from cudnnlint.files import cache

    cache.opened(folder).put(name, text.encode())
