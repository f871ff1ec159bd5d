"""From the JSON of `--output-format report` back to a report that every format can be written of.

What only the program itself reads (facts, intents) is not in the JSON and stays away; source lines that no excerpt
shows are empty.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability, Edit, Fix
from cudnnlint.core.errors import UsageError
from cudnnlint.core.graph import LayerEdge, LayerNode, MaskWay, ModelGraph, NodeKind
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.report import SCHEMA_VERSION, Comparison, FileReport, LayerReport, ReleaseRange, Report, Shard
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.core.verdict import Judgement, Requirement, Route, Verdict
from cudnnlint.merging import report_schema
from cudnnlint.rulebook import loader

Json = Mapping[str, Any]
SOURCE = ("python", "notebook")
#: The last row, or cell, that a file may have: a file with more of them is larger than what is read.
LAST = 1 << 24


def read(path: str) -> Report:
    """Return the report in a file. Raises UsageError where there is none."""
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror or error}.") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is not a report of cudnnlint: it is damaged, or not JSON.") from None
    if not isinstance(data, dict) or "schema_version" not in data:
        raise UsageError(f"{path} is not a report of cudnnlint: write it with --output-format report.")
    if data["schema_version"] != SCHEMA_VERSION:
        found = json.dumps(data["schema_version"])
        raise UsageError(
            f"{path} has schema_version {found}; this cudnnlint reads {SCHEMA_VERSION}. Use the one that wrote it."
        )
    fault = report_schema.fault(data)
    try:
        if fault is None:
            return _report(data)
    except (IndexError, InvalidVersion) as error:
        fault = str(error)
    raise UsageError(f"{path} is not a sound report of cudnnlint: {fault}.")


def _report(data: Json) -> Report:
    files = tuple(_file(file) for file in data["files"])
    diagnostics = tuple(_diagnostic(one) for one in data["diagnostics"])
    shard = data["shard"]
    if shard is not None and len(shard["positions"]) != len(files):
        raise IndexError("shard.positions does not go with files")
    lost = {one.path for one in diagnostics} - {file.path for file in files}
    if lost:
        raise IndexError(f"diagnostics name {min(lost)}, which is not among the files")
    return Report(
        files,
        diagnostics,
        data["summary"]["files"],
        data["tool"]["version"],
        loader.pages({one.code for one in diagnostics}),
        data["failing"],
        shard and Shard(shard["number"], shard["of"], shard["run"], tuple(shard["positions"])),
    )


def _file(data: Json) -> FileReport:
    targets = tuple(_target(target) for target in data["targets"])
    lines = {(line["cell"], line["row"]): line["text"] for line in data["lines"]}
    cells = [cell for cell, _ in lines if cell is not None]
    if any(max(row, cell or 0) > LAST for cell, row in lines):
        raise IndexError(f"{data['path']} has a line that no file has")
    source = data["kind"] in SOURCE
    return FileReport(
        data["path"],
        data["kind"],
        targets,
        tuple(_layer(layer, data["path"], targets) for layer in data["layers"]),
        (data["error"]["code"], data["error"]["message"]) if data["error"] else None,
        tuple(data["notes"]),
        _text(lines, None) if source else None,
        tuple(_text(lines, cell) for cell in range(1, max(cells) + 1)) if cells else None,
        _graph(data["graph"], data["path"], len(data["layers"])) if data.get("graph") else None,
        tuple(_comparison(one, len(data["layers"])) for one in data.get("comparisons", ())),
    )


def _comparison(data: Json, layers: int) -> Comparison:
    """Return what releases do with some layers. Raises IndexError where it names a layer that is not there."""
    if max(data["layers"], default=-1) >= layers:
        raise IndexError("a comparison is of a layer that is not there")
    return Comparison(tuple(data["layers"]), tuple(map(_range, data["ranges"])))


def _range(data: Json) -> ReleaseRange:
    verdict = Verdict(data["verdict"]) if data["verdict"] is not None else None
    return ReleaseRange(data["framework"], data["backend"], data["since"], data["until"], verdict)


def _graph(data: Json, path: str, layers: int) -> ModelGraph:
    """Return a graph. Raises IndexError where it names a node or a layer that is not there."""
    nodes = tuple(_node(node) for node in data["nodes"])
    edges = tuple(_edge(edge) for edge in data["edges"])
    named = [node.layer for node in nodes if node.layer is not None]
    parents = all(node.parent is None or node.parent < at for at, node in enumerate(nodes))
    ends = all(max(edge.source, edge.target) < len(nodes) for edge in edges)
    beside = ends and all(nodes[edge.source].parent == nodes[edge.target].parent for edge in edges)
    if not parents or not beside or max(named, default=-1) >= layers:
        raise IndexError(f"the graph of {path} names a node or a layer that is not there")
    return ModelGraph(nodes, edges)


def _node(data: Json) -> LayerNode:
    place = _place(data["place"]) if data["place"] else None
    kind = NodeKind(data["kind"])
    return LayerNode(data["name"], data["class_name"], kind, data["parent"], data["layer"], data["holds"], place)


def _edge(data: Json) -> LayerEdge:
    ways = (MaskWay(data["mask"], data["because"] or ""),)
    return LayerEdge(data["source"], data["target"], ways, data["beside"])


def _text(lines: Mapping[tuple[int | None, int], str], cell: int | None) -> str:
    """Return the text of a file or a cell of which some lines are known."""
    known = {row: text for (inside, row), text in lines.items() if inside == cell}
    return "".join(f"{known.get(row, '')}\n" for row in range(1, max(known, default=0) + 1))


def _target(data: Json) -> Target:
    keras, beneath = _release(data["keras"]), data["tensorflow"]
    return Target(
        data["framework"], keras, data["backend"], _release(beneath) if beneath is not None else None, data["origin"]
    )


def _release(text: str) -> Release:
    """Return the release that `Release.brief` is the text of. Raises InvalidVersion."""
    since, dots, until = text.partition("..")
    return Release(span=Span.of(since, until.lstrip("<"))) if dots or not text else Release(Version(text))


def _layer(data: Json, path: str, targets: tuple[Target, ...]) -> LayerReport:
    return LayerReport(
        data["id"],
        data["name"],
        data["class_name"],
        _place({**data, "path": path}) if data["row"] is not None else None,
        data["layer_path"],
        tuple(_place(step) for step in data["via"]),
        tuple(_judgement(verdict, targets) for verdict in data["verdicts"]),
        steps=data["steps"],
        own_class=data["subclass"],
        role=data["direction"],
    )


def _judgement(data: Json, targets: tuple[Target, ...]) -> Judgement:
    if data["target"] >= len(targets):
        raise IndexError("a verdict is for a target that its file does not have")
    return Judgement(
        targets[data["target"]],
        Verdict(data["verdict"]),
        tuple(Verdict(verdict) for verdict in data["possible"]),
        data["condition"],
        tuple(_requirement(one) for one in data["requirements"]),
        Route(data["route"]) if data["route"] else None,
        data["assumed"],
    )


def _requirement(data: Json) -> Requirement:
    place = SavedPlace("", data["place"]) if data["place"] is not None else None  # it is only ever written out
    name, code, met, found, needed = (data[key] for key in ("name", "code", "met", "found", "needed"))
    return Requirement(name, code, met, found, needed, place, data["origin"])


def _diagnostic(data: Json) -> Diagnostic:
    same = ("code", "name", "message", "layer_path", "verdict", "requirement", "found", "needed", "target", "advice",
            "noqa_row", "reason", "then", "instead", "path")  # fmt: skip
    return Diagnostic(
        severity=Severity(data["severity"]),
        location=_span(data, data["path"], data["cell"]) if data["location"] else None,
        layers=tuple(data["layers"]),
        fix=_fix(data["fix"], data["path"], data["cell"]) if data["fix"] else None,
        consequence=data["condition"],
        related=tuple((_place(one), one["text"]) for one in data["related"]),
        doubts=tuple(data["doubts"]),
        **{key: data[key] for key in same},
    )


def _fix(data: Json, path: str, cell: int | None) -> Fix:
    edits: Iterable[Json] = data.get("elsewhere") or ({**edit, "cell": cell} for edit in data["edits"])
    made = tuple(Edit(_span(edit, path, edit["cell"]), edit["content"]) for edit in edits)
    return Fix(Applicability(data["applicability"]), data["message"], made)


def _span(data: Json, path: str, cell: int | None) -> SourcePlace:
    """Return the place between two locations. Raises IndexError where there is only one."""
    start, end = data["location"], data["end_location"]
    if end is None:
        raise IndexError("a location has no end_location")
    return SourcePlace(path, start["row"], start["column"], end["row"], end["column"], cell)


def _place(data: Json) -> SourcePlace:
    keys = ("path", "row", "column", "end_row", "end_column", "cell")
    return SourcePlace(*(data[key] for key in keys))
