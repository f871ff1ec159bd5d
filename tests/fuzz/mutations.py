"""Changed inputs: bytes, text, program tokens and JSON values, each change drawn from a seeded generator."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

LARGEST = 200_000
NUMBERS = ["0", "-1", "1e999", "9" * 40, "9" * 5000, "0x" + "f" * 300, "1_0", "1j", "2**64", "-(2**63)", "0.1", "True"]
STRANGE: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 10**40, 1e308, float("inf"), float("nan"), "", "x", "\ud800", "\0", "é\u202e",
    "a/b", "../../etc/passwd", "file:///etc/passwd", "LSTM", "Bidirectional", "Sequential", "Functional",
    "__lambda__", "os.system", "builtins", [], {}, [[]], [[1, 2], {}], {"class_name": "LSTM", "config": {}},
    {"class_name": 3}, {"module": "os", "class_name": "system", "config": {"command": "true"}},
    {"class_name": "__tuple__", "items": None}, {"class_name": "__lambda__", "value": "4wE="},
    {"class_name": "Lambda", "config": {"function": ["4wE=", None, None]}}, ["a", 0, 0, {}], "keras.layers", "tanh",
]  # fmt: skip
PIECES = [
    "(", ")", "[", "]", "{", "}", ":", ",", "=", "*", "**", ".", "@", ";", "\n", "\t", "    ", "\\\n",
    "lambda: ", "yield ",
    "await ", "async ", "def f(): ", "class A(A): ", "import os; os.system('true')", "from . import *\n",
    "del ", "global x\n",
    "f'{", "'''", '"', "#", "\0", "\ufeff", "\u2028", "LSTM(", "Bidirectional(", "RNN(", "for x in x: ", "while True: ",
    "x = x + x\n", "*x, *x = x\n", "x[x] = x\n", "self.", "super().", "if x:\n  ", "else:\n  ", "try:\n ",
    "with x as x: ",
    "return ", "%%bash\n", "!rm x\n", "# noqa: CDN", "# cudnnlint: ", "match x:\n case ", "eval('1')", "range(10**9)",
    "[0] * 10**9", "'x' * 10**10", "10 ** 10 ** 10", "1 << 10 ** 9", "layers.", "keras.", "units=", "globals()['x']",
]  # fmt: skip
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


def flipped(data: bytes, draw: Random) -> bytes:
    """Bytes with some of them changed, removed, repeated or moved."""
    found = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 4, 16])):
        if not found:
            break
        at = draw.randrange(len(found))
        size = draw.choice([1, 1, 2, 4, 8, 64, 512])
        way = draw.randrange(8)
        if way == 0:
            found[at] = draw.randrange(256)
        elif way == 1:
            found[at] ^= 1 << draw.randrange(8)
        elif way == 2:
            found[at : at + size] = draw.randbytes(size)
        elif way == 3:
            del found[at : at + size]
        elif way == 4:
            found[at:at] = found[at : at + size]
        elif way == 5:
            other = draw.randrange(len(found))
            found[at : at + size] = found[other : other + size]
        elif way == 6:
            width = draw.choice([1, 2, 4, 8])
            found[at : at + width] = draw.choice([b"\xff", b"\0", b"\x7f", b"\x80"]) * width
        else:
            del found[at if draw.random() < 0.2 else len(found) - min(size, len(found)) :]
    return bytes(found[:LARGEST])


def rewritten(text: str, other: str, draw: Random) -> str:
    """A text with tokens removed, repeated, swapped, nested, or taken from another text."""
    tokens = _TOKEN.findall(text)
    for _ in range(draw.choice([1, 1, 2, 3, 6])):
        if not tokens:
            break
        at, to = draw.randrange(len(tokens)), draw.randrange(len(tokens))
        way = draw.randrange(10)
        if way == 0:
            del tokens[at : at + draw.choice([1, 1, 3, 20])]
        elif way == 1:
            tokens[at], tokens[to] = tokens[to], tokens[at]
        elif way == 2:
            tokens[at:at] = tokens[to : to + draw.choice([1, 5, 40])]
        elif way == 3:
            tokens[at] = tokens[to]
        elif way == 4:
            tokens.insert(at, draw.choice(PIECES))
        elif way == 5:
            tokens[at] = draw.choice(NUMBERS)
        elif way == 6:
            deep = draw.choice([2, 10, 50, 300])
            opening, closing = draw.choice(
                [("(", ")"), ("[", "]"), ("-", ""), ("lambda: ", ""), ("f(", ")"), ("not ", "")]
            )
            tokens[at] = opening * deep + tokens[at] + closing * deep
        elif way == 7:
            lines = "".join(tokens).splitlines(keepends=True)
            del lines[draw.randrange(len(lines)) :][: draw.choice([1, 3])]
            first = draw.randrange(len(lines) or 1)
            lines[first:first] = lines[draw.randrange(len(lines) or 1) :][: draw.choice([1, 2, 10])]
            tokens = _TOKEN.findall("".join(lines))
        elif way == 8:
            theirs = other.splitlines(keepends=True)
            first = draw.randrange(len(theirs) or 1)
            tokens[at:at] = theirs[first : first + draw.choice([1, 3, 12])]
        else:
            names = [token for token in tokens if token.isidentifier()] or ["x"]
            old, new = draw.choice(names), draw.choice(names)
            tokens = [new if token == old and draw.random() < 0.7 else token for token in tokens]
    return "".join(tokens)[:LARGEST]


def place(found: Any, draw: Random) -> tuple[Any, Any] | None:
    """Some (container, key) in a JSON value, on a way down that is drawn."""
    way: list[tuple[Any, Any]] = []
    while isinstance(found, (dict, list)) and found:
        key = draw.choice(list(found)) if isinstance(found, dict) else draw.randrange(len(found))
        way.append((found, key))
        found = found[key]
    return draw.choice(way) if way else None


def reshaped(found: Any, draw: Random) -> Any:
    """A JSON value with places replaced, removed, copied over one another, renamed or nested; `found` is changed."""
    repeated = False
    for _ in range(draw.choice([1, 1, 2, 3, 8])):
        chosen, another = place(found, draw), place(found, draw)
        if chosen is None or another is None:
            return draw.choice(STRANGE)
        (container, key), (other, at) = chosen, another
        way = draw.randrange(7)
        if way <= 1:
            container[key] = _copy(draw.choice(STRANGE))
        elif way == 2:
            del container[key]
        elif way == 3:
            container[key] = _copy(other[at])
        elif way == 4 and isinstance(container, dict):
            container[draw.choice([str(at), "class_name", "config", "layers", "x"])] = container.pop(key)
        elif way == 5:
            inner = container[key]
            for _ in range(draw.choice([1, 3, 30, 200])):
                inner = [inner] if draw.random() < 0.5 else {draw.choice(["config", "layer", "cell"]): inner}
            container[key] = inner
        elif isinstance(container, list) and not repeated:
            container[:] = (container * draw.choice([2, 2, 20]))[:2000]
            repeated = True  # repeated again, inside itself, it fills the memory
        else:
            container[key] = [container[key]]
    return found


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def as_json(value: Any) -> bytes:
    """JSON, as Python writes it: NaN and lone surrogates included."""
    return json.dumps(value).encode()
