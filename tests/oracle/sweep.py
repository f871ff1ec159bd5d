"""Holds cudnnlint's verdicts against the truth that real Keras gave: `sweep.py DIR [DIR ...] [--evidence FILE]`.

Each DIR was filled by truth.py. Every recurrent layer of every form (script, .keras, .h5) must be found, and
its verdict must be the one that Keras showed. `unknown` is counted apart, and is wrong where the truth is not
among the `possible` ones. Exit 1 if anything disagrees, is missing or is made up. No framework is imported.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Call, Model
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import LayerReport
from cudnnlint.core.target import Release, Target
from cudnnlint.engine import judge
from cudnnlint.engine.points import points
from cudnnlint.frontends import notebook, saved
from cudnnlint.frontends.source.context.target_queries import Answers
from cudnnlint.frontends.source.project.project import Folder
from cudnnlint.frontends.source.reader import read as read_source
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, variants
from cudnnlint.targets.releases import PACKAGED

FORMS = {"script": ".py", "keras": ".keras", "h5": ".h5"}
#: Why a file's model could not be asked, where a verdict on its layers may stand: a Lambda's code is not in the file.
EXCUSED = ("not saved", "Lambda", "it was never built")
WORST_FIRST = ("raises", "depends", "fallback", "cudnn")


@dataclass
class Tally:
    """What came of one form in one folder."""

    agree: int = 0
    unknown: int = 0
    disagree: int = 0
    missing: int = 0
    invented: int = 0
    unloadable: int = 0
    believed: int = 0  # layers of files that do not load, with a verdict as if they did
    verdicts: Counter[str] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    stories: list[str] = field(default_factory=list)

    @property
    def layers(self) -> int:
        """How many layers Keras was asked about."""
        return self.agree + self.unknown + self.disagree + self.missing

    @property
    def wrong(self) -> int:
        """Anything but agreement and an honest unknown."""
        return self.disagree + self.missing + self.invented

    def numbers(self) -> dict[str, Any]:
        """For the evidence file."""
        return {
            "layers": self.layers, "agree": self.agree, "unknown": self.unknown, "disagree": self.disagree,
            "missing": self.missing, "invented": self.invented, "unloadable_files": self.unloadable,
            "believed": self.believed,
            "verdicts": dict(sorted(self.verdicts.items())),
        }  # fmt: skip


def target_of(about: dict[str, Any]) -> Target:
    """The target that the truth was taken on."""
    tensorflow = Release.at(about["tensorflow"]) if about.get("tensorflow") else None
    if about["framework"] != "tensorflow":
        return Target(about["framework"], Release.at(about["keras"]), about["backend"], tensorflow)
    assert tensorflow is not None
    if tensorflow.version is not None and tensorflow.version < PACKAGED:
        return Target("tensorflow", tensorflow, "tensorflow", tensorflow)
    return Target("keras", Release.at(about["keras"]), about["backend"], tensorflow)


@dataclass(frozen=True)
class Document:
    """One file that Keras was asked about: where it is (it need not be there), its form, and its bytes."""

    path: Path
    form: str
    data: bytes

    def row(self, number: int) -> str:
        """One line of a script."""
        return self.data.decode("utf-8").splitlines()[number - 1].strip()


def read(document: Document, target: Target) -> Model | None:
    """The model that the front end makes of one file, where it runs on a target."""
    if document.form != "script":
        return _read_once(document)
    tables = loader.load().tables
    return variants.read(
        lambda answers: _read_once(document) if answers is None else _read_script(document, answers),
        lambda model: (target,),
        environment.known(),
        tables,
    )


@cache
def _read_once(document: Document) -> Model:
    """The model of a file that nobody answers; the same file is asked about for many releases."""
    if document.form == "script":
        return _read_script(document, None)
    return saved.read_bytes(str(document.path), document.data, loader.load().tables.names)


def _read_script(document: Document, answers: Answers | None) -> Model:
    path = document.path
    reader = notebook.read if path.suffix == ".ipynb" else read_source
    project = Folder(str(path.parent), [str(path)])
    return reader(str(path), document.data, loader.load().tables.names, project, answers)


def truth_of(layer: dict[str, Any], mode: str = "graph") -> str:
    """One verdict for what Keras showed in one mode; of several calls the worst."""
    if layer[mode] != "mixed":
        return str(layer[mode])
    found: set[str] = set()
    for calls in layer[f"{mode}_detail"]["routes"].values():
        for call in calls:
            routes = set(call.values())
            found.add("depends" if len(routes) > 1 else routes.pop())
    return next(verdict for verdict in WORST_FIRST if verdict in found)


def shown(layer: dict[str, Any], mode: str) -> str | None:
    """Where the mask's padding decides: what it decides for the data that the script itself brings."""
    calls = [call for phase in layer[f"{mode}_detail"]["routes"].values() for call in phase]
    routes = {call[padding] for call in calls for padding in layer.get("padding", ()) if padding in call}
    return next((verdict for verdict in WORST_FIRST if verdict in routes), None)


