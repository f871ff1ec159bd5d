"""Comparisons and operators of objects, containers, classes and large numbers give what Python gives."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from cudnnlint.core.fact import Fact, Known, Unknown
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

PRELUDE = '''
import collections
import dataclasses
import enum
import os
import sys
import uuid

class Box:
    def __init__(self, *items): self.items = items
    def __contains__(self, item): return item in self.items
    def __lt__(self, other): return len(self.items) < len(other.items)
    def __eq__(self, other): return len(self.items) == len(other.items)
    def __add__(self, other): return 7
    def __rsub__(self, other): return 9
    def __neg__(self): return 11

class Signs:
    def __sub__(self, other): return "-", other
    def __mul__(self, other): return "*", other
    def __truediv__(self, other): return "/", other
    def __floordiv__(self, other): return "//", other
    def __mod__(self, other): return "%", other
    def __pow__(self, other): return "**", other
    def __matmul__(self, other): return "@", other
    def __xor__(self, other): return "^", other
    def __or__(self, other): return "|", other
    def __and__(self, other): return "&", other
    def __rshift__(self, other): return ">>", other
    def __lshift__(self, other): return "<<", other
    def __pos__(self): return "+"
    def __invert__(self): return "~"

class Merged(dict):
    def __or__(self, other): return "merged"

class Behind:
    def __rpow__(self, other): return "power", other

class Before:
    def __sub__(self, other): return "before"

class After:
    def __rsub__(self, other): return "after"

class Heir(Before):
    def __rsub__(self, other): return "heir"

class Shy(Before):
    def __rsub__(self, other): return NotImplemented

class Grows:
    def __iadd__(self, other): return "grown", other
    def __add__(self, other): return "added", other

class Both:
    def __le__(self, other): return "<=" == other
    def __ge__(self, other): return ">=" == other

def grown(value, more):
    value += more
    return value

def quotient(left, right):
    try:
        return left / right
    except KeyError:
        return "no key"
    except ZeroDivisionError:
        return "no quotient"

def rounded(left, right):
    try:
        return left // right
    except KeyError:
        return "no key"
    except ZeroDivisionError:
        return "no quotient"

def rest(left, right):
    try:
        return left % right
    except KeyError:
        return "no key"
    except ZeroDivisionError:
        return "no rest"

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

class Same:
    def __eq__(self, other): return isinstance(other, str) and other == "same"

class Words(collections.UserList):
    pass

@dataclasses.dataclass
class Row:
    cell: object

Pair = collections.namedtuple("Pair", "left right")
same = Same()
bag = {3, 4}
given = os.environ.get("NOBODY_SETS_THIS", "")
circle, other_circle, ring, other_ring = {}, {}, [], []
circle[1], other_circle[1] = circle, other_circle
ring.append(ring)
other_ring.append(other_ring)
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
Signs() - 1 ; Signs() * 2 ; Signs() / 3 ; Signs() // 4 ; Signs() % 5 ; Signs() ** 6 ; Signs() @ 7 ; Signs() ^ 8
Signs() | 9 ; Signs() & 10 ; Signs() >> 11 ; Signs() << 12 ; +Signs() ; ~Signs()
Before() - After() ; 1 - After() ; Before() - Heir() ; Heir() - Before() ; Heir() - Heir() ; Before() - Shy()
Merged() | {1: 2} ; 2 ** Behind() ; grown(Grows(), 1) ; Grows() + 1 ; grown(Box(1), 1) ; grown(1, 2)
quotient(1, 0) ; quotient(1, 0.0) ; quotient(1, 2) ; rounded(1, 0) ; rounded(0, 1) ; rest(1, 0) ; rest(1.5, 0.0)
rest(4, 3) ; rest("%d", 0) ; rest(b"%d", 0) ; quotient(1, False)
Both() <= "<=" ; Both() <= ">=" ; Both() >= ">=" ; Both() >= "<=" ; "<=" >= Both() ; ">=" >= Both() ; ">=" <= Both()
Unlike() != 1 ; 1 != Unlike() ; Unlike() != Unlike() ; 1 < Greater() ; 1 <= Greater() ; Greater() > 1 ; Greater() >= 1
1 < 2 < 3 ; 1 < 2 < 2 ; 2 < 1 < 3 ; 1 < 3 > 2 ; 1 == 1 != 2 ; 1 < 2 < 3 < 3 ; 3 > 2 > 2
one is one ; one is other ; one is not other ; one == other ; one == one ; one != other ; one != one
items is None
items is again ; items is [1, 2] ; items is not [1, 2] ; items == [1, 2] ; items != [1, 2] ; items != None
[1, 2] == [1, 3] ; [1, 2] != [1, 3] ; [1, [2, (3,)]] == [1, [2, (3,)]] ; [1, 2] == (1, 2) ; [1, 2] != (1, 2)
[1, 2] < [1, 3] ; [1, 3] <= [1, 2] ; (1, 2) > (1,) ; [1, 2] >= [1, 2] ; () == () ; [] == () ; (1,) is None
{1, 2} is {1, 2} ; {1, 2} is not {1, 2} ; {1, 2} == {2, 1} ; {1, 2} == [1, 2] ; {1, 2} <= {1, 2, 3} ; {1, 2} < {1, 2}
{1: 2} == {1: 2} ; {1: 2} == {1: 3} ; {1: 2} != {1: 3} ; {1: 2, 3: 4} == {3: 4, 1: 2} ; {1: [2]} == {1: (2,)}
{1, 2} is bag ; bag is bag ; bag is not bag ; bag == {3, 4} ; [{1, 2}] == [{2, 1}] ; [1, 2] == [2, 1]
[[1, 2]] == [[2, 1]] ; Pair(1, 2) == (1, 2) ; Pair(1, 2) == (1, 3) ; collections.deque([1]) == [1] ; {} == set()
[{}] == [set()] ; [()] == [[]] ; object() == object() ; {one} == {other} ; {one} == {one}
same == "same" ; same == 1 ; "same" == same ; 1 == same
sys.byteorder == sys.byteorder ; sys.byteorder != sys.byteorder ; sys.byteorder is sys.byteorder
sys.version_info > (3,) ; (2, 7) < sys.version_info ; (3,) == sys.version_info
1 is 2 ; 1 is 1 ; "a" is "a" ; "a" is not "b" ; 1000 is 1001 ; 1.0 is 2.0 ; ... is ... ; 256 is not 256 ; -5 is -5
{1: 2} == [1] ; ({1: 2} | {1: 4})[1] ; ({1: 2} | {3: 4})[3]
Color.RED is Color.RED ; Color.RED is Color.BLUE ; Color.RED == Color.RED ; Color.RED == Color.BLUE
Color.RED != Color.BLUE ; Level.LOW == 1 ; Level.LOW < Level.HIGH ; Level.LOW + 1 ; Level.LOW is Level.LOW
None is None ; None is not None ; None == None ; one is None ; one is not None ; 1 is None ; 1 is not None
len is len ; len == len ; type(1) is int ; type(1) is not int ; Plain is Plain ; Plain is Box ; Plain is not Box
1 == "1" ; 1 != "1" ; 1 is 1.0 ; True is True ; True is not False ; 1.0 == 1 ; True == 1
2 ** 10 ; 2 ** 64 ; 2 ** -64 ; 1000000 ** 2 ; (-1000000) ** 2 ; 2 ** 0.5 ; -2 ** 2 ; 1 << 64 ; (-8) // 3 ; (-8) % 3
"ab" * 3 ; 3 * "ab" ; b"ab" * 3 ; 3 * b"ab" ; "ab" * 0 ; 10 ** 18 * 10 ; 10 * 10 ** 18 ; 2.5 * 2
7.5 // 2 ; 7 // 2.5 ; -(1.5) ; +(1.5) ; -(1.5 + 1) ; -(2j)
[1] * 3 == [1, 1, 1] ; 3 * [1] == [1, 1, 1] ; (1, 2) * 2 ; [1, 2] * 0 == [] ; [] * 3 == []
[1] + [2] + [3] == [1, 2, 3]
(1,) + (2, 3) ; "%s-%s" % (1, 2) ; "%d" % 3 ; "%s" % "a" ; "%s" % ("a",) ; not 0 ; not 1 ; not [] ; not [1] ; not one
"""
#: Not computed to the end: too large, or the objects decide.
OPEN = """
2 ** 65 ; 1 << 65 ; 1000001 ** 2 ; (-1000001) ** 2 ; 2 ** -65 ; (10 ** 18 + 1) * 2 ; 2 * (10 ** 18 + 1)
2 * -(10 ** 18 + 1)
Odd() == 1 ; 1 == Odd() ; Odd() < 1 ; 1 > Odd() ; Odd() != 1 ; Asks() == 1 ; Asks() == Asks() ; Asks() != Asks()
{same} == {same, 1} ; {1, *given} == {1} ; {1, *given} <= {1} ; [1, *given] < [2] ; [one, 1] < [1]
{1: one} == {1: other}
{given: 1} == {given + "a": 1} ; Row(given) == Row(given[:1]) ; Words([1]) == [1] ; [1] == Words([1])
Words([1]) == Words([1]) ; uuid.UUID(int=1) == uuid.UUID(int=1) ; circle == other_circle ; ring == other_ring
given == "" ; "" != given ; given == [1] ; [1] != given ; given is None ; given < [1]
sys.byteorder == "big" ; "big" != sys.byteorder ; sys.byteorder is None ; sys.byteorder == os.linesep
({1: 2} + {1: 3})[1] ; ({1: 2} & {1: 3})[1] ; ({1: 2} | [(1, 3)])[1] ; ~2.5 ; ~2j
1000 is 1000 ; 1.5 is 1.5 ; 257 is not 257 ; -6 is -6
collections.Counter("a") == collections.Counter("a") ; len({1: 2}.values() + [3]) ; len([3] + {1: 2}.values())
len({1: 2}.values() * 2)
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


@pytest.mark.parametrize(
    ("text", "known"),
    [("x is None", False), ("x is not None", True), ("x == None", None), ("x > 3", None), ("x is y", None),
     ("3 > x", None), ("not x", None), ("-x", None), ("LSTM is GRU", False),
     ("LSTM is not GRU", True), ("LSTM == GRU", False), ("LSTM is LSTM", True), ("LSTM is Input", None),
     ("LSTM is 3", False), ("LSTM is None", False)],
)  # fmt: skip
def test_a_tensor_or_class_is_there_and_its_numbers_are_not_known(text: str, known: bool | None, names: Names) -> None:
    head = "from keras import Input\nfrom keras.layers import GRU, LSTM\nx, y = Input((5,)), Input((5,))\n"
    program = f"{head}LSTM(1, unroll={text})"
    (layer,) = read("program.py", program.encode(), names).layers
    fact = layer.variants[0].arguments["unroll"]
    assert (fact.value if isinstance(fact, Known) and isinstance(fact.value, bool) else None) is known


def test_a_sign_before_a_value_that_is_not_known_keeps_the_reason(names: Names) -> None:
    program = "import sys\nfrom keras.layers import LSTM\nLSTM(len(sys.argv))\nLSTM(-len(sys.argv))\n"
    layers = read("program.py", program.encode(), names).layers
    plain, signed = (layer.variants[0].argument("units") for layer in layers)
    assert isinstance(plain, Unknown)
    assert isinstance(signed, Unknown)
    assert plain.because == signed.because


def test_what_the_objects_decide_or_is_too_large_stays_open(names: Names) -> None:
    assert {text: fact for text, fact in facts(expressions(OPEN), names).items() if isinstance(fact, Known)} == {}
