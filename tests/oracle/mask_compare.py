"""Holds both front ends against the mask table: `mask_compare.py` writes fixtures/evidence/mask_gaps.json and tells it.

The source front end reads each program, the saved one each model that Keras wrote of it. A gap is a layer for which a
reading does not say what Keras showed: w says otherwise, u says unknown, m does not find the layer, c is sure of a
mask, or of none, where Keras stops. mask_gaps.json: {case: {"FORM LAYER": LETTERS, "because": REASON}}, a letter for
each release of masks.json, a dot where there is no gap. No framework is imported.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from cudnnlint.core.fact import Absent, Known
from cudnnlint.core.layer import Call, Layer, Model
from cudnnlint.core.names import Names
from cudnnlint.core.target import Point
from cudnnlint.frontends import saved
from cudnnlint.frontends.source.reader import read as read_source
from cudnnlint.rulebook import loader

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mask_cases import Case, cases, moved
from mask_evidence import EVIDENCE, point_of, read, read_saved

GAPS = EVIDENCE / "mask_gaps.json"
FORMS = ("source", "saved")
RANK = "a mask that is not of rank 2 reaches the probe, and no recurrent layer takes one"
#: Why there is a gap: its letter, and what the name of the program is like. A wrong letter has no reason.
REASONS = (
    ("c", "", "Keras stops before it calls the probe, and what is told would hold behind that"),
    ("u", r"in TimeDistributed|of rank|SpatialDropout[23]D|ConvLSTM[13]D|TimeDistributed\((Mask|Embed|Seq)", RANK),
    ("u", r"^(Wrapper|Pipeline|RandomColorJitter)", "a layer that calls layers of its own is not followed"),
    ("u", r"^(Rand|Random\w+|AugMix|CutMix|MixUp|Solarization|RandAugment): mask$",
     "in training its output has no mask, at inference it is its input: the table was asked without `training`"),
    ("u", r"Lambda", "a file holds the code of a Lambda as bytes, and what dtype it returns is not known"),
    ("u", r" in (mixed_b?|b?)float|ops\.(cast|convert_to_tensor)",
     "a cast that changes nothing keeps the mask, and it is not known whether it does"),
    ("u", r"^(Concatenate|Attention|AdditiveAttention|Softmax|TimeDistributed)(\(\w+\))?: ",
     "some releases of the epoch stop where a mask reaches it"),
    ("u", r"return_state=True", "how many states a cell has is not known, so neither is which output this is"),
    ("u", r"^Functional\(Dense\): mask=", "the dtype of a model's Input may be another one than that of what comes in"),
    ("u", r"^(Reshape|Cropping)", "on JAX it keeps the mask where it changes nothing, which hangs on shapes"),
    ("u", r"^x\[", "on JAX all of a tensor keeps its mask, a part of it does not, and what a file takes is not read"),
    ("u", r"in float64|^Embedding in float64", "float64 is float32 on JAX unless the program says otherwise"),
    ("u", r"^abs", "the function is not followed"),
)  # fmt: skip
CASES = {case.name: case for case in cases()}
Gaps = dict[str, str]


@cache
def table() -> dict[str, Any]:
    """The table, read once."""
    return read()


@cache
def _texts() -> Mapping[str, Mapping[int, tuple[str, tuple[int, ...]]]]:
    """The saved models of each program by the place of the release that wrote them, with all that wrote the same."""
    found: dict[str, dict[int, tuple[str, tuple[int, ...]]]] = defaultdict(dict)
    for name, text, places in read_saved():
        found[name].update(dict.fromkeys(places, (text, tuple(places))))
    return found


@cache
def _points() -> tuple[Point, ...]:
    """The releases of the table."""
    return tuple(point_of(release["about"]) for release in table()["releases"])


@cache
def _names(places: tuple[int, ...]) -> Names:
    """What the front ends know, with the mask epochs of these releases alone."""
    names = loader.load().tables.names
    epochs = (epoch for epoch in names.masks.epochs if any(epoch.era.holds(_points()[at]) for at in places))
    return replace(names, masks=replace(names.masks, epochs=tuple(epochs)))


@cache
def _alike(framework: str) -> tuple[int, ...]:
    """The releases whose programs are the same text."""
    return tuple(at for at, one in enumerate(table()["releases"]) if _imported(one) == framework)


def _imported(release: dict[str, Any]) -> str:
    """What the programs of a release import: those of both generations of Keras 2 say `tensorflow.keras`."""
    framework = str(release["about"]["framework"])
    return "keras" if framework == "keras" else "tensorflow"


def gaps(name: str, places: Iterable[int] | None = None, forms: Sequence[str] = FORMS) -> Gaps:
    """The gaps of one program, by form and layer, in all releases or in those at some places."""
    releases, row = table()["releases"], table()["cases"][name]
    found: dict[str, list[str]] = {}
    for at in range(len(releases)) if places is None else places:
        for form, model in _read(CASES[name], releases[at], at, forms):
            told = _told(model, _points()[at])
            seen = {layer: letters[at] for layer, letters in row["seen"].items()}
            for layer, letter in _held(told, seen, row["stops"][at]):
                found.setdefault(f"{form} {layer}", ["."] * len(releases))[at] = letter
    return {key: "".join(letters) for key, letters in sorted(found.items())}


def _read(case: Case, release: dict[str, Any], at: int, forms: Sequence[str]) -> Iterator[tuple[str, Model]]:
    """What each front end makes of a program as it is in one release."""
    framework = _imported(release)
    if "source" in forms:
        yield "source", _of_source(moved(case, release["paths"]).source(framework), _alike(framework))
    if "saved" in forms and at in _texts().get(case.name, {}):
        yield "saved", _of_saved(*_texts()[case.name][at])


@cache
def _of_source(program: str, places: tuple[int, ...]) -> Model:
    return read_source("program.py", program.encode(), _names(places))


@cache
def _of_saved(text: str, places: tuple[int, ...]) -> Model:
    return saved.read_bytes("config.json", text.encode(), _names(places))


def _told(model: Model, point: Point) -> dict[str, str]:
    """What reaches each layer in one release, by its name without "_": 0, 1, both, or ? among them."""
    found: dict[str, set[str]] = defaultdict(set)
    for layer in model.layers:
        found[_name(layer)] |= {_arrives(call) for call in layer.calls if call.holds(point)}
    return {name: "".join(sorted(masks)) for name, masks in found.items()}


def _name(layer: Layer) -> str:
    role = f"{layer.direction.role}_" if layer.direction else ""
    own = layer.name or _by_class(layer.variants[0].class_name)
    return (role + own.removeprefix(role)).replace("_", "")


def _by_class(name: str) -> str:
    """The name that Keras gives to the first layer of a class."""
    return re.sub("([a-z])([A-Z])", r"\1_\2", re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)).lower()


def _arrives(call: Call) -> str:
    mask = call.context("mask")
    if isinstance(mask, Absent):
        return "0"
    return str(int(mask.value != "none")) if isinstance(mask, Known) else "?"


def _held(told: Mapping[str, str], seen: Mapping[str, str], stops: str) -> Iterator[tuple[str, str]]:
    """The gaps in what was told of one release: layer and letter."""
    if stops in "BR":
        yield from ((layer, "c") for layer, masks in told.items() if layer == "probe" and masks in ("0", "1"))
    for layer, letter in seen.items():
        name = layer.replace("_", "")  # releases put them in other places
        bare = name.rstrip("0123456789").removeprefix("backward")  # what an author gives as backward_layer
        masks = told.get(name, told.get(f"backward{name}", told.get(f"backward{bare}", "m")))
        truth = {"2": "01", "-": ""}.get(letter, letter)
        if letter != "." and masks != truth:
            yield layer, "m" if masks == "m" else "u" if "?" in masks else "w"


def because(name: str, found: Gaps) -> str:
    """Why a program has these gaps; "" where a letter has no reason."""
    letters = sorted({letter for row in found.values() for letter in row} - {"."})
    told = [next((why for kind, like, why in REASONS if kind == one and re.search(like, name)), "") for one in letters]
    return "; ".join(told) if all(told) else ""


@cache
def known_gaps() -> dict[str, Gaps]:
    """The gaps that there are, each program's reason among them."""
    found: dict[str, Gaps] = json.loads(GAPS.read_text(encoding="utf-8"))
    return found


def with_reason(name: str, found: Gaps) -> Gaps:
    """The gaps of a program as the file holds them."""
    return {**found, "because": because(name, found)} if found else {}


def main() -> int:
    """The command."""
    found = {name: gaps(name) for name in table()["cases"]}
    rows = {name: with_reason(name, row) for name, row in found.items() if row}
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    GAPS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(*(line for line, row in zip(lines, rows.values(), strict=True) if not row["because"]), sep="\n")
    counts = Counter(letter for row in found.values() for letters in row.values() for letter in letters)
    print({letter: count for letter, count in counts.items() if letter != "."})
    return 0


if __name__ == "__main__":
    sys.exit(main())
