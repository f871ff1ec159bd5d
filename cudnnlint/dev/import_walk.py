"""What Python modules import, read from their text: nothing is imported or run.

A small walk of the syntax tree, because the laws also count imports that a program meets only inside a function or
under TYPE_CHECKING, and ask for each which of these it is. What `importlib.import_module` loads is not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from cudnnlint.core.quick_dataclass import dataclass

AT_ONCE, INSIDE, TYPING = "at once", "inside a function", "for type checkers"


@dataclass(frozen=True)
class Import:
    """One import: the module that has it, what it names (a module, as deep as is known), where, and when it runs."""

    source: str
    target: str
    line: int
    when: str = AT_ONCE


def modules(folder: Path, name: str) -> dict[str, Path]:
    """Return every module of the package `name` in `folder`, by its dotted name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = (name, *path.relative_to(folder).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(module: str, path: Path, known: Mapping[str, Path]) -> list[Import]:
    """Return every import of a module, at any depth of its code. Raises SyntaxError."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return [
        Import(module, target, node.lineno, when)
        for node, when in _statements(tree, AT_ONCE)
        for target in _targets(node, package, known)
    ]


def _statements(node: ast.AST, when: str) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    """Yield the import statements below a node, each with when it runs."""
    if isinstance(node, ast.expr):
        return  # there are none
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield node, when
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for child in ast.iter_child_nodes(node):
            yield from _statements(child, TYPING if when == TYPING else INSIDE)
    elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        for child in node.body:
            yield from _statements(child, TYPING)
        for child in node.orelse:
            yield from _statements(child, when)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _statements(child, when)


def _targets(node: ast.Import | ast.ImportFrom, package: str, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules that one statement names; a name taken from a package may be a module itself."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    yield from dict.fromkeys(_deepest(f"{base}.{alias.name}", base, known) for alias in node.names)


def _deepest(dotted: str, base: str, known: Mapping[str, Path]) -> str:
    return dotted if dotted in known else base
