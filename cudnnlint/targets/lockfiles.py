"""What a project's files say of keras, tf-keras, tensorflow, jax and torch: which files, the strongest first.

Lock files, requirements and constraints, pyproject.toml, setup.cfg, setup.py, environments of conda, pixi.toml,
Pipfile, what a built package asks for, container files, and what commands install. Runs and installs nothing. Which
target follows from it is not its business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.targets import built_packages, command_files, container_files, declared, folder_names, setup_files
from cudnnlint.targets.conda_files import conda
from cudnnlint.targets.other_gpus import OTHER_GPUS
from cudnnlint.targets.pins import Pins, WantedPackage
from cudnnlint.targets.requirement_files import requirement, requirements
from cudnnlint.targets.small_texts import small_text

T = TypeVar("T")
#: Reads a text of a file in a folder.
Reader = Callable[[Path, str], Iterator[WantedPackage]]
#: As the projects of the world call their requirements; constraints bound them, and so are stronger.
REQUIREMENTS = (
    "constraints*.txt", "?*constraints*.txt", "[Rr]equirements*.txt", "requirements/*.txt", "?*requirements*.txt",
    "requirements*.in", "requirements/*/*.txt", "requirements", "[Rr]equirement.txt", "[Rr]equire.txt", "reqs*.txt",
    "dependencies.txt", "binder/requirements.txt", ".binder/requirements.txt",
)  # fmt: skip
#: As they call their environments of conda.
ENVIRONMENTS = (
    "environment.yml", "environment.yaml", "environment*.y*ml", "conda.y*ml", "conda[-_]*.y*ml", "*env.y*ml",
    "binder/environment.yml", ".binder/environment.yml",
)  # fmt: skip
CONTAINERS = (
    "Dockerfile*", "*.[Dd]ockerfile", "Containerfile*", "docker/Dockerfile*", ".devcontainer/Dockerfile*",
)  # fmt: skip


def pins_near(folder: Path) -> tuple[Pins, ...]:
    """Return the pins of the nearest folder, from `folder` up to the repository's root; the strongest source first.

    What commands install, and what names a GPU alone (`tensorflow-metal`), comes after that and decides no folder.
    """
    of_gpu: list[Pins] = []
    of_commands: list[Pins] = []
    for place in around(folder):
        names = folder_names.listed(place)
        every = [_read(place, path, reader) for path, reader in _sources(place, names)]
        of_gpu += [pins for pins in every if not pins.packages and pins.everywhere & OTHER_GPUS.keys()]
        found = [pins for pins in every if pins.packages]
        run = (_read(place, path, _commands(path.name)) for path in command_files.paths(place, names))
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
    return _pins(source, (wanted for one in written for wanted in requirement(one)))


def _sources(folder: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, Reader]]:
    """Yield the files of a folder that may say something, each once, with what reads it."""
    seen: set[Path] = set()
    for patterns, reader in _READERS:
        for pattern in patterns:
            found = folder_names.matching(folder, names, pattern)
            for path in sorted(found, key=lambda path: (len(path.name), path.name)):
                if path not in seen:
                    seen.add(path)
                    yield path, reader
    for path in built_packages.paths(folder, names):
        yield path, partial(_written, built_packages.requirements)


def _text(reader: Callable[[str], Iterator[WantedPackage]]) -> Reader:
    """Return a reader of texts, wherever they are."""
    return lambda _, text: reader(text)


def _read(folder: Path, path: Path, reader: Reader) -> Pins:
    source = path.relative_to(folder).as_posix()
    found = said(path, lambda text: (_pins(source, reader(path.parent, text)),))
    return found[0] if found else Pins(source, {})


def said(path: Path, reader: Callable[[str], Iterable[T]]) -> list[T]:
    """Return what a reader finds in a file; nothing where there is none, or it is not one: the next source is asked."""
    try:
        text = small_text(path)
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


def _written(reader: Callable[[str], Iterable[str]], folder: Path, text: str) -> Iterator[WantedPackage]:
    """Yield the requirements that a reader finds, which only some machines may want, or files of them (`-r FILE`)."""
    for written in reader(text):
        yield from requirements(folder, written.split("#")[0].strip(), extra=True)


def _commands(name: str) -> Reader:
    return partial(_written, partial(command_files.commands, name))


def _environment(folder: Path, text: str) -> Iterator[WantedPackage]:
    """Yield the packages of an environment of conda, with those of the files that it gives to pip."""
    if re.search(r"^(?:dependencies|requirements):", text, re.MULTILINE):
        yield from conda(text)
        for included in re.findall(r"^[ \t]*-[ \t]+[\"']?(?:-r|--requirement)[ \t]*([^\s\"']+)", text, re.MULTILINE):
            yield from requirements(folder, f"-r {included}")


def _mlproject(folder: Path, text: str) -> Iterator[WantedPackage]:
    """Yield the packages of the environment that a project of MLflow names."""
    for name in re.findall(r"^conda_env:[ \t]*[\"']?([\w./-]+)", text, re.MULTILINE):
        yield from _environment((folder / name).parent, small_text(folder / name))


#: The files that say something, and what reads them; the strongest first.
_READERS: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "pylock.*.toml"), _text(declared.lock)),
    (("Pipfile.lock",), _text(declared.pipfile_lock)),
    (("pixi.lock", "conda-lock.yml"), _text(declared.conda_lock)),
    (REQUIREMENTS, requirements),
    (("pyproject.toml",), declared.pyproject),
    (("setup.cfg",), partial(_written, setup_files.setup_cfg)),
    (("setup.py",), partial(_written, setup_files.setup_py)),
    (ENVIRONMENTS, _environment),
    (("MLproject",), _mlproject),
    (("pixi.toml",), _text(declared.pixi)),
    (("Pipfile",), _text(declared.pipfile)),
    (("meta.yaml", "conda.recipe/meta.yaml", "recipe/meta.yaml"), _environment),
    (CONTAINERS, partial(_written, container_files.dockerfile)),
)
