"""The JSON shapes that editors and CI scripts rely on; schemas/ has them as schemas."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability, Edit
from cudnnlint.core.graph import LayerEdge, LayerNode, ModelGraph
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import SCHEMA_VERSION, Comparison, FileReport, LayerReport, Report
from cudnnlint.core.target import Release, Target
from cudnnlint.core.text import is_url
from cudnnlint.core.verdict import Judgement
from cudnnlint.reporters.excerpt import shown_rows
from cudnnlint.reporters.words import rests

Json = dict[str, Any]
Shape = Callable[[Diagnostic, str | None], Json]


def diagnostics(report: Report, shape: Shape | None = None) -> Iterator[Json]:
    """Yield one object for each diagnostic, as `diagnostic_object` makes it, or another shape."""
    urls = {page.code: page.url for page in report.rules}
    shape = shape or diagnostic_object
    return (shape(diagnostic, urls.get(diagnostic.code)) for diagnostic in report.diagnostics)


def diagnostic_object(diagnostic: Diagnostic, url: str | None) -> Json:
    """Return a diagnostic as an object with the keys of ruff's JSON, then those of cudnnlint."""
    place = diagnostic.location
    return {
        "cell": place.cell if place else None,
        "code": diagnostic.code,
        "end_location": {"row": place.end_row, "column": place.end_column} if place else None,
        "filename": absolute(diagnostic.path),
        "path": diagnostic.path,
        "fix": _fix(diagnostic),
        "location": {"row": place.row, "column": place.column} if place else None,
        "message": diagnostic.message,
        "name": diagnostic.name,
        "noqa_row": diagnostic.noqa_row,
        "severity": diagnostic.severity.value,
        "url": url,
        "layer_path": diagnostic.layer_path,
        "layers": list(diagnostic.layers),
        "verdict": diagnostic.verdict,
        "requirement": diagnostic.requirement,
        "found": diagnostic.found,
        "needed": diagnostic.needed,
        "target": diagnostic.target,
        "condition": diagnostic.consequence,
        "advice": diagnostic.advice,
        "instead": diagnostic.instead,
        "reason": diagnostic.reason,
        "then": diagnostic.then,
        "related": [{**_via(place), "text": text} for place, text in diagnostic.related],
        "doubts": list(diagnostic.doubts),
    }


def absolute(path: str) -> str:
    """Return a path as `filename` gives it; a URL stays one, and standard input without a name `-`."""
    return path if path == "-" or is_url(path) else os.path.abspath(path)


def relative(path: str, base: str) -> str:
    """Return a path relative to `base`, with `/`; outside of it, the absolute path. A URL stays one."""
    if path == "-" or is_url(path):
        return path
    whole = os.path.abspath(path)
    try:
        inside = os.path.relpath(whole, base).replace(os.sep, "/")
    except ValueError:  # Windows: it is on another drive
        return whole.replace(os.sep, "/")
    return whole.replace(os.sep, "/") if inside.startswith("../") else inside