def key(layer: dict[str, Any], form: str) -> Any:
    """What a layer is known by: its path in a file; its row and calls in a script (in a notebook: cell and row)."""
    if form != "script":
        return layer["layer_path"]
    row = (layer["cell"], layer["row"]) if "cell" in layer else layer["row"]
    direction = f"{layer['direction']}_" if layer["direction"] else ""
    return row, tuple(_line(line) for line in layer.get("via") or ()), direction


def _line(line: Any) -> Any:
    """A line as truth.json writes it: a row, or [cell, row]."""
    return tuple(line) if isinstance(line, list) else line


def _row(place: SourcePlace) -> Any:
    """The same for a place of ours."""
    return (place.cell, place.row) if place.cell is not None else place.row


def own_key(report: LayerReport, form: str) -> Any:
    """The same for a layer of ours."""
    if form != "script":
        return report.layer_path
    assert isinstance(report.place, SourcePlace)
    assert report.layer is not None
    direction = f"{report.layer.direction.role}_" if report.layer.direction else ""
    return _row(report.place), tuple(_row(place) for place in report.via), direction


def eagerly(model: Any) -> Any:
    """The same model, whose steps run eagerly."""

    def call(before: Call) -> Call:
        return replace(before, surroundings={**before.surroundings, "eager": Known(True)})

    layers = (replace(one, calls=tuple(call(each) for each in one.calls or (Call(),))) for one in model.layers)
    return replace(model, layers=tuple(layers))


def judged(document: Document, target: Target, mode: str = "graph") -> dict[Any, list[LayerReport]]:
    """The layers that we find in one file, by what they are known by."""
    model = read(document, target)
    assert model is not None, f"{document.path} has no layer"
    ours: dict[Any, list[LayerReport]] = {}
    for report in judge(model if mode == "graph" else eagerly(model), (target,), loader.load()).layers:
        ours.setdefault(own_key(report, document.form), []).append(report)
    return ours


def compare(document: Document, expected: dict[str, Any], target: Target, tally: Tally, mode: str = "graph") -> None:
    """Judge one file and hold it against the truth."""
    path, form = document.path, document.form
    if expected["error"]:
        tally.unloadable += 1
        if document.data and not any(words in expected["error"] for words in EXCUSED):
            _hold_unloadable(document, expected["error"], target, tally)
        return
    ours = judged(document, target, mode)
    for layer in expected["layers"]:
        report = take(ours.get(key(layer, form), []), layer.get("column"), layer["class_name"])
        if truth_of(layer, mode) != "uncalled":
            _hold(document, layer, report, tally, mode)
            if report is not None:
                tally.operations[operation_of(report, target)] += 1
    for place, reports in ours.items():
        if form == "script" and _excused(place, expected):
            continue
        tally.invented += len(reports)
        tally.stories += [f"{path.name}: {report.layer_path or place} is not in Keras's model" for report in reports]


def _hold_unloadable(document: Document, error: str, target: Target, tally: Tally) -> None:
    """A file that Keras does not load: it is refused, or each layer raises or is unknown."""
    ours: dict[Any, list[LayerReport]] = {}
    with contextlib.suppress(UnreadableInput):
        ours = judged(document, target)
    for place, reports in ours.items():
        for report in reports:
            verdict = report.judgements[0].verdict.value
            tally.believed += verdict not in ("raises", "unknown")
            if verdict not in ("raises", "unknown"):
                tally.stories.append(f"{document.path.name} {place}: {verdict}; Keras does not load the file: {error}")


