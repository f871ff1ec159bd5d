"""Comparisons and operators of objects, containers, classes and large numbers give what Python gives."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from cudnnlint.core.fact import Fact, Known
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

PRELUDE = '''
import enum

class Box:
    def __init__(self, *items): self.items = items
    def __contains__(self, item): return item in self.items
    def __lt__(self, other): return len(self.items) < len(other.items)
    def __eq__(self, other): return len(self.items) == len(other.items)
    def __add__(self, other): return 7
    def __rsub__(self, other): return 9
    def __neg__(self): return 11

class Plain:
    pass

class Unlike:
    def __ne__(self, other): return False

class Greater:
    def __gt__(self, other): return True
    def __ge__(self, other): return False

class Odd:
    def __eq__(self, other): return "equal"
    def __lt__(self, other): return "less"

class Asks:
    def __eq__(self, other): return NotImplemented

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

one, other = Plain(), Plain()
items = [1, 2]
again = items
'''
#: Computed to the end.
KNOWN = """
1 in [1, 2] ; 3 in [1, 2] ; 3 not in [1, 2] ; 1 not in [1, 2] ; "a" in "abc" ; "d" not in "abc" ; 2 in {1: 2}
1 in Box(1, 2) ; 3 in Box(1, 2) ; 3 not in Box(1, 2) ; 1 not in Box(1, 2)
Box(1) == Box(2) ; Box(1) == Box(2, 3) ; Box(1) != Box(2) ; Box(1) != Box(2, 3) ; Box(1) < Box(2, 3) ; Box(1) > Box(2)
Box(1) + 3 ; 3 - Box(1) ; -Box(1)
Unlike() != 1 ; 1 != Unlike() ; Unlike() != Unlike() ; 1 < Greater() ; 1 <= Greater() ; Greater() > 1 ; Greater() >= 1
1 < 2 < 3 ; 1 < 2 < 2 ; 2 < 1 < 3 ; 1 < 3 > 2 ; 1 == 1 != 2 ; 1 < 2 < 3 < 3 ; 3 > 2 > 2
one is one ; one is other ; one is not other ; one == other ; one == one ; one != other ; one != one
items is None
items is again ; items is [1, 2] ; items is not [1, 2] ; items == [1, 2] ; items != [1, 2] ; items != None
[1, 2] == [1, 3] ; [1, 2] != [1, 3] ; [1, [2, (3,)]] == [1, [2, (3,)]] ; [1, 2] == (1, 2) ; [1, 2] != (1, 2)
[1, 2] < [1, 3] ; [1, 3] <= [1, 2] ; (1, 2) > (1,) ; [1, 2] >= [1, 2] ; () == () ; [] == () ; (1,) is None
{1, 2} is {1, 2} | {1, 2} is not {1, 2} | {1, 2} == {2, 1} | {1, 2} == [1, 2] ; {1, 2} <= {1, 2, 3} | {1, 2} < {1, 2}
{1: 2} == {1: 2} | {1: 2} == {1: 3} | {1: 2} != {1: 3} | {1: 2, 3: 4} == {3: 4, 1: 2} | {1: [2]} == {1: (2,)}
{1: 2} == [1] ; ({1: 2} | {1: 4})[1] ; ({1: 2} | {3: 4})[3]
Color.RED is Color.RED ; Color.RED is Color.BLUE ; Color.RED == Color.RED ; Color.RED == Color.BLUE
Color.RED != Color.BLUE ; Level.LOW == 1 ; Level.LOW < Level.HIGH ; Level.LOW + 1 ; Level.LOW is Level.LOW
None is None ; None is not None ; None == None ; one is None ; one is not None ; 1 is None ; 1 is not None
len is len ; len == len ; type(1) is int ; type(1) is not int ; Plain is Plain ; Plain is Box ; Plain is not Box
1 == "1" ; 1 != "1" ; 1 is 1.0 ; True is True ; True is not False ; 1.0 == 1 ; True == 1
2 ** 10 ; 2 ** 64 ; 2 ** -64 ; 1000000 ** 2 ; (-1000000) ** 2 ; 2 ** 0.5 ; -2 ** 2 ; 1 << 64 ; (-8) // 3 ; (-8) % 3
"ab" * 3 ; 3 * "ab" ; b"ab" * 3 ; 3 * b"ab" ; "ab" * 0 ; 10 ** 18 * 10 ; 10 * 10 ** 18 ; 2.5 * 2
7.5 // 2 ; 7 // 2.5
[1] * 3 == [1, 1, 1] ; 3 * [1] == [1, 1, 1] ; (1, 2) * 2 ; [1, 2] * 0 == [] ; [] * 3 == []
[1] + [2] + [3] == [1, 2, 3]
(1,) + (2, 3) ; "%s-%s" % (1, 2) ; "%d" % 3 ; "%s" % "a" ; "%s" % ("a",) ; not 0 ; not 1 ; not [] ; not [1] ; not one
"""
#: Not computed to the end: too large, or the objects decide.
OPEN = """
2 ** 65 ; 1 << 65 ; 1000001 ** 2 ; (-1000001) ** 2 ; 2 ** -65 ; (10 ** 18 + 1) * 2 ; 2 * (10 ** 18 + 1)
2 * -(10 ** 18 + 1)
Odd() == 1 ; 1 == Odd() ; Odd() < 1 ; 1 > Odd() ; Odd() != 1 ; Asks() == 1 ; Asks() == Asks() ; Asks() != Asks()
"a" * 1000001 ; "%1000001d" % 1 ; "%1000001d" % (1,)
"""


def expressions(text: str) -> list[str]:
    """The expressions of a table."""
    return [one for line in text.strip().splitlines() for one in line.split(" ; ")]


def facts(texts: list[str], names: Names) -> dict[str, Fact]:
    """What each expression is known to be."""
    calls = "".join(f"LSTM({at}, unroll=({text}))\n" for at, text in enumerate(texts))
    layers = read("program.py", f"from keras.layers import LSTM\n{PRELUDE}{calls}".encode(), names).layers
    found = {layer.variants[0].arguments["units"].value: layer.variants[0].arguments["unroll"] for layer in layers}
    return {text: found[at] for at, text in enumerate(texts)}


@pytest.fixture(scope="module")
def python() -> dict[str, Any]:
    """The names of the prelude, as Python has them."""
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    return names


def test_what_is_computed_is_what_python_computes(names: Names, python: dict[str, Any]) -> None:
    texts = expressions(KNOWN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `1 is 1.0`
        wanted = {text: eval(text, python) for text in texts}
    found = {text: fact.value if isinstance(fact, Known) else fact for text, fact in facts(texts, names).items()}
    assert {text: one for text, one in found.items() if (type(one), one) != (type(wanted[text]), wanted[text])} == {}


def test_what_the_objects_decide_or_is_too_large_stays_open(names: Names) -> None:
    assert {text: fact for text, fact in facts(expressions(OPEN), names).items() if isinstance(fact, Known)} == {}
