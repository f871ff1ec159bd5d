"""The target: which Keras, which backend, which TensorFlow a layer is judged for.

Versions are compared as the packaging library compares them; a version that is not fixed is a
half-open span, and the engine folds over the points of the tables that lie in it.
"""

from __future__ import annotations

from functools import lru_cache

from packaging.version import Version

from cudnnlint.core.fact import Assumed, Unknown
from cudnnlint.core.quick_dataclass import dataclass

FRAMEWORKS = ("keras", "tf_keras", "tensorflow")
BACKENDS = ("tensorflow", "jax", "torch")
#: Backends of Keras 3 that run on no GPU. A source, KERAS_BACKEND or --target names them; nothing else leads to them.
CPU_BACKENDS = ("numpy", "openvino")

#: The generation of Keras that runs on several backends: the first number of its releases. Keras 2, under each of its
#: names, runs on TensorFlow alone.
GENERATION = 3


def is_keras_3(release: str) -> bool:
    """Return whether a release of the package keras, as its metadata writes it, is of that generation."""
    return release.partition(".")[0] == f"{GENERATION}"


@dataclass(frozen=True)
class Span:
    """Releases from `since` (included) to `until` (excluded); None is open on that side."""

    since: Version | None = None
    until: Version | None = None

    @staticmethod
    @lru_cache(maxsize=4096)  # the rows of the tables name some hundred spans, each of them many times
    def of(since: str | None, until: str | None) -> Span:
        """Return a span from two version texts; None or "" is open."""
        return Span(Version(since) if since else None, Version(until) if until else None)

    def __contains__(self, version: Version) -> bool:
        return (self.since is None or version >= self.since) and (self.until is None or version < self.until)

    def meets(self, other: Span) -> bool:
        """Return whether two spans have a release in common."""
        ordered = self.until is None or other.since is None or other.since < self.until
        return ordered and (other.until is None or self.since is None or self.since < other.until)

    def cut(self, other: Span) -> Span | None:
        """Return what two spans have in common; None for nothing."""
        if not self.meets(other):
            return None
        sinces = [bound for bound in (self.since, other.since) if bound is not None]
        untils = [bound for bound in (self.until, other.until) if bound is not None]
        return Span(max(sinces, default=None), min(untils, default=None))

    @property
    def of_minors(self) -> Span:
        """The same from the first patch of its first minor on."""
        since = self.since
        return Span(Version(f"{since.major}.{since.minor}.0"), self.until) if since is not None else self

    def __str__(self) -> str:
        if self.since and self.until:
            return f"{self.since} to before {self.until}"
        return f"{self.since} and later" if self.since else (f"before {self.until}" if self.until else "any")


@dataclass(frozen=True)
class Release:
    """One release: a fixed `version`, or a `span` of those it may be (then version is None)."""

    version: Version | None = None
    span: Span = Span()

    @staticmethod
    def at(text: str) -> Release:
        """Return the release with this version text."""
        return Release(Version(text))

    @property
    def as_span(self) -> Span:
        """The releases that it may be; of a fixed one its whole minor, as packages go together by minors."""
        if self.version is None:
            return self.span
        major, minor = self.version.major, self.version.minor
        return Span(Version(f"{major}.{minor}.0"), Version(f"{major}.{minor + 1}"))

    def within(self, span: Span) -> Release:
        """Return the same release, cut to a span."""
        return self if self.version is not None else Release(span=span)

    def part(self, span: Span) -> Release | None:
        """Return what is left of it within a span; None for nothing."""
        if self.version is not None:
            return self if self.version in span else None
        cut = self.span.cut(span)
        return None if cut is None else Release(span=cut)

    @property
    def brief(self) -> str:
        """As `--target` takes it: "3.15.1", "3.11" for a whole minor, "3.4.0..<3.9.0", "3.5.0..", ""."""
        if self.version is not None:
            return str(self.version)
        since, until = self.span.since, self.span.until
        if since is None or until is None:
            return f"{since}.." if since else (f"..<{until}" if until else "")
        if since.micro == 0 and until == Version(f"{since.major}.{since.minor + 1}"):
            return f"{since.major}.{since.minor}"
        return f"{since}..<{until}"

    def __str__(self) -> str:
        return str(self.version) if self.version is not None else str(self.span)


