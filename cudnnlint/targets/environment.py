"""Decides for which targets a file is judged, and says why.

The order: `--target`, the config, the file itself, the project's lock files and requirements, the
running environment's package metadata (nothing is imported), the newest release known.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from cudnnlint.core import families
from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.target import BACKENDS, FRAMEWORKS, Release, Span, Target
from cudnnlint.rulebook import loader
from cudnnlint.rulebook.milestones import MILESTONES
from cudnnlint.rulebook.tables import Tables
from cudnnlint.targets import requested
from cudnnlint.targets.lockfiles import Pins, pins_near
from cudnnlint.targets.releases import KERAS_3, PACKAGED, TENSORFLOW_WITH_KERAS_3, Releases, load

EVERY = {"keras": Span(PACKAGED, None), "tf_keras": Span(MILESTONES.first["tf_keras"], None)}
NEWEST = "the newest release known is assumed: no option, config, file or project says which"
TF_KERAS_VERSIONS = Span(TENSORFLOW_WITH_KERAS_3, KERAS_3)  # a file that says so was written by tf_keras


@dataclass(frozen=True)
class Wish:
    """Targets that somebody asked for, and the words for where ("--target", "target in pyproject.toml")."""

    texts: tuple[str, ...]
    where: str


def releases(tables: Tables) -> Releases:
    """The known releases, with the versions at which the rows of `tables` differ."""
    changes: dict[str, set[Version]] = {name: set() for name in FRAMEWORKS}
    for scope in tables.scopes:
        changes[scope.framework] |= {bound for bound in (scope.keras.since, scope.keras.until) if bound}
        changes["tensorflow"] |= {bound for bound in (scope.tensorflow.since, scope.tensorflow.until) if bound}
    return load(tables.folder, {name: frozenset(bounds) for name, bounds in changes.items()})


@lru_cache(maxsize=1)
def known() -> Releases:
    """The releases that the rulebook's tables know, read once."""
    return releases(loader.load().tables)


def hints(model: Model) -> FileHints:
    """What a file says about its target: is tf_keras, or are the others, imported only in passing?"""
    found = families.packages(model)
    if not found or families.mixed(found):
        return replace(model.hints, packages=found)
    legacy = frozenset({"tf_keras"})
    imports = legacy if "tf_keras" in found else model.hints.imports - legacy
    return replace(model.hints, imports=imports, packages=found)


def decide(wish: Wish | None, hints: FileHints, folder: Path, known: Releases) -> tuple[Target, ...]:
    """The targets for one file in `folder`, each with its origin.

    Raises UsageError for a target text that cannot be read.
    """
    return tuple(_dated(target, known) for target in _decided(wish, hints, folder, known))


def _decided(wish: Wish | None, hints: FileHints, folder: Path, known: Releases) -> tuple[Target, ...]:
    if wish is not None:
        asked = requested.parse(wish.texts, known)
        parts = [hints] if "framework" in hints.asks else _parts(hints)  # the target decides which one is imported
        return tuple(dict.fromkeys(target for part in parts for target in _asked(wish, part, asked)))
    found = sources(folder)
    written = _from_file(hints, found, known)
    if written:
        return (written,)
    chosen = [_doubted(target, part) for part in _parts(hints) for target in _from_project(part, found, known)]
    if not families.mixed(hints.packages):
        return tuple(chosen)
    both = f"the file has layers of {' and of '.join(hints.packages)}"
    return tuple(replace(target, origin=f"{target.origin}; {both}") for target in chosen)


def _parts(hints: FileHints) -> list[FileHints]:
    """The hints of a file; where it has layers of tf_keras and of another Keras, those of either half."""
    if not families.mixed(hints.packages):
        return [hints]
    others = frozenset(hints.packages) - {"tf_keras"}
    parts = [replace(hints, imports=names, legacy_keras=None) for names in (frozenset({"tf_keras"}), others)]
    return parts if hints.packages[0] == "tf_keras" else parts[::-1]


