"""The smallest set of programs that shows every claim of the tables, chosen by what the engine says of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from cudnnlint.core.book import Rulebook
from cudnnlint.core.fact import Assumed, Fact, Known
from cudnnlint.core.layer import Layer
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.tables import Row
from cudnnlint.core.target import Point
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine.settle import operate
from cudnnlint.probe.cases import CONCERN, DTYPE, EAGER, INSISTED, MASK, ROUTE, Claim, claims, programs
from cudnnlint.probe.request import UNTRAINABLE, Layers, request, untrainable

Judged = Callable[[Sequence[str]], Report]


@dataclass(frozen=True)
class ConformanceCase:
    """A program, the layers in it that count, and the claims that each shows, by the layer's id.

    `whole` are those of the layers that the probe shows by the program as a whole.
    """

    name: str
    file: FileReport
    shown: Mapping[int, tuple[Claim, ...]]
    whole: frozenset[int] = frozenset()

    @property
    def layers(self) -> list[LayerReport]:
        """The layers that count."""
        return [layer for layer in self.file.layers if layer.id in self.shown]

    @property
    def stopping(self) -> list[LayerReport]:
        """Those of them that are to stop with an error."""
        return [layer for layer in self.layers if layer.judgements[0].verdict is Verdict.RAISES]


@dataclass(frozen=True)
class Chosen:
    """The cases, the claims that no program shows, and the layers that are to run and to stop in training."""

    cases: tuple[ConformanceCase, ...]
    open: tuple[Claim, ...]
    untrainable: Layers = frozenset()


@dataclass(frozen=True)
class Seen:
    """One layer of one program as the engine judges it.

    `rebuilt`: 0 where the probe rebuilds the layer, 1 where it runs the whole program, 2 where it leaves the layer out.
    """

    file: FileReport
    layer: LayerReport
    layer_facts: Layer
    operation: str
    codes: frozenset[str]
    rebuilt: int

    @property
    def unmet(self) -> frozenset[str]:
        """The blockers of its row that hold, or may hold."""
        return frozenset(one.name for one in self.layer.judgements[0].requirements if one.met != "yes")

    @property
    def untrainable(self) -> bool:
        """Whether it is to run, and to stop where it is trained."""
        return bool(self.codes & UNTRAINABLE)

    def of_calls(self, name: str) -> set[object]:
        """Return the certain values of a fact about the layer's calls."""
        return {_value(call.context(name)) for call in self.layer_facts.calls}


def choose(folder: Path, book: Rulebook, point: Point, judged: Judged) -> Chosen:
    """Write the programs that may show a claim into a folder, and keep the fewest that do.

    A program that has nothing but the claim, and that the probe can run, goes before any other.
    """
    wanted = list(dict.fromkeys(claims(book, point)))
    names: dict[tuple[str, str], str] = {}
    for claim in wanted:
        for place, program in enumerate(programs(claim, book, point)):
            names.setdefault(program, f"{claim.name}-{place}{program[0]}")
    for (_, text), name in names.items():
        (folder / name).write_text(text, encoding="utf-8")
    report = judged([str(folder / name) for name in names.values()])
    fewest = _fewest(wanted, list(seen_in(report, book, point)), book, point)
    return replace(fewest, untrainable=untrainable(report))


def seen_in(report: Report, book: Rulebook, point: Point) -> Iterator[Seen]:
    """Yield the layers of every program."""
    codes: dict[int, set[str]] = defaultdict(set)
    for diagnostic in report.diagnostics:
        for identity in diagnostic.layers:
            codes[identity].add(diagnostic.name)
    for file in report.files:
        _, asked = request(Report((file,), (), 1, ""), False, point.framework, programs=True)
        for one in asked:
            if one.layer.layer is not None:
                operation, found = _operation(file, one.layer.layer, book, point), frozenset(codes[one.layer.id])
                rebuilt = 2 if one.item is None else int(one.program)
                yield Seen(file, one.layer, one.layer.layer, operation, found, rebuilt)


def _operation(file: FileReport, layer: Layer, book: Rulebook, point: Point) -> str:
    return operate(layer.variants[0], point, book.tables, file.kind if layer.saved else None)[0]


def _fewest(wanted: Sequence[Claim], seen: Sequence[Seen], book: Rulebook, point: Point) -> Chosen:
    shown: dict[str, dict[int, list[Claim]]] = {}
    files: dict[str, FileReport] = {}
    whole: dict[str, set[int]] = defaultdict(set)
    left: list[Claim] = []
    for claim in wanted:
        found = [one for one in seen if shows(claim, one, book.tables.row(one.operation, point))]
        if not found:
            left.append(claim)
            continue
        best = min(found, key=lambda one: (one.rebuilt, len(one.unmet), len(one.codes), one.file.path not in shown))
        files[best.file.path] = best.file
        whole[best.file.path] |= {best.layer.id} if best.rebuilt == 1 else set()
        shown.setdefault(best.file.path, {}).setdefault(best.layer.id, []).append(claim)
    cases = [
        ConformanceCase(
            _name(path, layers),
            files[path],
            {identity: tuple(of) for identity, of in layers.items()},
            frozenset(whole[path]),
        )
        for path, layers in shown.items()
    ]
    return Chosen(tuple(cases), tuple(left))


def _name(path: str, shown: Mapping[int, Sequence[Claim]]) -> str:
    """Return a name that is the same in every run: that of the first claim."""
    first = next(iter(shown.values()))[0]
    return f"conformance/{first.name}{Path(path).suffix}"


def shows(claim: Claim, seen: Seen, row: Row | None) -> bool:
    """Return whether a layer shows what a claim is about, and nothing beside it that would decide instead."""
    if claim.operation not in (None, seen.operation):
        return False
    if claim.kind == CONCERN:
        return claim.what in seen.codes
    because = {row.because} if row is not None else set()
    written, eager = seen.layer_facts.variants[0].argument, True in seen.of_calls("eager")
    if (eager, _value(written("use_cudnn")) is True) != (claim.kind == EAGER, claim.kind == INSISTED):
        return False
    if claim.kind == ROUTE:
        route = Verdict.of(row.route) if row is not None else None
        return seen.unmet <= because and seen.layer.judgements[0].verdict is route
    if claim.kind == DTYPE:
        return _value(written("dtype")) == claim.what
    if claim.kind == MASK:
        return claim.what in seen.of_calls("mask")
    return claim.what in seen.unmet | (because if claim.kind == INSISTED else set())


def _value(fact: Fact) -> object:
    """Return the value of a fact; None where it is not one plain value."""
    return fact.value if isinstance(fact, (Known, Assumed)) and isinstance(fact.value, (str, bool)) else None
