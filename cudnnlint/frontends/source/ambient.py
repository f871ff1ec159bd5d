"""What a file says once and which layers it concerns is not followed: device scopes, hidden GPUs, TF 1, XLA.

A sentence in the file's text is enough to keep a verdict from being guessed: the surrounding becomes Unknown for
every layer of the file, with the reason, unless it holds for the whole file (a GPU hidden at its top).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from cudnnlint.core.fact import Fact, Known, Unknown
from cudnnlint.core.layer import Call, Layer
from cudnnlint.core.place import SourcePlace
from cudnnlint.frontends.source.unit import Unit

#: surrounding -> (what shows it, why it is not known which layers it concerns)
_OPEN: Mapping[str, tuple[re.Pattern[str], str]] = {
    "eager_disabled": (
        re.compile(r"\bdisable_(?:eager_execution|v2_behavior)\s*\(|\bGraph\s*\(\s*\)\s*\.\s*as_default\b"),
        "the file switches eager execution off, and for which layers is not followed",
    ),
    "device": (
        re.compile(r"\bdevice\s*\(\s*[rfb]?[\"'][^\"'\n]*cpu", re.IGNORECASE),
        "the file has a CPU device scope, and which calls stand in it is not followed",
    ),
    "xla": (
        re.compile(r"\bfunction\s*\([^()]*\bjit_compile\s*=\s*True"),
        "the file compiles a function with XLA, and which layers it calls is not followed",
    ),
    "jit_compile": (
        re.compile(r"\.compile\s*\((?:[^()]|\([^()]*\))*\bjit_compile\s*=\s*True"),
        "the file compiles a model with jit_compile=True, and which layers are in it is not followed",
    ),
}
#: A statement of the module itself that hides every GPU, before or after TensorFlow is imported.
_HIDDEN = re.compile(
    r"^os\.environ(?:\[\s*[\"']CUDA_VISIBLE_DEVICES[\"']\s*\]\s*=|\.setdefault\(\s*[\"']CUDA_VISIBLE_DEVICES[\"']\s*,)"
    r"\s*[\"'](?:-1)?[\"']",
    re.MULTILINE,
)


def surround(layers: Iterable[Layer], units: Iterable[Unit]) -> tuple[Layer, ...]:
    """The layers, each of their calls with what the units say of every layer."""
    said: dict[str, Fact] = {}
    for unit in units:
        said |= _said(unit)
    if not said:
        return tuple(layers)
    return tuple(
        replace(layer, calls=tuple(_with(call, said) for call in layer.calls or (Call(),))) for layer in layers
    )


def _said(unit: Unit) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    for name, (pattern, because) in _OPEN.items():
        match = pattern.search(unit.text)
        if match is not None:
            found[name] = Unknown(because, _place(unit, match))
    match = _HIDDEN.search(unit.text)
    if match is not None:
        found["device"] = Known("hidden", _place(unit, match))
    return found


def _place(unit: Unit, match: re.Match[str]) -> SourcePlace:
    """The first line of what was matched."""
    before = unit.text[: match.start()]
    row, column = before.count("\n") + 1, match.start() - (before.rfind("\n") + 1) + 1
    length = len(match.group().split("\n", 1)[0])
    return SourcePlace(unit.path, row, column, row, column + length, unit.cell)


def _with(call: Call, said: Mapping[str, Fact]) -> Call:
    return replace(call, surroundings={**said, **call.surroundings})