@dataclass(frozen=True)
class Target:
    """What a layer is judged for.

    `framework` is "keras" (the PyPI package; before 2.4 that is standalone Keras), "tf_keras", or "tensorflow" (the
    Keras bundled with TensorFlow up to 2.5, whose Keras release is TensorFlow's own).
    `tensorflow` is None where it is not known or plays no part. `origin` says why this target.
    `admits` is what else it may be, oldest first, where the release is open: it is judged for the newest release, and
    the others only say where they differ. `assumed` where no release was given. `gpu` is a kind of GPU that is not
    NVIDIA's, for which the project installs TensorFlow, as a fact; None where it names none.
    """

    framework: str
    keras: Release
    backend: str = "tensorflow"
    tensorflow: Release | None = None
    origin: str = ""
    certain: bool = True
    admits: tuple[Target, ...] = ()
    assumed: bool = False
    gpu: Assumed | Unknown | None = None

    @property
    def open_ended(self) -> bool:
        """Return whether the releases that it admits include everything else that it might be."""
        return bool(self.admits) and self.admits[-1].keras.span.until is None

    @property
    def keras_2(self) -> bool:
        """Whether it is certainly a Keras 2, which only runs on the TensorFlow of the same minor release."""
        version, until = self.keras.version, self.keras.span.until
        first = Version(f"{GENERATION}")
        older = version < first if version is not None else until is not None and until <= first
        return self.framework != "keras" or older

    def __str__(self) -> str:
        """As `--target` takes it; what goes without saying (TensorFlow under a Keras 2) is left out."""
        release = f"@{self.keras.brief}" if self.keras.brief else ""
        text = f"{self.framework}{release}"
        beneath = f"@{self.tensorflow.brief}" if self.tensorflow is not None else ""
        return f"{text}:{self.backend}{beneath}" if not self.keras_2 or self._unlike else text

    @property
    def _unlike(self) -> bool:
        """Return whether it is a Keras 2 on a TensorFlow of another minor, as only standalone Keras is."""
        keras, beneath = self.keras.version, self.tensorflow.version if self.tensorflow is not None else None
        return keras is not None and beneath is not None and keras.release[:2] != beneath.release[:2]


@dataclass(frozen=True)
class Point:
    """One exact release of everything: what rows are looked up with. `mode` is "graph" or "eager".

    `tensorflow` is None where it is unknown: then every row on TensorFlow's release may hold. `gpu` is the target's.
    """

    framework: str
    keras: Version
    backend: str
    tensorflow: Version | None
    mode: str = "graph"
    gpu: Assumed | Unknown | None = None

    @property
    def keras_3(self) -> bool:
        """Whether it is Keras 3, not Keras 2 under any of its three names."""
        return self.framework == "keras" and self.keras.major >= 3


@dataclass(frozen=True)
class Era:
    """A stretch of Keras releases: `major` 2 (tf_keras and TensorFlow's own among them) or 3, and their span.

    `backends` are those that it speaks of; empty: all.
    """

    major: int
    span: Span = Span()
    backends: tuple[str, ...] = ()

    def holds(self, point: Point) -> bool:
        """Return whether a release lies in it."""
        major = point.keras.major if point.framework == "keras" else 2
        here = not self.backends or point.backend in self.backends
        return here and major == self.major and point.keras in self.span


@dataclass(frozen=True)
class TargetCondition:
    """The condition on the target under which a branch of a file runs.

    A span that is open on both sides sets no condition on that release.
    """

    framework: str
    backend: str
    keras: Span = Span()
    tensorflow: Span = Span()

    def holds(self, point: Point) -> bool:
        """Return whether the branch runs in that release."""
        here = (point.framework, point.backend) == (self.framework, self.backend) and point.keras in self.keras
        return here and (point.tensorflow is None or point.tensorflow in self.tensorflow)

    def meets(self, other: TargetCondition) -> bool:
        """Return whether two conditions have a release in common."""
        alike = (self.framework, self.backend) == (other.framework, other.backend)
        return alike and self.keras.meets(other.keras) and self.tensorflow.meets(other.tensorflow)
