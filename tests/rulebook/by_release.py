"""What the tables of values and traits say of each release, as the releases at which it changes.

A row that is gone, a bound that has moved and a text that is left out show; a release that is only added changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import groupby

from packaging.version import Version

from cudnnlint.core.target import BACKENDS, Point
from cudnnlint.rulebook.loader import load
from cudnnlint.targets import environment

TABLES = load().tables
TENSORFLOW_1, TENSORFLOW_2 = Version("1.15.5"), Version("2.0.0")


@cache
def releases() -> dict[str, list[Point]]:
    """Every known release by package and backend; a Keras that was no part of TensorFlow, on both generations of it."""
    known = {name: sorted(every) for name, every in environment.known().known.items()}
    newest = known["tensorflow"][-1]
    alone = [one for one in known["keras"] if one < TABLES.milestones.dates["packaged"]]
    return {
        "TensorFlow": [Point("tensorflow", one, "tensorflow", one) for one in known["tensorflow"]],
        "tf_keras": [Point("tf_keras", one, "tensorflow", newest) for one in known["tf_keras"]],
        "Keras on TensorFlow 1": [Point("keras", one, "tensorflow", TENSORFLOW_1) for one in alone],
        "Keras on TensorFlow 2.0": [Point("keras", one, "tensorflow", TENSORFLOW_2) for one in alone],
        "Keras": [Point("keras", one, "tensorflow", newest) for one in known["keras"]],
        **{
            f"Keras on {backend}": [Point("keras", one, backend, None) for one in known["keras"] if one.major > 2]
            for backend in BACKENDS
            if backend != "tensorflow"
        },
    }


def then(argument: str, kind: str, point: Point) -> str:
    """What comes of a kind of value: "raises", "unknown", "runs"; more than one of them where two rows hold."""
    rows = [one for one in TABLES.refusals if argument in one.arguments and kind in one.kinds]
    return " and ".join(one.then for one in rows if one.scope.holds(point)) or "runs"


def _has(of: str, text: str, point: Point) -> str:
    rows = [one for one in TABLES.traits[of] if text in one.texts]
    return " and ".join("yes" for one in rows if one.scope.holds(point)) or "no"


def _changes(says: Callable[[Point], str], otherwise: str) -> str:
    """What is said of the releases, each stretch by its first one; packages of which nothing is said are left out."""
    told = {}
    for name, points in releases().items():
        stretches = [(text, next(group)) for text, group in groupby(points, key=says)]
        if [text for text, _ in stretches] != [otherwise]:
            told[name] = ", ".join(f"{text} from {point.keras}" for text, point in stretches)
    return "; ".join(f"{name} {text}" for name, text in told.items())


def lines() -> Iterator[str]:
    """Yield a line for the values of an argument that are alike, and for the traits of one kind that are alike."""
    refused = {(name, kind) for one in TABLES.refusals for name in one.arguments for kind in one.kinds}
    yield from alike(refused, then, "runs")
    traits = {(of, text) for of, rows in TABLES.traits.items() for one in rows for text in one.texts}
    yield from (f"trait {line}" for line in alike(traits, _has, "no"))


def alike(parts: set[tuple[str, str]], says: Callable[[str, str, Point], str], otherwise: str) -> Iterator[str]:
    """Yield a line for all the parts of one thing of which every release says the same, with what it says."""
    found: dict[tuple[str, str], list[str]] = {}
    for of, text in sorted(parts):
        found.setdefault((of, _changes(partial(says, of, text), otherwise)), []).append(text)
    for (of, told), texts in found.items():
        yield f"{of} [{', '.join(texts)}]: {told}"
