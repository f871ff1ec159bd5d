"""The report: everything that one run found, as plain data that survives a JSON round trip.

Reporters, the language server and the tests read nothing else; reporters/machine.py turns it into
the object of the JSON output.
"""

from __future__ import annotations

from cudnnlint.core import report_text
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.graph import ModelGraph
from cudnnlint.core.layer import Layer
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Target
from cudnnlint.core.text import lines
from cudnnlint.core.verdict import WORST_FIRST, Judgement, Verdict

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class LayerReport:
    """One layer as reported. `id` is unique in the report; `judgements` go with the file's targets.

    `steps` is the number of time steps that it is called with, where that is known; `own_class` the user's own class
    and `role` the direction in a Bidirectional, where it has one.
    """

    id: int
    name: str | None
    class_name: str
    place: SourcePlace | None
    layer_path: str | None
    via: tuple[SourcePlace, ...]
    judgements: tuple[Judgement, ...]
    layer: Layer | None = None
    steps: int | None = None
    own_class: str | None = None
    role: str | None = None

    @property
    def worst(self) -> Verdict:
        """The verdict that counts in the summary: that of the worst target."""
        found = {judgement.verdict for judgement in self.judgements}
        return next(verdict for verdict in WORST_FIRST if verdict in found)


@dataclass(frozen=True)
class ReleaseRange:
    """Minor releases of one framework on one backend in which a layer has one verdict.

    `since` and `until` are the first and the last of them. `verdict` is None where the layer is not built, or where the
    file was not read for these releases.
    """

    framework: str
    backend: str
    since: str
    until: str
    verdict: Verdict | None


@dataclass(frozen=True)
class Comparison:
    """What releases do with some layers, which are places in the layers of the file: with all of them the same."""

    layers: tuple[int, ...]
    ranges: tuple[ReleaseRange, ...]


@dataclass(frozen=True)
class FileReport:
    """One file that was parsed or failed. `error` is (code, message) or None.

    `source` is the text (a notebook: `cells` instead) that excerpts are cut from; None for saved models. `graph` is how
    the layers are connected, its layers by their places in `layers`; None where that is not known. `comparisons` are
    what other releases do with the layers, where that was asked for.
    """

    path: str
    kind: str
    targets: tuple[Target, ...] = ()
    layers: tuple[LayerReport, ...] = ()
    error: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()
    source: str | None = None
    cells: tuple[str, ...] | None = None
    graph: ModelGraph | None = None
    comparisons: tuple[Comparison, ...] = ()

    def lines(self, cell: int | None) -> list[str]:
        """Return the source lines of the file, or of one code cell (counted from 1), if it is there."""
        text = self.source if cell is None else "".join((self.cells or ())[cell - 1 : cell])
        return lines(text or "")


@dataclass(frozen=True)
class RulePage:
    """What a reporter may show of a rule."""

    code: str
    name: str
    summary: str
    page: str
    url: str


@dataclass(frozen=True)
class Shard:
    """Which part of a run a report is about: shard `number` (from 1) `of` so many.

    `run` is a digest of the paths of the whole run; `positions` are the places of the report's files among them.
    """

    number: int
    of: int
    run: str
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """What one run found. `seen` counts all files that were looked at; `rules` are the pages of the codes found.

    `failing` is how many of the diagnostics make the run fail; `shard` is there where it is about a part of a run.

    Prints as a few lines, and shows as a table in a notebook; `files` and `diagnostics` have everything.
    """

    files: tuple[FileReport, ...]
    diagnostics: tuple[Diagnostic, ...]
    seen: int
    version: str
    rules: tuple[RulePage, ...] = ()
    failing: int = 0
    shard: Shard | None = None

    def counts(self) -> dict[str, int]:
        """Each layer once, by its worst target: {"cudnn": 9, "fallback": 3, ...}."""
        counts = {verdict.value: 0 for verdict in Verdict}
        for file in self.files:
            for layer in file.layers:
                counts[layer.worst.value] += 1
        return counts

    def assert_cudnn(self, depends: bool = False) -> None:
        """Raise AssertionError unless there is a recurrent layer and every one will run in cuDNN on a GPU.

        `depends` True lets those pass that run in cuDNN as long as the data allow it.
        """
        if not any(file.layers for file in self.files):
            raise AssertionError("There is no recurrent layer.")
        accepted = {Verdict.CUDNN, Verdict.DEPENDS} if depends else {Verdict.CUDNN}
        failed = report_text.failing(self, accepted)
        if failed:
            listed = "\n".join(f"  {line}" for line in failed)
            raise AssertionError(f"These recurrent layers will not run in cuDNN:\n{listed}")

    def __repr__(self) -> str:
        """Return one sentence."""
        return f"<Report: {report_text.closing(self)}>"

    def __str__(self) -> str:
        """Return a few lines: the counts, and the layers that do not run in cuDNN."""
        return "\n".join(report_text.lines(self))

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        return report_text.table(self)
