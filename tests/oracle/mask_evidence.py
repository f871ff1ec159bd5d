"""What Keras says of masks, written small and read again: fixtures/evidence/masks.json and masks_saved.xz.

masks.json: {"releases": [{"about", "unasked", "paths"}],
             "cases": {name: {"seen": {layer: LETTERS}, "stops": LETTERS}}}
A letter for each release, in the order of `releases`. Of a layer: 1 a mask reaches it, 0 none, 2 both, - it is never
called, . not asked or it stops. `stops`: B while the model is built (K: its call takes no
such argument), R when it runs, W cannot be written, . does not.

masks_saved.xz: [[release, ...], [[case, text, [number of release, ...]], ...]] as JSON, each distinct text once.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cudnnlint.core.target import Point, Release
from packaging.version import Version

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence"
TABLE, SAVED = "masks.json", "masks_saved.xz"
BUNDLED = Version("2.6")
STOPS = {"built": "B", "run": "R", "written": "W"}
Json = dict[str, Any]


def point_of(about: Json) -> Point:
    """The release that was asked."""
    tensorflow = Version(about["tensorflow"]) if about.get("tensorflow") else None
    if about["framework"] == "tensorflow" and tensorflow is not None and tensorflow < BUNDLED:
        return Point("tensorflow", tensorflow, "tensorflow", tensorflow)
    framework = "keras" if about["framework"] == "tensorflow" else about["framework"]
    keras = Release.at(about["keras"]).version
    assert keras is not None
    return Point(framework, keras, about["backend"], tensorflow)


def label(about: Json) -> str:
    """A release in a word."""
    point = point_of(about)
    return f"{point.framework}@{point.keras}:{point.backend}"


def write(answers: Iterable[Json], folder: Path) -> str:
    """Pack the answers of all releases; returns a sentence with the numbers."""
    order = ("tensorflow", "keras", "tf_keras")
    answers = sorted(
        answers,
        key=lambda one: (point_of(one["about"]).backend != "tensorflow", order.index(point_of(one["about"]).framework),
                         point_of(one["about"]).backend, point_of(one["about"]).keras),
    )  # fmt: skip
    names = list(dict.fromkeys(name for one in answers for name in one["cases"]))
    table = {
        "releases": [{key: one[key] for key in ("about", "unasked", "paths")} for one in answers],
        "cases": {name: _row([one["cases"].get(name) for one in answers]) for name in names},
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in table["cases"].items())
    head = ",\n".join(json.dumps(one) for one in table["releases"])
    (folder / TABLE).write_text(f'{{"releases": [\n{head}\n],\n"cases": {{\n{lines}\n}}}}\n', encoding="utf-8")
    saved = [entry for name in names for entry in _saved(name, answers)]
    packed = lzma.compress(json.dumps(saved, separators=(",", ":")).encode(), preset=9 | lzma.PRESET_EXTREME)
    (folder / SAVED).write_bytes(packed)
    return f"{len(answers)} releases, {len(names)} programs, {len(saved)} saved models, {len(packed)} bytes"


def _row(answers: list[Json | None]) -> Json:
    layers = sorted({layer for one in answers if one and one["seen"] for layer in one["seen"]})
    seen = {
        layer: "".join(one["seen"].get(layer, ".") if one and one["seen"] else "." for one in answers)
        for layer in layers
    }
    return {"seen": seen, "stops": "".join(_stop(one) for one in answers)}


def _stop(answer: Json | None) -> str:
    if not answer or not answer["error"]:
        return "."
    return "K" if "unexpected keyword argument" in answer["error"] else STOPS[answer["error"].split(":")[0]]


def _saved(name: str, answers: list[Json]) -> list[list[Any]]:
    """The distinct texts of one program's model, with the places of the releases that wrote them."""
    found: dict[str, list[int]] = {}
    for at, one in enumerate(answers):
        text = one["cases"].get(name, {}).get("config")
        if text:
            found.setdefault(text, []).append(at)
    return [[name, text, places] for text, places in found.items()]


def read() -> Json:
    """The table."""
    found: Json = json.loads((EVIDENCE / TABLE).read_text(encoding="utf-8"))
    return found


def read_saved() -> list[tuple[str, str, list[int]]]:
    """Each distinct model: the program's name, the text, and which releases wrote it."""
    return [(name, text, at) for name, text, at in json.loads(lzma.decompress((EVIDENCE / SAVED).read_bytes()))]
