"""What a program computes is bounded: a hostile line costs one value, not time or memory."""

from __future__ import annotations

from textwrap import indent

import pytest

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Known, Opaque, Unknown
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read
from cudnnlint.frontends.source.keras import waiting_models
from cudnnlint.frontends.source.python import entry_points

#: Lines that Python itself would compute for hours, or in more memory than there is, and give `x`.
TOO_LARGE = {
    "a wide format": 'x = "%1000000000d" % 1',
    "a wide field": 'x = "{:1000000000}".format(1)',
    "a width that is passed": 'x = "{:{}}".format(1, 10**9)',
    "a long text": 'x = "a" * 10**9',
    "a padded text": 'x = "a".ljust(10**10)',
    "a power": "x = 10**10**8",
    "a factorial": "import math\nx = math.factorial(10**9)",
    "an exponent": 'from fractions import Fraction\nx = Fraction("1e999999999")',
    "a decimal": 'from decimal import Decimal\nx = int(Decimal("1e999999"))',
    "a fraction": "from fractions import Fraction\nx = Fraction(3, 7)\nfor _ in range(60):\n    x = x * x",
    "a slow search": 'import re\nx = re.match("(a+)+$", "a" * 40 + "b")',
    "nested brackets": 'import json\nx = json.loads("[" * 5000)',
    "a list that doubles": "x = [1]\nfor _ in range(60):\n    x = x + x",
    "a list that is extended by itself": "x = [1]\nfor _ in range(60):\n    x.extend(x)",
    "a tuple that holds itself twice": "x = (1,)\nfor _ in range(60):\n    x = (x, x)\ny = str(x)\nz = x == (1,)",
}


@pytest.mark.parametrize("text", TOO_LARGE.values(), ids=TOO_LARGE)
def test_what_would_be_too_large_is_not_computed(text: str, names: Names) -> None:
    program = f"from keras.layers import LSTM\n{text}\nLSTM(1, unroll=x)\n"
    (layer,) = read("p.py", program.encode(), names).layers
    found = layer.variants[0].arguments["unroll"]
    assert isinstance(found, Unknown) or (isinstance(found, Known) and isinstance(found.value, Opaque))


def test_functions_that_are_defaults_of_one_another_are_not_unrolled(names: Names) -> None:
    """Each may be one of several in the default of the next: comparing all of them to the end took for ever."""
    once = "def f(x=f):\n    return x\n"
    for _ in range(6):
        once = "for x, y in zip(range(3), a):\n" + indent(once, "    ")
    body = indent(once * 16 + "LSTM(1)\n", "    ")
    program = f"from keras.layers import LSTM\nimport sys\ndef g(a, f):\n{body}g(sys.argv, 1)\n"
    assert read("p.py", program.encode(), names).path == "p.py"


def test_as_many_brackets_are_read_as_python_reads(names: Names) -> None:
    def program(depth: int) -> bytes:
        return f"from keras.layers import LSTM\nx = {'[' * depth}{']' * depth}\nLSTM(1)\n".encode()

    assert len(read("p.py", program(200), names).layers) == 1
    with pytest.raises(UnreadableInput, match="more than 200 deep"):
        read("p.py", program(201), names)


def test_many_ways_to_one_construction_are_reported_together(names: Names) -> None:
    calls = "".join(f"def f{n}(): return f{n - 1}() + f{n - 1}()\n" for n in range(1, 12))
    program = f"from keras.layers import LSTM\ndef f0(): return [LSTM(3)]\n{calls}f11()\n"
    assert 200 < len(read("p.py", program.encode(), names).layers) < 300


@pytest.mark.parametrize("call", ['int(np.from_dlpack("x"))', 'str(np.from_dlpack("x"))'])
def test_a_conversion_of_something_unknown_says_what_is_unknown(call: str, names: Names) -> None:
    program = f"import numpy as np\nfrom keras.layers import LSTM\nLSTM(1, unroll={call})\n"
    found = read("p.py", program.encode(), names).layers[0].variants[0].arguments["unroll"]
    assert isinstance(found, Unknown)
    why = 'a value that is the result of `np.from_dlpack("x")`, which is not followed'
    assert found.because == f"`{call}` is computed from {why}"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{'a': [", "]}"), ("f(", ")")])
def test_much_that_is_deep_inside_brackets_is_not_parsed(opening: str, closing: str, names: Names) -> None:
    """libcst copies what is inside brackets for each bracket around it: this took 20 seconds."""
    count = 90 // sum(map(opening.count, "([{"))
    row = f"x = {opening * count}{'[1, 2], ' * 4000}{closing * count}\n"
    with pytest.raises(UnreadableInput, match="too much that is more than 20 brackets deep"):
        read("p.py", f"from keras.layers import LSTM\nLSTM(1)\n{row}".encode(), names)


def test_much_that_is_not_deep_is_parsed(names: Names) -> None:
    rows = "x = [" + "[1, [2, 3]], " * 400 + "]\n"
    assert len(read("p.py", f"from keras.layers import LSTM\nLSTM(1)\n{rows}".encode(), names).layers) == 1


#: Functions that call themselves, by what they do with the count `n`, and how many layers of `f(N)` are listed.
RECURSIONS = {
    "to its end": ("    if n:\n        f(n - 1)\n", 20, 21, False),
    "deeper than is followed": ("    if n:\n        f(n - 1)\n", 60, 40, True),
    "without end": ("    f(n + 1)\n    f(n + 2)\n    f(n + 3)\n", 0, 40, True),
    "two ways, to their end": ("    if n:\n        f(n - 1), f(n - 1)\n", 4, 31, False),
}


@pytest.mark.parametrize(("body", "count", "layers", "said"), RECURSIONS.values(), ids=RECURSIONS)
def test_a_recursion_is_followed_or_said_not_to_be(
    body: str, count: int, layers: int, said: bool, names: Names
) -> None:
    """One without end is followed down once, not in all its combinations, and no layer is lost in silence."""
    program = f"from keras.layers import LSTM\ndef f(n):\n    LSTM(4)\n{body}f({count})\n"
    model = read("p.py", program.encode(), names)
    assert (len(model.layers), model.cuts == (entry_points.TOO_DEEP,)) == (layers, said)


def test_a_recursion_without_a_layer_is_cut_in_silence(names: Names) -> None:
    program = "from keras.layers import LSTM\ndef f(n):\n    return f(n + 1)\nLSTM(f(0))\n"
    model = read("p.py", program.encode(), names)
    assert (len(model.layers), model.cuts) == (1, ())


def test_models_that_construct_models_without_end_are_said_not_to_be_run(names: Names) -> None:
    program = (
        "import keras\nclass Again(keras.layers.Layer):\n    def call(self, x):\n"
        "        keras.Sequential([keras.layers.LSTM(4), Again()])\n        return x\nkeras.Sequential([Again()])\n"
    )
    assert waiting_models.NOT_RUN in read("p.py", program.encode(), names).cuts
