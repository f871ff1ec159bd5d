"""The releases of the frameworks among the packages of the running environment; nothing of them is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from packaging.version import InvalidVersion, Version

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical

#: What an installer writes beside a package: a folder with the name and the release in its own name (PEP 376, 427).
_INSTALLED = ".dist-info"
#: What setuptools wrote before that, and what it writes where a checkout is installed.
_OLDER = (".egg-info", ".egg", ".egg-link")


def versions() -> dict[str, str]:
    """Return the release of each framework that is installed, by its name in `DISTRIBUTIONS`.

    `importlib.metadata` says the same and loads the standard library's mail to do so, which takes longer than a
    saved model to check; it is asked where a folder does not say its release.
    """
    found: dict[str, str] = {}
    for place in sys.path:
        for name, release in _in(place):
            if name in DISTRIBUTIONS:
                found.setdefault(name, release or _asked(name))
    return {name: release for name, release in found.items() if _valid(release)}


def _in(place: str) -> Iterator[tuple[str, str]]:
    """Yield the packages in a folder of `sys.path`; no release is said where only their metadata know it."""
    try:
        entries = os.listdir(place or ".")
    except OSError:  # no folder, or not ours to read: Python finds nothing there either
        return
    for entry in entries:
        stem, kind = os.path.splitext(entry)
        if kind == _INSTALLED:
            name, _, release = stem.partition("-")
            yield canonical(name), release
        elif kind in _OLDER:
            yield canonical(stem.partition("-")[0]), ""


def _asked(name: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(name) or ""
    except metadata.PackageNotFoundError:
        return ""


def _valid(release: str) -> bool:
    try:
        Version(release)
    except InvalidVersion:
        return False
    return True
