"""What a project's lock files and requirements say of keras, tf-keras, tensorflow, jax and torch.

Reads uv.lock, poetry.lock, pdm.lock, pylock.toml, Pipfile.lock, *requirements*.txt and requirements/*.txt (with the
files that they include), requirements*.in, pyproject.toml, setup.cfg, setup.py, conda's environment.yml, Pipfile, what
a built package asks for, Dockerfile, and what commands install, the strongest first; runs and installs nothing. Which
target follows from it is not its business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from packaging.version import InvalidVersion

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.core.file_limits import in_force
from cudnnlint.formats import toml
from cudnnlint.targets import built_packages, command_files, container_files, poetry_ranges, setup_files
from cudnnlint.targets.conda_files import conda
from cudnnlint.targets.other_gpus import OTHER_GPUS
from cudnnlint.targets.pins import Pins, WantedPackage

UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the marks that such a text begins with
T = TypeVar("T")
LIMIT = 32 << 20  # bytes; the lock files of large monorepos stay below 5 MB
_SPECIFIER = r"(?:(?:[<>=!]=|[<>])\s*\d+(?:\.\d+)*|~=\s*\d+(?:\.\d+)+)"
#: Patterns are texts, which are compiled when they are used first.
#: What most requirements are: a name and ranges. The parser of all others takes longer to import than a file to read.
_PLAIN = rf"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*((?:{_SPECIFIER}(?:\s*,\s*{_SPECIFIER})*)?)"
#: What most others are: a name, and behind it extras, ranges and the machines that want it.
_NAMED = r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*[\[<>=!~;][^@/]*"


def pins_near(folder: Path) -> tuple[Pins, ...]:
    """Return the pins of the nearest folder, from `folder` up to the repository's root; the strongest source first.

    What commands install, and what names a GPU alone (`tensorflow-metal`), comes after that and decides no folder.
    """
    of_gpu: list[Pins] = []
    of_commands: list[Pins] = []
    for place in around(folder):
        every = [_read(place, path, reader) for path, reader in _sources(place)]
        of_gpu += [pins for pins in every if not pins.packages and pins.everywhere & OTHER_GPUS.keys()]
        found = [pins for pins in every if pins.packages]
        run = (_read(place, path, _commands(path.name)) for path in command_files.paths(place))
        of_commands += [pins for pins in run if pins.packages]
        if found:
            return (*found, *of_commands, *of_gpu)
    return (*of_commands, *of_gpu)


def around(folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the repository's root."""
    for place in (folder, *folder.parents):
        yield place
        if (place / ".git").exists() or (place / ".hg").exists():
            return


def pins_of(source: str, written: Iterable[str]) -> Pins:
    """Return what requirements mean that are written elsewhere."""
    return _pins(source, (wanted for one in written for wanted in _requirement(one)))


def _sources(folder: Path) -> Iterator[tuple[Path, Callable[[str], Iterator[WantedPackage]]]]:
    for name, reader in (
        ("uv.lock", _lock), ("poetry.lock", _lock), ("pdm.lock", _lock), ("pylock.toml", _lock),
        ("Pipfile.lock", _pipfile_lock),
    ):  # fmt: skip
        yield folder / name, reader
    for pattern in ("requirements*.txt", "requirements/*.txt", "?*requirements*.txt", "requirements*.in"):
        for path in sorted(folder.glob(pattern), key=lambda path: (len(path.name), path.name)):
            yield path, partial(_requirements, path.parent, {path.resolve()})
    for name, reader in (
        ("pyproject.toml", _pyproject), ("setup.cfg", partial(_written, setup_files.setup_cfg)),
        ("setup.py", partial(_written, setup_files.setup_py)),
        ("environment.yml", conda), ("environment.yaml", conda), ("Pipfile", _plain_pipfile),
    ):  # fmt: skip
        yield folder / name, reader
    for path in built_packages.paths(folder):
        yield path, partial(_written, built_packages.requirements)
    for path in sorted((*folder.glob("Dockerfile*"), *folder.glob("docker/Dockerfile*"))):
        yield path, partial(_written, container_files.dockerfile)


def _commands(name: str) -> Callable[[str], Iterator[WantedPackage]]:
    return partial(_written, partial(command_files.commands, name))


def _read(folder: Path, path: Path, reader: Callable[[str], Iterator[WantedPackage]]) -> Pins:
    source = path.relative_to(folder).as_posix()
    found = said(path, lambda text: (_pins(source, reader(text)),))
    return found[0] if found else Pins(source, {})


def said(path: Path, reader: Callable[[str], Iterable[T]]) -> list[T]:
    """Return what a reader finds in a file; nothing where there is none, or it is not one: the next source is asked."""
    try:
        text = _small_text(path)
        return list(reader(text)) if text else []
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _pins(source: str, every: Iterable[WantedPackage]) -> Pins:
    packages: dict[str, tuple[str, ...]] = {}
    builds: list[tuple[str, str]] = []
    everywhere: set[str] = set()
    for wanted in every:
        name = canonical(wanted.name)
        everywhere |= {name} if wanted.everywhere else set()
        if package := DISTRIBUTIONS.get(name):
            builds.append((name, wanted.specifiers))
            packages[package] = (*packages.get(package, ()), wanted.specifiers)
    return Pins(source, packages, frozenset(everywhere), tuple(builds))


