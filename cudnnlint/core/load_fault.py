"""What in a saved file keeps a release of Keras from loading it. Filled from tables/loading.toml."""

from __future__ import annotations

from packaging.version import Version

from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.target import Era, Point, Span

#: The kind of a fault that is another layer of the file, which stops on every machine.
BESIDE = "beside"
#: Framework, Keras, backend and TensorFlow.
Releases = tuple[str, Version, str, "Version | None"]


def release_of(point: Point) -> Releases:
    """Return the releases of a point, in whatever mode it runs."""
    return point.framework, point.keras, point.backend, point.tensorflow


@dataclass(frozen=True)
class LoadFault:
    """One thing in a file, and the releases that stop on it.

    `kind` is what a front end looks for; `formats` are the kinds of files in which it matters; `says` is a sentence,
    in which a row of the table leaves room for what was found. `anywhere`: it matters in the files of both generations
    of Keras, whichever is to load them; else in those of its own. A setting that a release does not know is `key` of
    one of `classes`; without a key it is the class itself. `wrote`: it matters in the files of these releases alone.
    `at`: the very releases that stop, where no era says it.
    """

    kind: str
    formats: tuple[str, ...]
    era: Era
    says: str
    anywhere: bool
    classes: frozenset[str] = frozenset()
    key: str | None = None
    wrote: Span | None = None
    at: frozenset[Releases] | None = None

    def holds(self, point: Point) -> bool:
        """Return whether that release does not load the file."""
        return self.era.holds(point) if self.at is None else release_of(point) in self.at

    def naming(self, found: str, **others: str) -> LoadFault:
        """Return the fault of a file, whose sentence names what was found."""
        says = self.says
        for name, text in {"found": found, **others}.items():
            says = says.replace(f"{{{name}}}", text)
        return replace(self, says=says)
