"""The rooms of the source front end: which may import which, and that every module can be imported first."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import libcst as cst
import pytest
from own_code import HOUSE, nodes_of

from cudnnlint.dev import survey
from cudnnlint.dev.import_walk import AT_ONCE
from cudnnlint.frontends.source.python import entry_points
from cudnnlint.frontends.source.python.interpreter import Interpreter
from cudnnlint.frontends.source.python.library_model import LibraryModel
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.values import Const

PREFIX = "cudnnlint.frontends.source"
ROOM = Path(__file__).resolve().parents[3] / "cudnnlint" / "frontends" / "source"
#: Each room with those that it may import. A room stands behind all that it imports, so there is no cycle.
MAY_IMPORT = {
    "syntax": (),
    "python": ("syntax",),
    "stdlib": ("syntax", "python"),
    "keras": ("syntax", "python", "stdlib"),
    "context": ("syntax", "python", "stdlib", "keras"),
    "lower": ("syntax", "python", "keras", "context"),
    "project": ("syntax", "python", "lower"),
}
MODULES = sorted(path for path in ROOM.rglob("*.py") if path.parent != ROOM)
ONE_BY_ONE = """
import importlib, sys
names = sys.argv[1:]
for name in names:
    for known in set(names) & set(sys.modules):
        del sys.modules[known]
    try:
        importlib.import_module(name)
    except (ImportError, AttributeError) as error:
        print(name, error)
"""


def _imported(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    found = [node for node in nodes_of(path) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in found for alias in node.names}
    return {name.removeprefix(f"{PREFIX}.").split(".")[0] for name in names if name.startswith(f"{PREFIX}.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOM)))
def test_a_room_imports_only_rooms_that_it_may(path: Path) -> None:
    room = path.relative_to(ROOM).parts[0]
    assert _imported(path) <= {room, *MAY_IMPORT[room]}


def test_the_allowed_imports_have_no_cycle() -> None:
    order = list(MAY_IMPORT)
    assert all(order.index(other) < order.index(room) for room, others in MAY_IMPORT.items() for other in others)


def test_each_module_can_be_the_first_that_is_imported() -> None:
    known = HOUSE.modules
    arrows = [(one.source, one.target) for one in HOUSE.found if one.when == AT_ONCE and one.target in known]
    circles = survey.circles(arrows)  # any other module is imported after all that it imports
    assert sum(len(circle) for circle in circles) > 30
    for circle in circles:
        done = subprocess.run(
            [sys.executable, "-c", ONE_BY_ONE, *circle], capture_output=True, text=True, check=True, cwd=ROOM.parents[2]
        )
        assert done.stdout == ""


def test_plain_python_is_followed_without_a_model_of_any_library() -> None:
    text = "import keras\nclass A:\n    def f(self, n): return [n, *range(n)]\nx = sum(A().f(4)) if keras else 0\n"
    run = Interpreter(LibraryModel())
    unit = ModuleUnit("__main__", "p.py", text, cst.parse_module(text), table=run.journal.table())
    entry_points.run_units(run, [unit])
    found = unit.table.get("x")
    assert isinstance(found, Const)
    assert found.value == 10
