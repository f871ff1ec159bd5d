"""On which Pythons a project runs, as its files say. Reads their texts, and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from packaging.version import Version

from cudnnlint.core.pip_commands import as_pip
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats import toml
from cudnnlint.targets import lockfiles, poetry_ranges, setup_files
from cudnnlint.targets.conda_files import conda

#: The minors of Python that a project may say it is for: those of today, and some to come.
MINORS = tuple(Version(f"{major}.{minor}") for major, minors in ((2, (7,)), (3, range(3, 40))) for minor in minors)
#: The most that a minor has of patches.
PATCHES = 30
#: The images of Python's own project, and what conda or pyenv call a release.
_IMAGE = r"^FROM\s+(?:--\S+\s+)?(?:docker\.io/)?(?:library/)?python:(\d+\.\d+)"
_NAMED = r"^(?:python-|cpython-)?(\d+\.\d+(?:\.\d+)?)\s*$"


@dataclass(frozen=True)
class Pythons:
    """The minors of Python that a project runs on, and the files that say so; none where no file says anything."""

    minors: tuple[Version, ...] = ()
    says: str = ""


def pythons_near(folder: Path) -> Pythons:
    """Return what the files of the nearest folder say, from `folder` up to the repository's root, taken together."""
    for place in lockfiles.around(folder):
        found = _together(_said(place))
        if found.minors:
            return found
    return Pythons()


def _together(said: Iterable[tuple[str, str]]) -> Pythons:
    """Return the Pythons that all files admit; a file that contradicts those before it is passed over."""
    minors, says = MINORS, []
    for source, text in said:
        admitted = _admitted(text)
        common = tuple(minor for minor in minors if minor in admitted)
        if common and common != minors:
            minors = common
            says.append(f"{source} asks for Python {text}")
    return Pythons(minors, " and ".join(says)) if says else Pythons()


def _admitted(text: str) -> frozenset[Version]:
    """Return the minors of which some patch is admitted; none for what is no range."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # not needed where no file says anything

    try:
        wanted = SpecifierSet(text)
    except InvalidSpecifier:
        return frozenset()
    return frozenset(one for one in MINORS if any(wanted.contains(f"{one}.{patch}") for patch in range(PATCHES)))


def _said(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each file of a folder that names a range of Pythons, with the range, the surest first."""
    files: tuple[tuple[str, Callable[[str], Iterable[str]]], ...] = (
        (".python-version", _named), ("runtime.txt", _named), ("pyproject.toml", _pyproject),
        ("setup.cfg", setup_files.pythons_of_cfg), ("setup.py", setup_files.pythons_of_py), ("Pipfile", _pipfile),
        ("environment.yml", _conda), ("environment.yaml", _conda), ("Dockerfile", _image),
    )  # fmt: skip
    for name, reader in files:
        found = [text for text in lockfiles.said(folder / name, reader) if text]
        yield from ((name, text) for text in found[:1])


def _named(text: str) -> list[str]:
    return [as_pip(release) for release in re.findall(_NAMED, text, re.MULTILINE)]


def _pyproject(text: str) -> Iterator[str]:
    data = toml.loads(text)
    yield str(data.get("project", {}).get("requires-python", ""))
    yield poetry_ranges.as_pip(str(data.get("tool", {}).get("poetry", {}).get("dependencies", {}).get("python", "")))


def _pipfile(text: str) -> Iterator[str]:
    requires = toml.loads(text).get("requires", {})
    yield from (as_pip(requires[key]) for key in ("python_full_version", "python_version") if key in requires)


def _conda(text: str) -> list[str]:
    return [wanted.specifiers for wanted in conda(text) if wanted.name == "python"]


def _image(text: str) -> list[str]:
    return [as_pip(release) for release in re.findall(_IMAGE, text, re.MULTILINE | re.IGNORECASE)[-1:]]
