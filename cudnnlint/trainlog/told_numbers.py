"""Numbers that a message states without shapes: releases that do not fit, and how much memory an array wants."""

from __future__ import annotations

import re
from math import prod

from cudnnlint.trainlog.told_shapes import read

_RELEASE = r"(?:\d{1,9}\.){0,5}\d{1,9}"
_CUDNN = re.compile(
    rf"Loaded runtime CuDNN library: (?P<loaded>{_RELEASE}) (?P<strict>\(compatibility version \d+\) )?"
    rf"but source was compiled with:? (?P<built>{_RELEASE})"
)
_ARRAY = re.compile(r"OOM when allocating tensor (?:with|of) shape ?(?P<shape>\[[\d,]+\])(?: and type (?P<type>\w+))?")
_BYTES = {"half": 2, "bfloat16": 2, "float16": 2, "double": 8, "float64": 8, "int64": 8, "bool": 1}


def said(message: str) -> list[str]:
    """Return what the numbers of a message say, a sentence for each."""
    return [sentence for sentence in (_library(message), _memory(message)) if sentence]


def _library(message: str) -> str | None:
    """Return which cuDNN would do, where another one is loaded than the framework was built for."""
    match = _CUDNN.search(message)
    if match is None:
        return None
    loaded, built = (_parts(match[name]) for name in ("loaded", "built"))
    wanted = f"{built[0]}.{built[1]}" + ("" if match["strict"] else f" or a later {built[0]}")
    return f"cuDNN {_dotted(loaded)} is loaded; the program was built for {_dotted(built)} and takes {wanted}"


def _parts(text: str) -> tuple[int, ...]:
    """Return a release as numbers; cuDNN itself writes 7102 for 7.1.2, and from 9 on 90300 for 9.3.0."""
    if "." in text:
        return tuple(map(int, text.split(".")))
    number = int(text)
    thousand, hundred = (10_000, 100) if number >= 90_000 else (1_000, 100)
    return number // thousand, number % thousand // hundred, number % hundred


def _dotted(release: tuple[int, ...]) -> str:
    return ".".join(map(str, release))


def _memory(message: str) -> str | None:
    """Return how large the array is that did not fit."""
    match = _ARRAY.search(message)
    if match is None:
        return None
    size = prod(axis or 0 for axis in read(match["shape"])) * _BYTES.get(match["type"] or "float", 4)
    if size < 1 << 20:
        return f"the array that did not fit is small ({max(size >> 10, 1)} KiB): the memory was used up before"
    text = f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"
    return f"the array that did not fit takes {text}"
