"""Composes programs from the pieces in this folder: `Draw(seed).program()`.

`values.txt` computes a value `V` in one of the ways of Python, `makers.txt` constructs layers with it, in
`disturbances.txt` something that is not followed (or an unusual way to write) changes `cfg`, `xs`, `rate` or `holder`,
and `frames.txt` is what a section runs in. `edges.txt` computes a `V` that was once told otherwise than Python has it,
or that rests on something unknown (`same(x)` is x, but that is not seen): it need not be known, but not be wrong.
`<int>`, `<text>` ... are drawn; `<tag>` is the name of a layer, by which it is found again. The pieces are what
people write, whether the interpreter follows them or not.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

import openings

HERE = Path(__file__).parent
PRELUDE = (HERE / "prelude.py").read_text(encoding="utf-8")


def pieces(name: str) -> list[str]:
    """Return the pieces of one file."""
    return (HERE / f"{name}.txt").read_text(encoding="utf-8").strip("\n").split("\n---\n")


VALUES, MAKERS, DISTURBANCES, FRAMES, EDGES = map(pieces, ("values", "makers", "disturbances", "frames", "edges"))
#: What shows a value, and whether it is true.
TRUTHS = """LSTM(2, <tag>, unroll=V)
LSTM(3, <tag>, use_bias=True if V else False)
if V:
    GRU(4, <tag>)
else:
    SimpleRNN(5, <tag>)"""
#: What shows whether a disturbance was noticed.
PROBES = (
    "LSTM(1, <tag>, unroll=cfg.get('unroll'))",
    "LSTM(1, <tag>, unroll=xs[0] if xs else None)",
    "LSTM(1, <tag>, unroll=rate)",
    "LSTM(1, <tag>, unroll=holder.unroll)",
    "GRU(1, <tag>, **cfg)",
)
_PLACE = re.compile(r"<(\w+)>")


@dataclass
class Program:
    """A program, the pieces that it is made of, and the tags that a disturbance may concern."""

    text: str
    parts: list[str]
    disturbed: set[str] = field(default_factory=set)
    tags: dict[str, str] = field(default_factory=dict)


class Draw:
    """One stream of programs."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.tags = 0

    def program(self, most: int = 3) -> Program:
        """Some sections, one after another in one module."""
        found = Program("", [])
        for _ in range(self.chance.randint(1, most)):
            found.text += self._section(found)
        return found

    def of(self, piece: str, kind: str) -> Program:
        """A program of one piece in the simplest surroundings: as a disturbance, an edge, a value or a maker."""
        found = Program("", [piece])
        if kind in ("disturbances", "edges"):
            shown = PROBES if kind == "disturbances" else (TRUTHS,)
            found.text = self._filled("\n".join([piece, *shown]), found, piece, True)
        else:
            value, maker = (piece, MAKERS[0]) if kind == "values" else ("V = <int>", piece)
            found.text = self._filled(f"{value}\n{maker}", found, piece, False)
        return found

    def opened(self) -> Program:
        """A program of a value with one expression, any one, hidden in `same(...)`."""
        while True:
            piece = self.chance.choice(VALUES)
            found = Program("", [piece])
            text = openings.opened(self._filled(f"{piece}\n{TRUTHS}", found, piece, True), self.chance)
            if text is not None:
                found.text = text
                return found

    def _section(self, found: Program) -> str:
        drawn = self.chance.random()
        disturbs = drawn < 0.45
        if drawn < 0.1:
            parts = [self.chance.choice(EDGES)]
            body = "\n".join([*parts, TRUTHS])
        elif disturbs:
            piece = self.chance.choice(DISTURBANCES)
            parts, body = [piece], "\n".join([piece, *self.chance.sample(PROBES, 3)])
        else:
            parts = [self.chance.choice(VALUES), self.chance.choice(MAKERS)]
            body = "\n".join(parts)
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            frame = self.chance.choice(FRAMES)
            parts.append(frame)
            body = _framed(frame, body)
        found.parts += parts
        return self._filled(body, found, "\n---\n".join(parts), disturbs) + "\n"

    def _filled(self, text: str, found: Program, origin: str, disturbs: bool) -> str:
        def fill(place: re.Match[str]) -> str:
            kind = place[1]
            if kind in ("tag", "name"):
                self.tags += 1
                tag = f"k{self.tags}"
                found.tags[tag] = origin
                if disturbs:
                    found.disturbed.add(tag)
                return f"name='{tag}'" if kind == "tag" else f"'{tag}'"
            return _LITERALS[kind](self.chance) if kind in _LITERALS else place[0]

        return _PLACE.sub(fill, text)


_LITERALS = {
    "int": lambda chance: str(chance.randint(2, 40)),
    "other": lambda chance: str(chance.randint(41, 60)),
    "small": lambda chance: str(chance.randint(2, 4)),
    "float": lambda chance: str(chance.choice((0.25, 0.5, 1.5, 2.75))),
    "bool": lambda chance: str(chance.choice((True, False))),
    "text": lambda chance: repr(chance.choice(("tanh", "relu", "sigmoid", "x"))),
}


def _framed(frame: str, body: str) -> str:
    """Put a body into a frame, at its indentation."""

    def put(place: re.Match[str]) -> str:
        return "\n".join(place[1] + line if line else line for line in body.splitlines())

    return re.sub(r"^( *)<body>$", put, frame, flags=re.MULTILINE)
