"""Places by the statement around a node are those by writing out the whole module."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from cudnnlint.frontends.source.syntax import spans
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.parsing import parse
from cudnnlint.frontends.source.syntax.places import Places
from cudnnlint.frontends.source.syntax.unit import Unit

HERE = Path(__file__).parent
TEXTS = [
    "x = f(1)\n",
    "x = f(1)",
    "x = f(1); y = f(1); x = f(1)\n",
    "x = f(1)\nx = f(1)\nif x:\n    x = f(1)\nelif f(1):\n    x = f(1)\nelse: x = f(1)\n",
    "def a():\n\tx = f(1)\n\n\tdef b():\n\t    y = f(2)\n\t    return y\n\treturn x\n",
    "# said\n\nclass A:\n    # said\n\n    x = f(1)  # said\n\n    # more\n    @f(2)\n    def b(self): return f(1)\n",
    "max = f(1)\nx = f(1)\n",
    "x = f(1)\nx = f(1)\nx = f(1)\ny = f(1)\nx = f(1)\nx = f(1)\n",
    "def a():\n    x = f(1)\n    y = 1\n\n\ndef b():\n    x = f(1)\n    # said\n    z = 2\n",
    "def a():\n    x = f(1)\n\ndef a():\n    x = f(1)\n",
    "s = '''\nx = f(1)\n'''\nx = f(1)\n",
    "x = f(1)\r\nif x:\r\n    y = f(\r\n        2)\r\n",
    "x = f(1)\n\n\f\n\nx = f(1)\n",
    "x = f(1)\n\\\ny = f(1)\nx = f(1)\n",
    "try:\n    x = f(1)\nexcept f(2) as e:\n    x = f(3)\nfinally:\n    x = f(4)\nwith f(5) as g, f(6):\n    pass\n",
    "match f(1):\n    case [1, x]:\n        y = f(x)\n    case _:\n        y = f(x)\n",
    "é = f('ü')\nx = f'{f(1)} {é!r}'\n",
    "for x in f(1):\n  y = f(x)\nelse:\n        y = f(2)\n",
    "",
]


def same(text: str) -> int:
    """Hold the places of all nodes of a text against those of the whole module; return how many there are."""
    unit = Unit("program", "program.py", text, parse(text))
    places, whole = Places(unit), spans.spans(unit.tree, text)
    nodes = [node for node in walk(unit.tree) if node is not unit.tree]
    rows = StringIO(text, newline="").readlines()
    for node in nodes:
        found = places.of(node)
        start, end = (
            sum(map(len, rows[: row - 1])) + column - 1
            for row, column in ((found.row, found.column), (found.end_row, found.end_column))
        )
        assert (start, end) == whole(node), text[start:end]
    return len(nodes)


@pytest.mark.parametrize("text", TEXTS)
def test_every_node_is_where_the_whole_module_has_it(text: str) -> None:
    assert same(text) or not text


@pytest.mark.parametrize("path", sorted((HERE / "programs").glob("*.py"))[::7], ids=lambda path: path.name)
def test_every_node_of_a_program_is_where_the_whole_module_has_it(path: Path) -> None:
    assert same(path.read_text(encoding="utf-8")) > 10


def test_a_statement_that_is_there_once_is_written_out_alone() -> None:
    unit = Unit("program", "program.py", TEXTS[5], parse(TEXTS[5]))
    places = Places(unit)
    [call] = [node for node in walk(unit.tree) if unit.text_of(node) == "x = f(1)"]
    assert places.of(call).row == 6
    assert len(places.written) == 1


def test_a_statement_that_is_there_twice_is_written_out_with_its_neighbours() -> None:
    text = "def a():\n    w = 1\n    x = f(1)\n    y = 2\n\ndef b():\n    w = 1\n    x = f(1)\n    z = 3\n"
    unit = Unit("program", "program.py", text, parse(text))
    places = Places(unit)
    calls = [node for node in walk(unit.tree) if unit.text_of(node) == "f(1)"]
    assert sorted(places.of(call).row for call in calls) == [3, 8]
    assert len(places.written) == 2  # and not the functions