def _dated(target: Target, known: Releases) -> Target:
    """The same; one that came out after the tables says so."""
    newest = known.known[target.framework][-1]
    oldest = target.keras.version or target.keras.span.since
    if oldest is None or oldest <= newest:
        return target
    return replace(target, origin=f"{target.origin}; newer than {newest}, the newest known: its verdicts are assumed")


def _doubted(target: Target, hints: FileHints) -> Target:
    """The target of a file that decides for itself, while it runs, what it runs on."""
    doubts = [hints.because[name] for name in ("backend", "legacy_keras") if name in hints.because]
    return replace(target, origin="; ".join([target.origin, *doubts]), certain=False) if doubts else target


def _asked(wish: Wish, hints: FileHints, asked: Sequence[Target]) -> tuple[Target, ...]:
    """The targets asked for that fit what the file imports; if none does, what it imports, in any release."""
    imported = _imported(hints)
    fitting = [target for target in asked if not imported or imported & {target.framework, "tensorflow"}]
    others = sorted(imported & set(EVERY))
    if fitting or not others:
        return tuple(replace(target, origin=wish.where) for target in fitting or asked)
    named = ", ".join(map(str, asked[:3])) + (", ..." if len(asked) > 3 else "")
    return tuple(
        Target(
            other,
            Release(span=EVERY[other]),
            asked[0].backend,
            origin=f"the file imports {other}, so {wish.where} ({named}) does not fit it: any release of {other}",
        )
        for other in others
    )


def _imported(hints: FileHints) -> frozenset[str]:
    """The packages that a source file's layers come from: under TF_USE_LEGACY_KERAS, `tf.keras` is tf_keras."""
    legacy = hints.legacy_keras and "tensorflow" in hints.imports
    return hints.imports - {"tensorflow"} | {"tf_keras"} if legacy else hints.imports


def _from_file(hints: FileHints, found: Iterable[Pins], known: Releases) -> Target | None:
    """The target that a saved file's own `keras_version` names."""
    text = hints.keras_version
    if text is None:
        return None
    span = known.writers.get(text)
    if span is not None:
        origin = f"the file was saved by the Keras of TensorFlow {span} (it says {text})"
        return Target("tensorflow", Release(span=span), "tensorflow", Release(span=span), origin)
    try:
        version = Version(text)
    except InvalidVersion:
        return None
    if version < PACKAGED and hints.framework == "tensorflow":
        origin = f"the file was written by TensorFlow {version}"
        return Target("tensorflow", Release(version), "tensorflow", Release(version), origin)
    if version < PACKAGED:
        span = Span(MILESTONES.first["tensorflow"], PACKAGED)
        origin = (
            f"the file says Keras {text}, which no row knows: it is judged as the Keras in TensorFlow {span} would "
            "load it, which is in doubt"
        )
        return Target("tensorflow", Release(span=span), "tensorflow", Release(span=span), origin, certain=False)
    return _saved_by(version, hints, found, known)


def _saved_by(version: Version, hints: FileHints, found: Iterable[Pins], known: Releases) -> Target:
    if version >= KERAS_3:
        backend = _backend(hints, found)
        doubt = "" if hints.backend == backend else f", which does not say for which backend: {backend} is assumed"
        return Target("keras", Release(version), backend, None, f"the file was saved by Keras {version}{doubt}")
    framework = "tf_keras" if version in TF_KERAS_VERSIONS else "keras"
    tensorflow = known.of_minor("tensorflow", version.major, version.minor)
    origin = f"the file was saved by {framework} {version}"
    return Target(framework, Release(version), "tensorflow", tensorflow, origin)


@lru_cache(maxsize=1024)
def sources(folder: Path) -> tuple[Pins, ...]:
    """What the project round `folder` and the running environment say, the strongest first."""
    return (*pins_near(folder), _installed())


@lru_cache(maxsize=1)
def _installed() -> Pins:
    packages: dict[str, tuple[SpecifierSet, ...]] = {}
    for name, package in (
        ("keras", "keras"), ("tf-keras", "tf_keras"), ("tensorflow", "tensorflow"), ("tensorflow-cpu", "tensorflow"),
        ("jax", "jax"), ("torch", "torch"),
    ):  # fmt: skip
        try:
            packages.setdefault(package, (SpecifierSet(f"=={metadata.version(name)}"),))
        except (metadata.PackageNotFoundError, ValueError):
            continue
    return Pins("the running environment", packages)


