"""`sarif`: SARIF 2.1.0, as GitHub code scanning reads it.

GitHub shows the first location of a result and its message's first sentence; it drops a result without
a physical location, so that a saved model gets its first line beside the logical location that it has.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any, TextIO
from urllib.parse import quote

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.regex import regex
from cudnnlint.core.report import LayerReport, Report, RulePage
from cudnnlint.core.text import is_url
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import fix_edits, relative
from cudnnlint.reporters.prints import fingerprints
from cudnnlint.rulebook import explain

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
PROBLEM = {"error": "error", "warning": "warning", "info": "recommendation"}
#: The worst that the codes of a hundred stand for.
DEFAULTS = {"1": "warning", "2": "error", "3": "info", "4": "info", "5": "info", "6": "error"}
MOST = 1000  # characters of a description; GitHub refuses more than 1,024
_DRIVE = regex(r"[A-Za-z]:(?=/)")
Json = dict[str, Any]


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write one run with all results."""
    base = os.getcwd()
    index = {page.code: position for position, page in enumerate(report.rules)}
    layers = {layer.id: layer for file in report.files for layer in file.layers}
    seen: Counter[str] = Counter()
    results = []
    for diagnostic, digits in zip(report.diagnostics, fingerprints(report, base), strict=True):
        seen[digits] += 1
        result = _result(diagnostic, [layers[i] for i in diagnostic.layers if i in layers], base)
        result["partialFingerprints"] = {"primaryLocationLineHash": f"{digits}:{seen[digits]}"}
        if diagnostic.code in index:
            result["ruleIndex"] = index[diagnostic.code]
        results.append(result)
    driver = {"name": "cudnnlint", "version": report.version, "rules": [_rule(page) for page in report.rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, stream, indent=2)
    stream.write("\n")


def _rule(page: RulePage) -> Json:
    level = DEFAULTS.get(page.code[3], "error" if page.code in ("CDN001", "CDN003") else "info")
    return {
        "id": page.code,
        "name": page.name,
        "helpUri": page.url,
        "shortDescription": {"text": page.summary[:MOST]},
        "fullDescription": {"text": explain.opening(page.page)[:MOST]},
        "help": {"text": page.page, "markdown": explain.markdown(page)},
        "defaultConfiguration": {"level": LEVELS[level]},
        "properties": {
            "precision": "high",
            "problem.severity": PROBLEM[level],
            "tags": ["keras", "cudnn", "correctness" if level == "error" else "performance"],
        },
    }


def _result(diagnostic: Diagnostic, layers: list[LayerReport], base: str) -> Json:
    result: Json = {
        "ruleId": diagnostic.code,
        "level": LEVELS[diagnostic.severity.value],
        "message": {"text": diagnostic.message},
        "locations": [_location(diagnostic, base)],
    }
    related = _related(diagnostic, layers, base)
    if related:
        result["relatedLocations"] = related
    if fix_edits(diagnostic) and diagnostic.location is not None and diagnostic.location.cell is None:
        result["fixes"] = [_fix(diagnostic, base)]
    return result


def _location(diagnostic: Diagnostic, base: str) -> Json:
    place = diagnostic.location or SourcePlace(diagnostic.path, 1, 1, 1, 1)
    location: Json = {"physicalLocation": _physical(place, diagnostic.path, base)}
    logical = diagnostic.layer_path or (f"cell {place.cell}" if place.cell is not None else None)
    if logical:
        name = logical.rsplit("/", 1)[-1]
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": logical, "kind": "object"}]
    return location


def _physical(place: SourcePlace, path: str, base: str) -> Json:
    return {"artifactLocation": {"uri": _uri(path, base)}, "region": _region(place)}


def _uri(path: str, base: str) -> str:
    if is_url(path):
        return quote(path.encode("utf-8", "surrogateescape"), safe="%:/?#[]@!$&'()*+,;=~")
    inside = relative(path, base)
    drive = _DRIVE.match(inside)
    named = drive[0] if drive is not None else ""
    encoded = quote(inside.removeprefix(named).encode("utf-8", "surrogateescape"))
    if named:
        return f"file:///{named}{encoded}"
    if inside.startswith("//"):  # a shared folder of Windows: the host comes first
        return f"file:{encoded}"
    return f"file://{encoded}" if inside.startswith("/") else encoded


def _region(place: SourcePlace) -> Json:
    return {
        "startLine": place.row,
        "startColumn": place.column,
        "endLine": place.end_row,
        "endColumn": place.end_column,
    }


def _related(diagnostic: Diagnostic, layers: list[LayerReport], base: str) -> list[Json]:
    """Return the calls that led to the layers, and the other places worth showing."""
    places = [(place, "called from here") for layer in layers for place in layer.via]
    return [
        {"id": number, "message": {"text": text}, "physicalLocation": _physical(place, place.path, base)}
        for number, (place, text) in enumerate(dict.fromkeys([*diagnostic.related, *places]), 1)
    ]


def _fix(diagnostic: Diagnostic, base: str) -> Json:
    assert diagnostic.fix is not None
    replacements = [
        {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.content}}
        for edit in diagnostic.fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(diagnostic.path, base)}, "replacements": replacements}
    return {"description": {"text": diagnostic.fix.message}, "artifactChanges": [change]}