def fix_edits(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    """Return the edits of a fix; none where some are in another cell than the finding, as rows cannot say that."""
    edits = diagnostic.fix.edits if diagnostic.fix is not None else ()
    cell = diagnostic.location.cell if diagnostic.location is not None else None
    return edits if all(edit.place.cell == cell for edit in edits) else ()


def _fix(diagnostic: Diagnostic) -> Json | None:
    fix = diagnostic.fix
    if fix is None:
        return None
    edits = [_edit(edit) for edit in fix_edits(diagnostic)]
    return {"applicability": fix.applicability.value, "message": fix.message, "edits": edits}


def _in_full(diagnostic: Diagnostic, url: str | None) -> Json:
    """Return a diagnostic as `diagnostic_object` does, with the edits that are in other cells than the finding."""
    found = diagnostic_object(diagnostic, url)
    edits = diagnostic.fix.edits if diagnostic.fix is not None else ()
    if edits and not found["fix"]["edits"]:
        found["fix"]["elsewhere"] = [{**_edit(edit), "cell": edit.place.cell} for edit in edits]
    return found


def _edit(edit: Edit) -> Json:
    return {
        "content": edit.content,
        "location": {"row": edit.place.row, "column": edit.place.column},
        "end_location": {"row": edit.place.end_row, "column": edit.place.end_column},
    }


def report_object(report: Report) -> Json:
    """Return the whole report as one object."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "cudnnlint", "version": report.version},
        "files": [_file(file, report) for file in report.files],
        "diagnostics": list(diagnostics(report, _in_full)),
        "summary": summary(report),
        "failing": report.failing,
        "shard": asdict(report.shard) if report.shard else None,
    }


def summary(report: Report) -> Json:
    """How many files were seen, and each layer once, by its worst target."""
    fixes = [d.fix.applicability for d in report.diagnostics if d.fix is not None]
    return {
        "files": report.seen,
        "layers": sum(len(file.layers) for file in report.files),
        **report.counts(),
        "fixable": fixes.count(Applicability.SAFE),
        "fixable_unsafe": fixes.count(Applicability.UNSAFE),
    }


def _file(file: FileReport, report: Report) -> Json:
    rows = shown_rows(file, [d for d in report.diagnostics if d.path == file.path])
    return {
        "path": file.path,
        "kind": file.kind,
        "error": {"code": file.error[0], "message": file.error[1]} if file.error else None,
        "targets": [target_object(target) for target in file.targets],
        "layers": [_layer(layer, file) for layer in file.layers],
        "notes": list(file.notes),
        "graph": _graph(file.graph) if file.graph is not None else None,
        "comparisons": [_comparison(comparison) for comparison in file.comparisons],
        "lines": [{"cell": cell, "row": row, "text": text} for (cell, row), text in rows.items()],
    }


def _comparison(comparison: Comparison) -> Json:
    ranges = ({**asdict(one), "verdict": one.verdict.value if one.verdict else None} for one in comparison.ranges)
    return {"layers": list(comparison.layers), "ranges": list(ranges)}


def _graph(graph: ModelGraph) -> Json:
    return {"nodes": [_node(node) for node in graph.nodes], "edges": [_edge(edge) for edge in graph.edges]}


def _node(node: LayerNode) -> Json:
    place = node.place
    return {
        "name": node.name,
        "class_name": node.class_name,
        "kind": node.kind.value,
        "parent": node.parent,
        "layer": node.layer,
        "holds": node.holds,
        "place": _via(place) if place is not None else None,
    }


def _edge(edge: LayerEdge) -> Json:
    return {
        "source": edge.source,
        "target": edge.target,
        "mask": edge.mask,
        "because": edge.because or None,
        "beside": edge.beside,
    }


def target_object(target: Target) -> Json:
    """Return a target as an object; `text` is how `--target` takes it."""
    return {
        "framework": target.framework,
        "keras": target.keras.brief,
        "backend": target.backend,
        "tensorflow": _release(target.tensorflow),
        "origin": target.origin,
        "text": str(target),
    }


def _release(release: Release | None) -> str | None:
    return release.brief or None if release is not None else None


def _layer(layer: LayerReport, file: FileReport) -> Json:
    place = layer.place
    return {
        "id": layer.id,
        "name": layer.name,
        "class_name": layer.class_name,
        "cell": place.cell if place else None,
        "row": place.row if place else None,
        "column": place.column if place else None,
        "end_row": place.end_row if place else None,
        "end_column": place.end_column if place else None,
        "layer_path": layer.layer_path,
        "via": [_via(place) for place in layer.via],
        "steps": layer.steps,
        "subclass": layer.own_class,
        "direction": layer.role,
        "verdicts": [_verdict(judgement, file.targets) for judgement in layer.judgements],
    }


def _via(place: SourcePlace) -> Json:
    end = {"end_row": place.end_row, "end_column": place.end_column}
    return {"path": place.path, "cell": place.cell, "row": place.row, "column": place.column, **end}


def _verdict(judgement: Judgement, targets: tuple[Target, ...]) -> Json:
    return {
        "target": targets.index(judgement.target),
        "verdict": judgement.verdict.value,
        "possible": [verdict.value for verdict in judgement.possible],
        "condition": judgement.condition,
        "route": judgement.route.value if judgement.route else None,
        "assumed": rests(judgement),
        "requirements": [
            {
                "name": requirement.name,
                "code": requirement.code,
                "met": requirement.met,
                "found": requirement.found,
                "needed": requirement.needed,
                "place": str(requirement.place) if requirement.place is not None else None,
                "origin": requirement.origin,
            }
            for requirement in judgement.requirements
        ],
    }