def _from_project(hints: FileHints, found: Iterable[Pins], known: Releases) -> tuple[Target, ...]:
    """What the strongest source says that gives the file's framework a version; else the newest known."""
    framework = _framework(hints)
    named = list(found)
    for pins in named:
        told = _pinned(framework, pins, hints, known)
        if told:
            why = f"; {hints.because['framework']}" if hints.framework and "framework" in hints.because else ""
            return tuple(replace(target, origin=f"{pins.source} says so{why}") for target in told)
    return (_newest(framework, hints, named, known),)


def _newest(framework: str, hints: FileHints, named: Iterable[Pins], known: Releases) -> Target:
    if framework == "tf_keras" or hints.keras_major == 2:
        why = hints.because.get("keras_major")
        origin = f"{NEWEST}; {why}" if why else NEWEST
        target = Target("tf_keras", known.newest("tf_keras"), "tensorflow", None, origin)
        return replace(target, tensorflow=_beneath(target, known))
    return Target("keras", known.newest("keras"), _backend(hints, named), None, NEWEST)


def _framework(hints: FileHints) -> str:
    """Which package the file's layers come from: keras, tf_keras, or tensorflow for `tf.keras`."""
    imported = _imported(hints)
    if "tf_keras" in imported or hints.framework == "tf_keras":
        return "tf_keras"
    return "keras" if "keras" in imported or "tensorflow" not in imported else "tensorflow"


def _pinned(framework: str, pins: Pins, hints: FileHints, known: Releases) -> list[Target]:
    """The targets that one source's versions lead to; none where it gives the framework no version."""
    tensorflow = known.of_range("tensorflow", pins.packages.get("tensorflow", ()))
    own = known.of_range(framework, pins.packages.get(framework, ())) if framework != "tensorflow" else None
    if framework == "tf_keras":
        if own is None and tensorflow is None:
            return []
        target = Target("tf_keras", own or tensorflow or Release(), "tensorflow", tensorflow)
        return [target if tensorflow else replace(target, tensorflow=_beneath(target, known))]
    backend = _backend(hints, [pins])
    if framework == "keras" and own is not None:
        target = Target("keras", own, backend, tensorflow if backend == "tensorflow" else None)
        return [replace(target, backend="tensorflow", tensorflow=tensorflow) if target.keras_2 else target]
    if tensorflow is None:
        return _of_tf_keras_3(pins, backend, known)
    return [_with_keras_3(target, backend, pins, known) for target in requested.of_tensorflow(tensorflow, known)]


def _of_tf_keras_3(pins: Pins, backend: str, known: Releases) -> list[Target]:
    """`tf.keras` where only `keras` has a version."""
    own = known.of_range("keras", pins.packages.get("keras", ()))
    return [Target("keras", own, backend)] if own else []


def _with_keras_3(target: Target, backend: str, pins: Pins, known: Releases) -> Target:
    """From TensorFlow 2.16 on the Keras release is open, unless the same source gives it."""
    own = known.of_range("keras", pins.packages.get("keras", ()))
    if target.keras_2 or target.keras.version is not None:
        return target
    target = replace(target, keras=own) if own is not None else target
    return target if backend == "tensorflow" else replace(target, backend=backend, tensorflow=None)


def _beneath(target: Target, known: Releases) -> Release | None:
    version = target.keras.version
    return known.of_minor("tensorflow", version.major, version.minor) if version else None


def _backend(hints: FileHints, found: Iterable[Pins]) -> str:
    """The file's word, else KERAS_BACKEND, else the only backend that a source names, else TensorFlow."""
    for said in (hints.backend, os.environ.get("KERAS_BACKEND")):
        if said in BACKENDS:
            return str(said)
    for pins in found:
        named = [backend for backend in BACKENDS if backend in pins.packages]
        if named:
            return named[0] if len(named) == 1 or "tensorflow" in named else "tensorflow"
    return "tensorflow"
