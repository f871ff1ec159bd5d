"""The releases that are known, and how the packages hang together: `rules/tables/releases.toml`.

Answers what a version text, a range, or a minor means. Knows nothing of files or options.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.version import InvalidVersion, Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.target import FRAMEWORKS, Release, Span, Target
from cudnnlint.rulebook.milestones import MILESTONES
from cudnnlint.rulebook.table_loader import dropped_by_keras_3, read

if TYPE_CHECKING:
    from packaging.specifiers import Specifier, SpecifierSet

    from cudnnlint.core.tables import RowScope

KERAS_3 = MILESTONES.dates["keras_3"]
#: From here on `tf.keras` is the package `keras` of the same minor.
PACKAGED = MILESTONES.dates["packaged"]
#: From here on `tf.keras` is Keras 3.
TENSORFLOW_WITH_KERAS_3 = MILESTONES.dates["tensorflow_with_keras_3"]
#: Later than any release: a range that admits it is open at the top.
FAR = Version("9999")


@dataclass(frozen=True)
class Releases:
    """Known releases by framework (ascending), and where the rows of the rulebook differ (`changes`, once it is asked).

    `oldest_keras` is the oldest Keras 3 that a TensorFlow minor admits, `writers` the TensorFlow releases
    behind an old `keras_version`. Before `standalone_until` the package `keras` is standalone Keras, then it hands on
    the tf.keras of a TensorFlow from `handed_on` on. `old_imports` are modules of old Keras, and what else a program
    may use of it, each with the package and the first release that is without it; `layer_names` are such
    that only bound what a project's files leave open, `later_imports` those of any Keras 2;
    some standalone Keras has only on a TensorFlow before that in `beneath`. `pythons` are those of the releases
    from one on, `ended` the last release of a build by another name. `brings` the release of a framework that another
    package asks for. `ends` is the first release of a framework that is
    too new for a project.
    """

    known: Mapping[str, tuple[Version, ...]]
    changes: Callable[[], Mapping[str, frozenset[Version]]]
    oldest_keras: Mapping[str, Version]
    writers: Mapping[str, Span]
    old_imports: Mapping[str, tuple[str, Version]]
    layer_names: Mapping[str, tuple[str, Version]]
    later_imports: Mapping[str, tuple[str, Version]]
    beneath: Mapping[str, Version]
    standalone_until: Version
    handed_on: Version
    pythons: Mapping[str, tuple[tuple[Version, Span], ...]]
    ended: Mapping[str, Version]
    brings: Mapping[str, tuple[str, Version]]
    ends: Mapping[str, Version] = field(default_factory=dict)

    def newest(self, framework: str) -> Release:
        """Return the newest known release."""
        return Release(self.known[framework][-1])

    def oldest_under(self, tensorflow: Version) -> Version:
        """Return the oldest Keras 3 that a TensorFlow takes."""
        admitted = [oldest for minor, oldest in self.oldest_keras.items() if Version(minor) <= tensorflow]
        return max(admitted, default=KERAS_3)

    def of_minor(self, framework: str, major: int, minor: int) -> Release:
        """Return the newest patch of a two-part version, or a span where the rows change between its patches."""
        span = Span(Version(f"{major}.{minor}.0"), Version(f"{major}.{minor + 1}"))
        patches = [version for version in self.known[framework] if version in span]
        if not patches:
            return Release(span=span)
        changed = any(patches[0] < change <= patches[-1] for change in self.changes().get(framework, ()))
        return Release(span=Span(patches[0], span.until)) if changed else Release(patches[-1])

    def of_range(self, framework: str, ranges: Iterable[str]) -> Release | None:
        """Return what a requirement admits: one release, or the span from oldest to newest; None if nothing."""
        sets = [wanted for text in ranges if text and len(wanted := _specifiers(text))]
        known = self.known[framework]
        admitted = [v for v in known if any(wanted.contains(v, prereleases=True) for wanted in sets)]
        if any(wanted.contains(FAR) for wanted in sets):
            asked = [Version(spec.version) for wanted in sets for spec in wanted if spec.operator in (">=", ">")]
            return Release(span=Span(admitted[0] if admitted else max(known[-1], *asked), None))
        if not admitted:
            return _exact(sets)
        if len(admitted) == 1:
            return Release(admitted[0])
        later = [version for version in known if version > admitted[-1]]
        written = [end for end in _ends(sets) if end > admitted[-1]]
        ends = [*later[:1], *([max(written)] if written else [])]
        return Release(span=Span(admitted[0], min(ends, default=None)))

    def on(self, pythons: Collection[Version]) -> Releases:
        """Return the releases that one of these Pythons at least can run; all of a framework where none can."""
        known, ends = dict(self.known), dict(self.ends)
        for framework, every in self.known.items():
            fitting = tuple(one for one in every if any(python in self._runs_on(framework, one) for python in pythons))
            later = [version for version in every if fitting and version > fitting[-1]]
            known[framework] = fitting or every
            ends |= {framework: later[0]} if later else {}
        return replace(self, known=known, ends=ends)

    def _runs_on(self, framework: str, version: Version) -> Span:
        """Return the Pythons that a release runs on."""
        spans = [span for since, span in self.pythons[framework] if since <= version]
        return spans[-1] if spans else Span()

    def fitting(self, target: Target) -> Target | None:
        """Return what is left of a target without the releases that are too new for the project; None for nothing."""
        keras = self._before_its_end(target.framework, target.keras)
        beneath = target.tensorflow and self._before_its_end("tensorflow", target.tensorflow)
        if keras is None or (beneath is None and target.tensorflow is not None):
            return None
        return replace(target, keras=keras, tensorflow=beneath)

    def _before_its_end(self, framework: str, release: Release) -> Release | None:
        end = self.ends.get(framework)
        if release.version is not None or end is None:
            return release
        cut = release.span.cut(Span(None, end))
        return None if cut is None else Release(span=cut)

    def minors(self, framework: str) -> list[tuple[int, int]]:
        """Every known minor, oldest first."""
        return sorted({(version.major, version.minor) for version in self.known[framework]})


@lru_cache(maxsize=256)
def _specifiers(text: str) -> SpecifierSet:
    """Return ranges as they are written; none for what is not a range."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # not needed for a file that names its release

    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return SpecifierSet()


