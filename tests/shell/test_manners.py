"""What the program never does: print or exit outside of the command line, or outgrow its rooms."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import cudnnlint

ROOT = Path(cudnnlint.__file__).parent
PRINTERS = {"__main__.py"}
PRINTING_ROOMS = ("cli/", "dev/", "probe/child/")


def _prints(name: str) -> bool:
    return name in PRINTERS or name.startswith(PRINTING_ROOMS)


FILES = sorted(path for path in ROOT.rglob("*.py") if not _prints(path.relative_to(ROOT).as_posix()))
SHELL = ("cli", "check", "files", "fix", "reporters", "rulebook", "settings", "targets")
OURS = sorted([*ROOT.glob("*.py"), *(path for room in SHELL for path in (ROOT / room).glob("*.py"))])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {node.id for node in called if isinstance(node, ast.Name)}
    dotted = {ast.unparse(node) for node in called if isinstance(node, ast.Attribute)}
    assert not names & {"print", "exit", "quit"}
    assert not dotted & {"sys.exit", "os._exit", "click.echo", "sys.stdout.write", "sys.stderr.write"}


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_function_fits_on_a_screen(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            body = node.end_lineno - node.body[0].lineno + 1 if node.end_lineno else 0
            assert body <= 32, f"{path.name}: {node.name} has {body} lines"
