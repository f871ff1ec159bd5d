"""Draws programs from grammar.toml: `Draw(seed).program()` is one without a layer, after what prelude.py defines."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
PRELUDE = (HERE / "prelude.py").read_text(encoding="utf-8")
GRAMMAR: dict[str, Any] = tomllib.loads((HERE / "grammar.toml").read_text(encoding="utf-8"))
VARIABLES = {"v": ("v0", "v1", "v2", "v3"), "w": ("w0", "w1"), "m": ("m0", "m1")}
#: What is looked at in the end.
RESULTS = (
    *VARIABLES["v"], "len(w0)", "len(w1)", "sum(w0)", "m0.get('k')", "m1.get('a')", "o.n", "o.flag",
    "w1[0] if w1 else None",
)  # fmt: skip
_PLACE = re.compile(r"<(\w+)>")


class Draw:
    """One stream of programs."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.leaves, self.grown = GRAMMAR["expression"]["leaf"], GRAMMAR["expression"]["grown"]
        self.statements = GRAMMAR["statement"]

    def program(self) -> str:
        """Two functions, then some statements."""
        lines: list[str] = []
        for name in ("h0", "h1"):
            lines += [f"def {name}(x, y={self.chance.randint(0, 3)}):", *self._head()]
            lines += self._statement(1, 1, in_function=True) + self._statement(1, 1, in_function=True)
            lines.append(f"    return {self.chance.choice(('v0', 'v1', 'x', 'len(w1)'))}")
        for _ in range(self.chance.randint(4, 9)):
            lines += self._statement(2, 0)
        return "\n".join(lines) + "\n"

    def expression(self, kind: str, depth: int) -> str:
        """One expression of a kind; its depth is at most that."""
        if depth <= 0 or self.chance.random() < 0.4:
            return str(self.chance.choice(self.leaves[kind]))
        return _PLACE.sub(lambda place: self.expression(place[1], depth - 1), self.chance.choice(self.grown[kind]))

    def _head(self) -> list[str]:
        """A function's own variables, or some of the module's."""
        if self.chance.random() < 0.4:
            return ["    global v0, w0", "    v1 = v2 = v3 = x", "    w1 = []", "    m0 = {}; m1 = {}"]
        return ["    v0, v1, v2, v3 = x, y, 1, 2", "    w0, w1 = [], [x]", "    m0, m1 = {'k': x}, {}"]

    def _statement(self, depth: int, indent: int, in_loop: bool = False, in_function: bool = False) -> list[str]:
        simple = [*self.statements["simple"]]
        simple += self.statements["in_loop"] * 3 if in_loop else []
        simple += self.statements["in_function"] * 3 if in_function else []
        if depth <= 0 or self.chance.random() < 0.5:
            return [self._line(line, indent, depth) for line in self.chance.choice(simple)]
        found: list[str] = []
        for line in self.chance.choice(self.statements["block"]):
            inner = indent + (len(line) - len(line.lstrip())) // 4
            if line.strip() in ("<block>", "<turn>", "<plain>"):
                plain, loop = line.strip() == "<plain>", in_loop or line.strip() == "<turn>"
                for _ in range(self.chance.randint(1, 3)):
                    function = in_function and not plain
                    found += self._statement(0 if plain else depth - 1, inner + 1, loop and not plain, function)
            else:
                found.append(self._line(line, indent, depth))
        return found

    def _line(self, line: str, indent: int, depth: int) -> str:
        def fill(place: re.Match[str]) -> str:
            kind = place[1]
            if kind in VARIABLES:
                return self.chance.choice(VARIABLES[kind])
            if kind in ("stop", "error"):
                return str(self.chance.choice(self.statements[kind]))
            if kind in ("count", "depth"):
                return str(self.chance.randint(0, 4) if kind == "count" else indent)
            return self.expression(kind, self.chance.randint(0, 2))

        return "    " * indent + _PLACE.sub(fill, line)
