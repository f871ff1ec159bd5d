"""Decide for which targets a file is checked, and say why.

The order: `--target`, the config, the file itself, the project's lock files and requirements, the
running environment's package metadata (nothing is imported), the newest release known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.version import Version

from cudnnlint.core import families
from cudnnlint.core.distributions import DISTRIBUTIONS
from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.tables import Tables
from cudnnlint.core.target import Release, Target
from cudnnlint.rulebook import loader
from cudnnlint.targets import (
    builds,
    file_packages,
    old_imports,
    other_gpus,
    pinned,
    requested,
    running_environment,
    set_variables,
    standalone,
    unnamed,
    written,
)
from cudnnlint.targets.newest import chosen, open_words
from cudnnlint.targets.pins import Pins
from cudnnlint.targets.releases import Releases, changes, load

if TYPE_CHECKING:
    from cudnnlint.targets.pythons import Pythons


@dataclass(frozen=True)
class RequestedTargets:
    """The targets that the user requests, and where ("--target", "target in pyproject.toml")."""

    texts: tuple[str, ...]
    where: str


def releases(tables: Tables) -> Releases:
    """Return the known releases, with the versions at which the rows of `tables` differ."""
    return load(loader.folder() / "tables", cache(lambda: changes(tables.scopes)))


@lru_cache(maxsize=1)
def known() -> Releases:
    """Return the releases that the rulebook's tables know; they are read once."""
    return releases(loader.load().tables)


def hints(model: Model) -> FileHints:
    """Return what a file says about its target, without packages that it imports but builds no layer from.

    A package may reach it through another module of its project.
    """
    found = families.packages(model)
    if not found:
        return replace(model.hints, packages=found)
    imports = model.hints.imports | frozenset(found)
    if "keras" not in found and "framework" not in model.hints.asks:
        imports -= {"keras"}
    if not families.mixed(found):
        imports = frozenset({"tf_keras"}) if "tf_keras" in found else imports - {"tf_keras"}
    return replace(model.hints, imports=imports, packages=found)


def decide(wanted: RequestedTargets | None, hints: FileHints, folder: Path, known: Releases) -> tuple[Target, ...]:
    """Return the targets for one file in `folder`, each with its origin.

    Raises UsageError for a target text that cannot be read.
    """
    if wanted is not None:
        asked = requested.parse(wanted.texts, known)
        parts = [hints] if "framework" in hints.asks else _parts(hints)  # the target decides which one is imported
        decided = tuple(dict.fromkeys(target for part in parts for target in _asked(wanted, part, asked, known)))
    else:
        own, variables = hints, set_variables.near(folder)
        hints = set_variables.known(own, variables)
        decided = tuple(set_variables.explained(one, own, variables) for one in _decided(hints, folder, known))
    return tuple(_dated(other_gpus.on_backend(target, hints), known) for target in decided)


def _decided(hints: FileHints, folder: Path, known: Releases) -> tuple[Target, ...]:
    named = [own] if (own := _of_file(hints)).packages else []
    said = written.target(hints, lambda: file_packages.backend(hints, chain(named, sources(folder))), known)
    if said:
        return (chosen([said], known),)
    found = (*named, *sources(folder))
    runs_on = pythons(folder)
    fitting = known.on(runs_on.minors) if runs_on.minors else known
    decided = [
        _doubted(_because(_on_gpu(_from_project(part, found, fitting), found), runs_on.says, fitting), part)
        for part in _parts(hints)
    ]
    if not families.mixed(hints.packages):
        return tuple(decided)
    both = f"the file uses layers from {' and '.join(hints.packages)}"
    return tuple(replace(target, origin=f"{target.origin}; {both}") for target in decided)


def _parts(hints: FileHints) -> list[FileHints]:
    """Return the hints of a file, split in two where it has layers of tf_keras and of another Keras."""
    if not families.mixed(hints.packages):
        return [hints]
    others = frozenset(hints.packages) - {"tf_keras"}
    parts = [replace(hints, imports=names, legacy_keras=None) for names in (frozenset({"tf_keras"}), others)]
    return parts if hints.packages[0] == "tf_keras" else parts[::-1]


def _dated(target: Target, known: Releases) -> Target:
    """Return the target; its origin says which release of an open one is checked, or that the tables are older."""
    said = [target.origin, *([open_words(target)] if target.admits and not target.assumed else [])]
    given = ((target.framework, "", target.keras), ("tensorflow", "TensorFlow ", target.tensorflow))
    certain = target.certain
    for framework, name, release in given:
        oldest, latest = release and (release.version or release.span.since), known.known[framework][-1]
        if oldest and oldest > latest:
            newest = f"{name}{latest}"
            said.append(f"newer than {newest}, the newest known release, so its verdicts are assumed")
            certain = certain and release is target.keras  # rows know until when they were asked, of Keras alone
    return replace(target, origin="; ".join(filter(None, said)), certain=certain)


