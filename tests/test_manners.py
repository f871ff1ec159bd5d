"""What the program never does: print or exit outside of the command line, or outgrow its rooms."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from own_code import HOUSE, LAWS, nodes_of, text_of

PRINTING_ROOMS = ("cli", "dev", "__main__", "probe/child")
SILENT = [module for module in sorted(HOUSE.modules) if HOUSE.room(module) not in PRINTING_ROOMS]
#: A module is read in one go, and a function fits on a screen. What is larger is listed with its
#: lines (`cudnnlint/dev/laws.toml`), and may only shrink.
MODULE, FUNCTION = 250, 32
LARGER: dict[str, Any] = LAWS["larger"]

every_module = pytest.mark.parametrize("module", sorted(HOUSE.modules))


def _text(module: str) -> str:
    return text_of(HOUSE.modules[module])


@pytest.mark.parametrize("module", SILENT)
def test_only_the_command_line_prints_or_exits(module: str) -> None:
    called = [node.func for node in nodes_of(HOUSE.modules[module]) if isinstance(node, ast.Call)]
    names = {node.id for node in called if isinstance(node, ast.Name)}
    dotted = {ast.unparse(node) for node in called if isinstance(node, ast.Attribute)}
    assert not names & {"print", "exit", "quit"}
    assert not dotted & {"sys.exit", "os._exit", "click.echo", "sys.stdout.write", "sys.stderr.write"}


@every_module
def test_a_module_is_read_in_one_go(module: str) -> None:
    assert len(_text(module).splitlines()) <= LARGER["modules"].get(module, MODULE)


@every_module
def test_a_function_fits_on_a_screen(module: str) -> None:
    for name, size in _functions(module).items():
        assert size <= LARGER["functions"].get(name, FUNCTION), f"{name} has {size} lines"


def test_what_is_listed_as_larger_still_is() -> None:
    modules = {module: len(_text(module).splitlines()) for module in HOUSE.modules}
    functions = {name: size for module in HOUSE.modules for name, size in _functions(module).items()}
    assert [name for name in LARGER["modules"] if modules.get(name, 0) <= MODULE] == []
    assert [name for name in LARGER["functions"] if functions.get(name, 0) <= FUNCTION] == []


def _functions(module: str) -> dict[str, int]:
    """The lines of each function's body, by the function's dotted name; of two with one name, the larger's."""
    found: dict[str, int] = {}
    for node in nodes_of(HOUSE.modules[module]):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            size = (node.end_lineno or 0) - node.body[0].lineno + 1
            found[f"{module}.{node.name}"] = max(size, found.get(f"{module}.{node.name}", 0))
    return found