def _exact(sets: list[SpecifierSet]) -> Release | None:
    """Return the release of an exact pin (`==`) that is not in the table, or None."""
    pins = [spec.version for wanted in sets for spec in wanted if spec.operator == "==" and "*" not in spec.version]
    return Release(Version(pins[0])) if pins else None


def _ends(sets: list[SpecifierSet]) -> list[Version]:
    """Where ranges end, whether or not there is a release (`<2.16`, though the first is 2.16.1)."""
    return [end for wanted in sets for spec in wanted if (end := _end(spec)) is not None]


def _end(spec: Specifier) -> Version | None:
    """`<2.16`, `==2.15.*` and `~=2.15.0` all end at 2.16."""
    if spec.operator == "<":
        return Version(spec.version)
    wild, release = spec.version.endswith(".*"), Version(spec.version.removesuffix(".*")).release
    if spec.operator == "~=" or (spec.operator == "==" and wild):
        kept = release if wild else release[:-1]
        return Version(".".join(map(str, (*kept[:-1], kept[-1] + 1))))
    return None


def _until(rows: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, Version]]:
    bounds = ((name, package, text) for name, row in rows.items() for package, text in row.items())
    return {name: (package, Version(text)) for name, package, text in bounds if package in FRAMEWORKS}


def _dropped(data: Mapping[str, Any]) -> dict[str, tuple[str, Version]]:
    """Return the names that Keras 3 dropped, each with its package and the first release that is without it."""
    bounds = {False: ("keras", KERAS_3), True: ("tensorflow", TENSORFLOW_WITH_KERAS_3)}
    return {name: bounds[name.startswith("tensorflow.")] for name in dropped_by_keras_3(data)}


def _pythons(row: tuple[str, tuple[str, str]]) -> tuple[Version, Span]:
    """Return the release that a row of the table begins with, and the Pythons from its first to its last."""
    since, (first, last) = row
    until = Version(last) if last else None
    return Version(since), Span(Version(first), until and Version(f"{until.major}.{until.minor + 1}"))


def changes(scopes: Iterable[RowScope]) -> dict[str, frozenset[Version]]:
    """Return the releases at which rows begin or end, by framework."""
    found: dict[str, set[Version | None]] = {name: set() for name in FRAMEWORKS}
    for scope in scopes:
        found[scope.framework] |= {scope.keras.since, scope.keras.until}
        found["tensorflow"] |= {scope.tensorflow.since, scope.tensorflow.until}
    return {name: frozenset(filter(None, bounds)) for name, bounds in found.items()}


def load(folder: Path, changes: Callable[[], Mapping[str, frozenset[Version]]]) -> Releases:
    """Read `releases.toml` in `folder`; `changes` gives the versions that the rows name.

    Raises RulebookError where the table is flawed.
    """
    data = read(folder / "releases.toml")
    try:
        return Releases(
            known={name: tuple(sorted(Version(text) for text in data[name]["releases"])) for name in FRAMEWORKS},
            changes=changes,
            oldest_keras={minor: Version(text) for minor, text in data["tensorflow"]["oldest_keras"].items()},
            writers={entry["wrote"]: Span.of(entry["since"], entry["until"]) for entry in data["writer"]},
            old_imports=_until(data["old_imports"] | data["old_names"]),
            layer_names=_until(data["layer_names"]),
            beneath={name: Version(row["beneath"]) for name, row in data["layer_names"].items() if "beneath" in row},
            later_imports=_until(data["later_imports"] | data["later_names"] | data["last_packages"]) | _dropped(data),
            standalone_until=MILESTONES.dates["standalone_ended"],
            handed_on=Version(data["standalone"]["then_tensorflow"]),
            pythons={name: tuple(map(_pythons, data["pythons"][name].items())) for name in FRAMEWORKS},
            brings=_until(data["brings"]),
            ended={name: Version(text) for name, text in data["ended"].items()},
        )
    except (KeyError, InvalidVersion) as error:
        raise RulebookError(f"The table releases.toml is invalid: {error!r}.") from error
