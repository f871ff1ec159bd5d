"""Programs in which two packages of Keras meet, as Keras itself takes them (two_kerases.py asked 15 environments)."""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from cudnnlint.targets import environment, requested
from packaging.version import Version

sys.path.insert(0, str(Path(__file__).resolve().parent))

import two_kerases
from environments import PACKAGED
from sweep import Document, judged

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "two_kerases.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
#: Programs whose recurrent layer is of the outer package.
OUTER = ("Sequential, Dense",)
#: Targets that leave open what `keras` or `tf.keras` beside them is.
OPEN = ("tf_keras", "tensorflow@2.4", "keras@2.4")


def name(asked: dict[str, Any]) -> str:
    return f"keras {asked['keras']}, tf_keras {asked['tf_keras']}, tensorflow {asked['tensorflow']}, {asked['backend']}"


def target(package: str, asked: dict[str, Any]) -> str:
    """The target of a layer of that package."""
    if package == "tf_keras":
        return f"tf_keras@{asked['tf_keras']}"
    bundled = package != "keras" and Version(asked["tensorflow"]) < PACKAGED
    if bundled or asked["keras"] < "3":
        return f"tensorflow@{asked['tensorflow']}" if bundled else f"keras@{asked['keras']}"
    return f"keras@{asked['keras']}:{asked['backend']}"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def verdicts(texts: list[str], point: str) -> list[set[str]]:
    """The verdicts of the layers of each text, which becomes a function of its own in one file."""
    functions = [f"def f{number}():\n{indented(text)}" for number, text in enumerate(texts)]
    (release,) = requested.parse([point], environment.known())
    layers = judged(Document(Path("two.py"), "script", "\n".join(functions).encode()), release)
    begins = [sum(one.count("\n") + 1 for one in functions[:number]) for number in range(len(functions) + 1)]
    found: list[set[str]] = [set() for _ in texts]
    for layer in chain.from_iterable(layers.values()):
        number = max(index for index, begin in enumerate(begins) if layer.place.row > begin)
        found[number].update(one.verdict.value for one in layer.judgements)
    return found


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_program_of_two_packages_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    by_target: dict[str, list[tuple[str, str, str]]] = {}
    for program, answers in asked["found"].items():
        for pair, letter in answers.items():
            inner, outer = pair.split(" in ")
            point = target(outer if program in OUTER else inner, asked)
            by_target.setdefault(point, []).append((program, pair, letter))
    wrong = []
    for point, cases in by_target.items():
        texts = [two_kerases.text(program, pair) for program, pair, _ in cases]
        for case, said in zip(cases, verdicts(texts, point), strict=True):
            ran = bool(said) and said <= {"cudnn", "fallback", "depends"}
            perhaps = (
                not {"tensorflow", "python"}.isdisjoint(case[1].split())
                and point.startswith(OPEN)
                and said == {"unknown"}
            )
            if not (said == {"raises"} if case[2] == "s" else ran) and not perhaps:
                wrong.append((point, *case, said))
    assert wrong == []