def _on_gpu(target: Target, found: Sequence[Pins]) -> Target:
    """Return the target, with the GPU that the project names where it is not NVIDIA's, or what its builds run on."""
    gpu = other_gpus.named(found) if target.backend == "tensorflow" else None
    return builds.explained(replace(target, gpu=gpu), found)


def _because(target: Target, says: str, known: Releases) -> Target:
    """Return the target; its origin names the project's Python where that keeps an open one from newer releases."""
    held_back = (target.admits or target.assumed) and known.ends.get(target.framework)
    return replace(target, origin=f"{target.origin}; {says}") if held_back else target


def _doubted(target: Target, hints: FileHints) -> Target:
    """Return the target, marked as uncertain where the file itself decides at run time what it runs on."""
    doubts = [hints.because[name] for name in ("backend", "legacy_keras") if name in hints.because]
    return replace(target, origin="; ".join([target.origin, *doubts]), certain=False) if doubts else target


def _asked(wanted: RequestedTargets, hints: FileHints, asked: Sequence[Target], known: Releases) -> tuple[Target, ...]:
    """Return the requested targets that fit the file's imports; if none does, the newest release of what it imports."""
    imported = file_packages.imported(hints)
    asked = tuple(dict.fromkeys(one for target in asked for one in standalone.meant(target, hints, known)))
    fitting = [target for target in asked if standalone.fits(target, imported, hints, known)]
    if not fitting and "keras" in imported:
        beside = [target for target in asked if target.framework == "tensorflow"]
        fitting = [chosen(pinned.imported_as_keras(target, known), known) for target in beside]
    others = sorted(imported & set(unnamed.EVERY)) or ["keras"] * bool(asked and imported and not fitting)
    if fitting or not others:
        return tuple(replace(target, origin=wanted.where) for target in fitting or asked)
    named = ", ".join(map(str, asked[:3])) + (", ..." if len(asked) > 3 else "")
    why = f"which is not in {wanted.where} ({named})"
    called = {other: other if other in imported else "tf.keras" for other in others}
    return tuple(
        replace(
            chosen([Target(other, Release(span=unnamed.EVERY[other]), asked[0].backend)], known),
            origin=f"the file imports {called[other]}, {why}; its newest release is assumed",
            assumed=True,
        )
        for other in others
    )


def sources(folder: Path) -> Iterator[Pins]:
    """Yield what the project around `folder` and the running environment say, the strongest first."""
    yield from near(folder)
    yield _installed()


@lru_cache(maxsize=1024)
def near(folder: Path) -> tuple[Pins, ...]:
    """Return what the project around `folder` says, the strongest first; the files are read once."""
    from cudnnlint.targets.lockfiles import pins_near

    return pins_near(folder)


@lru_cache(maxsize=1024)
def pythons(folder: Path) -> Pythons:
    """Return the Pythons that the project around `folder` runs on; the files are read once."""
    from cudnnlint.targets.pythons import pythons_near

    return pythons_near(folder)


def forget() -> None:
    """Forget what the files of projects said, which may change until the next run."""
    near.cache_clear()
    set_variables.forget()
    pythons.cache_clear()


def _of_file(hints: FileHints) -> Pins:
    if not hints.installs:
        return Pins("", {})
    from cudnnlint.targets.lockfiles import pins_of

    return pins_of(hints.because.get("installs", "what the notebook installs"), hints.installs)


@lru_cache(maxsize=1)
def _installed() -> Pins:
    packages = dict[str, tuple[str, ...]]()
    found = running_environment.versions()
    for name, package in DISTRIBUTIONS.items():
        if name in found:
            packages.setdefault(package, (f"=={Version(found[name])}",))
    return Pins("installed packages", packages)


def _from_project(hints: FileHints, found: Iterable[Pins], known: Releases) -> Target:
    """Return the targets of the strongest source that has a version of the file's framework, else the newest."""
    framework = file_packages.framework(hints)
    named = list(found)
    for pins in named:
        proved = old_imports.target(hints, known) if pins is named[-1] else None  # what is installed comes last
        if proved is not None:
            return proved
        backend = file_packages.backend(hints, [pins])
        pinned_targets = pinned.targets(framework, pins, backend, bool(hints.legacy_keras), known)
        if pinned_targets:
            left, bounded = old_imports.within(pinned_targets, hints, known)
            why = hints.because.get("framework", "") if hints.framework else ""
            return replace(chosen(left, known), origin="; ".join(filter(None, (f"from {pins.source}", why, bounded))))
    legacy = framework == "tf_keras" or hints.keras_major == 2
    return unnamed.newest(framework, hints, "tensorflow" if legacy else file_packages.backend(hints, named), known)
