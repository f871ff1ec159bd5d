"""What is said of lines that real Keras was asked about, each by itself, and whether that is what Keras did."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cudnnlint.targets import environment, requested

sys.path.insert(0, str(Path(__file__).resolve().parent))

from sweep import Document, judged
from test_state_dtypes import IMPORTS, target


def every_line(answers: Iterable[dict[str, Any]], asked: dict[str, Any]) -> list[str]:
    """The lines that some release of a framework was asked about: read once, they are judged for each release."""
    alike = (one["lines"] for one in answers if one["framework"] == asked["framework"])
    return list(dict.fromkeys(line for lines in alike for line in lines))


def wrong(cases: list[tuple[str, str]], asked: dict[str, Any], point: str = "") -> list[str]:
    """The lines whose last layer is said to do otherwise than the letter beside it; `point` is another release."""
    said = verdicts_by_line([line for line, _ in cases], asked, point)
    return [line for line, letter in cases if not fits(said[line], letter)]


def verdicts_by_line(lines: Sequence[str], asked: dict[str, Any], point: str = "") -> dict[str, set[str]]:
    """The verdicts of the last layer of each line; the same lines are read once for all releases."""
    text = "\n".join([IMPORTS[asked["framework"]], "layers = keras.layers", "import numpy as np", *lines])
    (release,) = requested.parse([point or target(asked)], environment.known())
    said: dict[int, dict[int, set[str]]] = {}
    for reports in judged(Document(Path("lines.py"), "script", f"{text}\n".encode()), release).values():
        for layer in reports:
            verdicts = said.setdefault(layer.place.row - 4, {}).setdefault(layer.place.column, set())
            verdicts.update(one.verdict.value for one in layer.judgements)
    last = {row: places[max(places)] for row, places in said.items()}
    return {line: last.get(row, set()) for row, line in enumerate(lines)}


def fits(verdicts: set[str], letter: str) -> bool:
    """Return whether a layer that stopped is said to stop, and one that ran to run."""
    return verdicts == {"raises"} if letter == "s" else bool(verdicts) and verdicts <= {"cudnn", "fallback"}