def take(reports: list[LayerReport], column: int | None, class_name: str) -> LayerReport | None:
    """The first of those at one row, in the right column or of the right class if there are several."""
    if not reports:
        return None
    kinds = [report.layer.variants[0].class_name for report in reports if report.layer is not None]
    columns = [report.place.column for report in reports if isinstance(report.place, SourcePlace)]
    if columns.count(column) == 1:
        return reports.pop(columns.index(column))
    return reports.pop(kinds.index(class_name) if class_name in kinds else 0)


def _excused(place: Any, expected: dict[str, Any]) -> bool:
    """May a script hold a layer that its models do not? One that it builds and never calls, or code that never ran."""
    if "built" not in expected:
        return True
    row, via, _ = place
    built = [tuple(_line(line) for line in lines) for lines in expected["built"]]
    return (row, *via) in built or any(_line(line) in (row, *via) for line in expected["dark"])


def operation_of(report: LayerReport, target: Target) -> str:
    """What the rows know the layer's class by."""
    assert report.layer is not None
    tables, variant = loader.load().tables, report.layer.variants[0]
    meaning = tables.meaning(variant.path, variant.class_name, points(target, tables)[-1])
    return (meaning.operation or "none") if meaning else variant.class_name


def _hold(document: Document, layer: dict[str, Any], report: LayerReport | None, tally: Tally, mode: str) -> None:
    truth = truth_of(layer, mode)
    tally.verdicts[truth] += 1
    where = f"{document.path.name} {layer['layer_path']} row {layer.get('row')} ({_written(document, layer)})"
    if report is None:
        tally.missing += 1
        tally.stories.append(f"{where}: not found; Keras {truth}")
        return
    judgement = report.judgements[0]
    verdict = judgement.verdict.value
    if verdict == truth or (truth == "depends" and verdict == shown(layer, mode)):
        tally.agree += 1
    elif verdict == "unknown" and (truth in {v.value for v in judgement.possible} or truth == "depends"):
        tally.unknown += 1
        tally.stories.append(f"{where}: unknown; Keras {truth}; {_why(judgement)}")
    else:
        tally.disagree += 1
        tally.stories.append(f"{where}: {verdict}; Keras {truth} {_said(layer, mode)}; {_why(judgement)}")


def _written(document: Document, layer: dict[str, Any]) -> str:
    """What the script says there; of a file the class alone is known."""
    if document.path.suffix != ".py" or not layer.get("row"):
        return str(layer["class_name"])
    return document.row(layer["row"])


def _said(layer: dict[str, Any], mode: str) -> str:
    """Keras's own words, where they were kept."""
    return str(layer.get(f"{mode}_detail", {}).get("error") or "")


def _why(judgement: Any) -> str:
    return ", ".join(f"{r.name} {r.found}" for r in judgement.requirements if r.met != "yes")


def sweep(folder: Path, forms: list[str], mode: str = "graph") -> Iterator[tuple[str, Tally]]:
    """A tally for each form in one folder, for one mode of execution."""
    truth = json.loads((folder / "truth.json").read_text())
    for form in forms:
        held = [
            (document_of(folder, name, form), program[form])
            for name, program in sorted(truth["programs"].items())
            if form in program
        ]
        yield form, tallied(held, target_of(truth["about"]), mode)


def tallied(held: Iterable[tuple[Document, dict[str, Any]]], target: Target, mode: str = "graph") -> Tally:
    """What comes of files and the truth about them."""
    tally = Tally()
    for document, expected in held:
        compare(document, expected, target, tally, mode)
    return tally


def document_of(folder: Path, name: str, form: str) -> Document:
    """A program's file: a script may be a notebook. One that could not be saved is empty."""
    path = folder / f"{name}{FORMS[form]}"
    path = path if form != "script" or path.exists() else path.with_suffix(".ipynb")
    return Document(path, form, path.read_bytes() if path.exists() else b"")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--forms", default="script,keras,h5")
    parser.add_argument("--evidence", type=Path)
    parser.add_argument("--stories", type=int, default=20, help="how many disagreements to tell")
    options = parser.parse_args()
    evidence, wrong = [], 0
    for folder in options.folders:
        about = json.loads((folder / "truth.json").read_text())["about"]
        for form, tally in sweep(folder, options.forms.split(",")):
            print(f"{folder.name} {form}: {json.dumps(tally.numbers())}")
            print(*(f"    {story}" for story in tally.stories[: options.stories]), sep="\n")
            evidence.append({"about": about, "form": form, **tally.numbers()})
            wrong += tally.wrong
    if options.evidence:
        options.evidence.write_text(json.dumps(evidence, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
