"""The interpreter held against Python itself: what it says a value is, is what Python makes of it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np  # noqa: F401 - now, not while the steps of a program are counted
import pytest

from cudnnlint.core.fact import Assumed, Known, Opaque, alternatives
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

HERE = Path(__file__).parent / "like_python"
sys.path.insert(0, str(HERE))

from programs import PRELUDE, RESULTS, Draw  # noqa: E402

SNIPPETS = (HERE / "snippets.txt").read_text(encoding="utf-8").split("\n---\n")
SEEDS = range(4)
PROGRAMS = 40
STEPS = 50_000  # of Python, for one program: those that go on for ever are drawn, too
KNOWN = 0.65
KNOWN_SNIPPETS = 0.88


class TooLong(BaseException):
    """The program does not come to its end."""


def run(text: str, prelude: str = "") -> dict[str, Any] | None:
    """What the program leaves in its names; None where it stops with an error, or goes on and on.

    The prelude, which does not, is run before.
    """
    left = STEPS

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong
        return count

    names: dict[str, Any] = {"LSTM": lambda place, unroll: names["·seen"].append((place, unroll)), "·seen": []}
    exec(compiled(prelude), names)
    code, before = compiled(text), sys.gettrace()
    sys.settrace(count)
    try:
        exec(code, names)
    except (Exception, TooLong):
        return None
    finally:
        sys.settrace(before)
    return names


@lru_cache(maxsize=4)
def compiled(text: str) -> CodeType:
    """The program as Python runs it; `LSTM` is given to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `5 is None`
        return compile(text.replace("from keras.layers import LSTM", ""), "program", "exec", dont_inherit=True)


def wrong(text: str, names: Names, truth: list[tuple[int, Any]]) -> Iterator[tuple[bool, str | None]]:
    """For every layer that Python saw: is its value known to be one, and what is wrong with it."""
    layers = read("program.py", text.encode(), names).layers
    facts = {layer.variants[0].arguments["units"].value: layer.variants[0].arguments["unroll"] for layer in layers}
    for place, value in truth:
        if place not in facts:
            yield False, f"{place} is not found"
            continue
        found = alternatives(facts[place])
        open_ones = [one for one in found if not isinstance(one, (Known, Assumed)) or isinstance(one.value, Opaque)]
        values = [one.value for one in found if isinstance(one, (Known, Assumed))]
        right = bool(open_ones) or any(type(one) is type(value) and one == value for one in values)
        yield len(found) == 1 and not open_ones, None if right else f"{place}: {value!r} in Python, {values} for us"


@pytest.mark.parametrize("text", SNIPPETS, ids=range(len(SNIPPETS)))
def test_a_snippet_gives_what_python_gives(text: str, names: Names) -> None:
    seen = run(text)
    assert seen is not None
    program = f"from keras.layers import LSTM\n{text}\nLSTM(1, unroll=R)\n"
    for _, fault in wrong(program, names, [(1, seen["R"])]):
        assert fault is None, f"{fault}\n{text}"


def test_most_snippets_are_known(names: Names) -> None:
    told: list[bool] = []
    for text in SNIPPETS:
        seen = run(text)
        assert seen is not None
        told += [
            known
            for known, _ in wrong(
                f"from keras.layers import LSTM\n{text}\nLSTM(1, unroll=R)\n", names, [(1, seen["R"])]
            )
        ]
    assert sum(told) >= KNOWN_SNIPPETS * len(told)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_program_gives_what_python_gives(seed: int, names: Names) -> None:
    draw, told, good = Draw(seed), [], 0
    while good < PROGRAMS:
        body = draw.program() + "".join(f"LSTM({at}, unroll={text})\n" for at, text in enumerate(RESULTS))
        seen = run(body, PRELUDE)
        if seen is None:
            continue
        good += 1
        for known, fault in wrong(PRELUDE + body, names, seen["·seen"]):
            assert fault is None, f"{fault}\n{body}"
            told.append(known)
    assert sum(told) >= KNOWN * len(told)


@pytest.mark.parametrize("kind", ["int", "text", "bool"])
def test_a_drawn_expression_gives_what_python_gives(kind: str, names: Names) -> None:
    draw, told = Draw(100), []
    functions = "def h0(x): return x + 1\ndef h1(x): return x * 2\n"
    for _ in range(8):
        texts = (draw.expression(kind, draw.chance.randint(0, 3)) for _ in range(80))
        good = [text for text in texts if run(f"{text}\n", PRELUDE + functions) is not None]
        calls = "".join(f"LSTM({at}, unroll={text})\n" for at, text in enumerate(good))
        seen = run(calls, PRELUDE + functions)
        assert seen is not None
        for known, fault in wrong(PRELUDE + functions + calls, names, seen["·seen"]):
            assert fault is None, f"{fault}: {good[int(fault.split(':')[0])]}"
            told.append(known)
    assert sum(told) >= KNOWN * len(told)
