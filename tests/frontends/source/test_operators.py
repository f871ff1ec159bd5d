"""Every operator on plain values gives what Python gives."""

from __future__ import annotations

import itertools

import pytest

from cudnnlint.core.fact import Known, Unknown
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

NUMBERS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")
SETS = ("|", "&", "-", "^")
COMPARED = ("==", "!=", "<", "<=", ">", ">=")
UNARY = ("-", "+", "~", "not ")
BEGIN = "from keras.layers import LSTM\n"
#: No two of the operators agree on all of these pairs.
PAIRS = tuple(itertools.permutations((6, 3, 5), 2))
GROUPS = ("{1, 2, 3}", "{2, 3, 4}", "{5}", "{2, 3}")


def expressions() -> list[str]:
    """Expressions whose values are numbers or truth values."""
    found = [f"{left} {sign} {right}" for sign in (*NUMBERS, *COMPARED) for left, right in PAIRS]
    found += [f"{left} {sign} {right}" for sign in ("&", "|", "^") for left in (True, False) for right in (True, False)]
    pairs = list(itertools.permutations(GROUPS, 2))
    found += [f"sum({left} {sign} {right})" for sign in SETS for left, right in pairs]
    found += [f"{left} {sign} {right}" for sign in COMPARED for left, right in pairs]
    found += [f"{sign}{value}" for sign in UNARY for value in (6, 0, True)]
    return found


@pytest.mark.parametrize("sign", [*NUMBERS, *COMPARED, *UNARY, "of sets"])
def test_an_operator_gives_what_it_gives_in_python(sign: str, names: Names) -> None:
    texts = [text for text in expressions() if f" {sign} " in text or text.startswith(sign)]
    texts += [text for text in expressions() if sign == "of sets" and "{" in text]
    assert texts
    for text in texts:
        found = units(f"{BEGIN}LSTM({text})\n", names)
        open_order = isinstance(found, Unknown) and "{" in text and not {"<", ">"}.isdisjoint(text)  # not computed
        assert open_order or found == eval(text), text


@pytest.mark.parametrize("sign", NUMBERS)
def test_an_assignment_with_an_operator_gives_the_same(sign: str, names: Names) -> None:
    for left, right in PAIRS:
        program = f"{BEGIN}value = {left}\nvalue {sign}= {right}\nLSTM(value)\n"
        assert units(program, names) == eval(f"{left} {sign} {right}"), (left, right)


def units(program: str, names: Names) -> object:
    """The units of the program's layer."""
    (layer,) = read("program.py", program.encode(), names).layers
    fact = layer.variants[0].argument("units")
    return fact.value if isinstance(fact, Known) else fact