def _small_text(path: Path) -> str:
    """Return the text of a file, "" where it is none or too large; PowerShell writes UTF-16, with a mark."""
    if not path.is_file() or path.stat().st_size > LIMIT:
        return ""
    written = path.read_bytes()
    return written.decode("utf-16" if written.startswith(UTF_16) else "utf-8-sig", errors="replace")


def _lock(text: str) -> Iterator[WantedPackage]:
    data = toml.loads(text)
    for package in [*data.get("package", []), *data.get("packages", [])]:  # the plural is pylock.toml's
        if "version" in package:
            yield WantedPackage(package["name"], f"=={package['version']}")


def _pipfile_lock(text: str) -> Iterator[WantedPackage]:
    data = json.loads(text)
    for section in ("default", "develop"):
        for name, entry in data.get(section, {}).items():
            yield WantedPackage(name, entry.get("version", ""))


def _plain_pipfile(text: str) -> Iterator[WantedPackage]:
    data = toml.loads(text)
    for name, entry in (item for table in ("packages", "dev-packages") for item in data.get(table, {}).items()):
        wanted = str(entry.get("version", "") if isinstance(entry, dict) else entry)
        yield WantedPackage(name, "" if wanted == "*" else wanted, _always(entry))


def _written(reader: Callable[[str], Iterable[str]], text: str) -> Iterator[WantedPackage]:
    """Yield the requirements that a reader finds, which only some machines may want."""
    for written in reader(text):
        yield from _requirement(written.split("#")[0].strip(), extra=True)


def _requirements(folder: Path, seen: set[Path], text: str) -> Iterator[WantedPackage]:
    """Yield the lines of a requirements file in `folder`, and of the files that it includes, each file once."""
    for line in text.replace("\\\n", " ").splitlines():
        included = re.match(r"(?:-r|-c|--requirement|--constraint)[\s=]+(\S+)", line.strip())
        if included:
            path = (folder / included[1]).resolve()
            if path not in seen and len(seen) < in_force().requirements_files:
                seen.add(path)
                yield from _requirements(path.parent, seen, _small_text(path))
            continue
        written = re.split(r"\s#|\s--", line, maxsplit=1)[0].strip()
        if written and written[0] not in "#-":
            yield from _requirement(written)


def _requirement(written: str, extra: bool = False) -> Iterator[WantedPackage]:
    """Yield a requirement as pip reads it; none for another line. `extra`: only some machines want it."""
    if plain := re.fullmatch(_PLAIN, written, re.ASCII):
        yield WantedPackage(plain[1], plain[2], not extra)
        return
    named = re.fullmatch(_NAMED, written, re.ASCII)
    if named and canonical(named[1]) not in DISTRIBUTIONS and (extra or ";" in written):
        return  # another package, which is not everywhere: nothing is asked of it
    if not written[:1].isalnum():
        yield from _wheel(written)  # a path: the name of a package begins with a letter or a digit
        return
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(written)
    except InvalidRequirement:
        yield from _wheel(written)
        return
    everywhere = not extra and requirement.marker is None
    yield WantedPackage(requirement.name, str(requirement.specifier), everywhere)
    yield from _wheel(requirement.url or "", everywhere)


def _wheel(url: str, everywhere: bool = True) -> Iterator[WantedPackage]:
    """Yield what the address of a wheel says."""
    file = url.partition("#")[0].rpartition("/")[2]
    if not file.endswith(".whl"):
        return
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    try:
        name, version, *_ = parse_wheel_filename(file)
    except (InvalidWheelFilename, InvalidVersion):
        return
    yield WantedPackage(name, f"=={version}", everywhere)


def _pyproject(text: str) -> Iterator[WantedPackage]:
    data = toml.loads(text)
    project = data.get("project", {})
    for written in project.get("dependencies", []):
        yield from _requirement(written)
    groups: list[Any] = [
        *project.get("optional-dependencies", {}).values(),
        *data.get("dependency-groups", {}).values(),
    ]
    for written in (item for group in groups for item in group if isinstance(item, str)):
        yield from _requirement(written, extra=True)
    own = data.get("tool", {}).get("poetry", {})
    tables = [own.get("dependencies", {}), *(g.get("dependencies", {}) for g in own.get("group", {}).values())]
    for name, entry in (item for table in tables for item in table.items()):
        wanted = entry.get("version", "") if isinstance(entry, dict) else str(entry)
        yield WantedPackage(name, poetry_ranges.as_pip(wanted), _always(entry))


def _always(entry: object) -> bool:
    """Return whether an entry of a Pipfile, or of Poetry's, holds on every machine: a version, and no condition."""
    return isinstance(entry, str) or (isinstance(entry, dict) and set(entry) <= {"version", "extras"})
