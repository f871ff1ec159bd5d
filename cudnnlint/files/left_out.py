"""Which files and folders a run leaves out, and why: what a user has to know where nothing is left to check."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from cudnnlint.core.text import is_url
from cudnnlint.files.discovery import LeftOut, Walk
from cudnnlint.formats.sniff import SUFFIXES, suffix_of

#: What a folder is searched for: a .json is seldom a model.
MODELS_AND_SOURCE = frozenset(SUFFIXES) - {".json"}
MOST_SEARCHED = 5000  # entries of one folder
DEFAULT, GIT = "the default of exclude", ".gitignore"


def left_out(paths: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return what the folders among `paths` leave out of source and models, by the reason, in the order of the walk."""
    found: dict[str, list[str]] = {}
    for path in paths:
        if is_url(path) or not os.path.isdir(path):
            continue
        walk = Walk(path, Path(os.path.abspath(path)))
        for _ in walk.files():
            pass
        for one in walk.left_out:
            if _may_hold_layers(one.path):
                found.setdefault(_reason(one), []).append(one.shown)
    return found


def _reason(one: LeftOut) -> str:
    """Return what leaves it out: git, or the key `exclude`, as a configuration has it or by default."""
    if one.config is None:
        return GIT
    if one.config.exclude is None and not one.config.extend_exclude:
        return DEFAULT
    return f"exclude in {os.path.basename(one.config.file)}"


def _may_hold_layers(path: str) -> bool:
    """Return whether it is source or a saved model, or a folder with some: a large one is not searched whole."""
    if not os.path.isdir(path):
        return suffix_of(path) in MODELS_AND_SOURCE
    return any(suffix_of(name) in MODELS_AND_SOURCE for name in islice(_names(path), MOST_SEARCHED))


def _names(folder: str) -> Iterator[str]:
    for _, folders, files in os.walk(folder):
        yield from files
        yield from folders  # so that a tree of folders alone has an end, too
