"""What the TOML files of a project's package manager say: pyproject.toml, pixi.toml, Pipfile; and lock files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cudnnlint.core.pip_commands import as_pip
from cudnnlint.formats import toml
from cudnnlint.targets import poetry_ranges
from cudnnlint.targets.pins import WantedPackage
from cudnnlint.targets.requirement_files import requirement, requirements

#: Where lists of requirements are in pyproject.toml, beside those of the project; `*`: every table, or list, there.
LISTS = (
    "project.optional-dependencies.*", "dependency-groups.*", "tool.pdm.dev-dependencies.*", "tool.uv.dev-dependencies",
    "tool.uv.constraint-dependencies", "tool.uv.override-dependencies", "tool.hatch.envs.*.dependencies",
    "tool.hatch.envs.*.extra-dependencies", "tool.flit.metadata.requires", "tool.flit.metadata.requires-extra.*",
)  # fmt: skip
#: Where tables of packages are, with ranges as Poetry writes them, and with ranges as conda does.
POETRY = ("tool.poetry.dependencies", "tool.poetry.dev-dependencies", "tool.poetry.group.*.dependencies")
PIXI = ("dependencies", "pypi-dependencies", "feature.*.dependencies", "feature.*.pypi-dependencies")
#: A package of conda's or of the index, by its address in pixi.lock or in an explicit list of conda's.
_ADDRESS = r"/([A-Za-z][\w.-]*?)-(\d+(?:\.\d+)+)-[^/\s]*\.(?:conda|tar\.bz2|whl)"


def lock(text: str) -> Iterator[WantedPackage]:
    """Yield the packages of uv.lock, poetry.lock, pdm.lock and pylock.toml."""
    data = toml.loads(text)
    for package in [*data.get("package", []), *data.get("packages", [])]:  # the plural is pylock.toml's
        if "version" in package:
            yield WantedPackage(package["name"], f"=={package['version']}")


def conda_lock(text: str) -> Iterator[WantedPackage]:
    """Yield the packages of pixi.lock, conda-lock.yml and explicit lists of conda's, by their addresses or names."""
    for name, version in re.findall(_ADDRESS, text):
        yield WantedPackage(name, f"=={version}")
    for name, version in re.findall(r"(?m)^[ \t]*-?[ \t]*name: ([\w.-]+)\r?\n[ \t]+version: ['\"]?([\d.]+)", text):
        yield WantedPackage(name, f"=={version}")


def pipfile_lock(text: str) -> Iterator[WantedPackage]:
    """Yield the packages of Pipfile.lock."""
    data = json.loads(text)
    for section in ("default", "develop"):
        for name, entry in data.get(section, {}).items():
            yield WantedPackage(name, entry.get("version", ""))


def pipfile(text: str) -> Iterator[WantedPackage]:
    """Yield the packages of a Pipfile."""
    data = toml.loads(text)
    for name, entry in (item for table in ("packages", "dev-packages") for item in data.get(table, {}).items()):
        wanted = str(entry.get("version", "") if isinstance(entry, dict) else entry)
        yield WantedPackage(name, "" if wanted == "*" else wanted, _always(entry))


def pixi(text: str) -> Iterator[WantedPackage]:
    """Yield the packages of pixi.toml."""
    yield from _of_conda(toml.loads(text), PIXI)


def pyproject(folder: Path, text: str) -> Iterator[WantedPackage]:
    """Yield the packages of a pyproject.toml in `folder`, whatever tool it is written for."""
    data = toml.loads(text)
    for written in data.get("project", {}).get("dependencies", []):
        yield from requirement(written)
    for written in (item for path in LISTS for group in _at(data, path) for item in group if isinstance(item, str)):
        yield from requirement(written, extra=True)
    for table in _at(data, "tool.setuptools.dynamic.dependencies"):
        files = table.get("file", [])
        for name in [files] if isinstance(files, str) else files:
            yield from requirements(folder, f"-r {name}")
    for name, entry in (item for path in POETRY for table in _at(data, path) for item in table.items()):
        for one in entry if isinstance(entry, list) else [entry]:  # several: each for other machines
            wanted = one.get("version", "") if isinstance(one, dict) else str(one)
            yield WantedPackage(name, poetry_ranges.as_pip(wanted), one is entry and _always(entry))
    yield from _of_conda(data, [f"tool.pixi.{path}" for path in PIXI])


def _of_conda(data: Mapping[str, Any], paths: tuple[str, ...] | list[str]) -> Iterator[WantedPackage]:
    for name, entry in (item for path in paths for table in _at(data, path) for item in table.items()):
        wanted = str(entry.get("version", "") if isinstance(entry, dict) else entry).replace(" ", "")
        fuzzy = re.fullmatch(r"=?(\d+(?:\.\d+)*)(?:\.\*)?", wanted)
        yield WantedPackage(name, as_pip(fuzzy[1]) if fuzzy else wanted.strip("*"))


def _at(data: Any, path: str) -> list[Any]:
    """Return what is at a path of names in nested tables; `*` is any name."""
    found = [data]
    for name in path.split("."):
        tables = [one for one in found if isinstance(one, dict)]
        found = [value for one in tables for key, value in one.items() if name in ("*", key)]
    return found


def _always(entry: object) -> bool:
    """Return whether an entry of a Pipfile, or of Poetry's, holds on every machine: a version, and no condition."""
    return isinstance(entry, str) or (isinstance(entry, dict) and set(entry) <= {"version", "extras"})
