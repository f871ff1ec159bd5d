"""The laws of the house: which room may import what, read from the imports themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHILD = "cudnnlint/probe/child/"
FRAMEWORKS = {"tensorflow", "keras", "tf_keras", "torch", "jax"}
UNSAFE = {"pickle", "marshal", "dill", "cloudpickle", "joblib"}

#: room (path prefix) -> modules that it may not import.
PARSERS = {"libcst", "h5py", "click"}
OTHERS = {"cudnnlint.frontends", "cudnnlint.rewriters", "cudnnlint.reporters"}
SAVED, SOURCE = "cudnnlint.frontends.saved", "cudnnlint.frontends.source"
FORBIDDEN = {
    "cudnnlint/core": {*PARSERS, *OTHERS, "numpy", "os", "pathlib", "time", "cudnnlint.engine"},
    "rules": {*PARSERS, "numpy", "cudnnlint.rules", "cudnnlint.engine", "cudnnlint.rulebook.tables"},
    "cudnnlint/frontends/source": {"h5py", "click", SAVED, *OTHERS - {"cudnnlint.frontends"}, "cudnnlint.engine"},
    "cudnnlint/frontends/saved": {"libcst", "click", SOURCE, *OTHERS - {"cudnnlint.frontends"}, "cudnnlint.engine"},
    "cudnnlint/engine": {*PARSERS, *OTHERS},
    "cudnnlint/keras": {*PARSERS, *OTHERS, "cudnnlint.engine"},
    "cudnnlint/rulebook": {*PARSERS, *OTHERS},
    "cudnnlint/rewriters": {"click", "cudnnlint.engine", "cudnnlint.reporters"},
    "cudnnlint/rewriters/source": {"h5py", "cudnnlint.frontends", "cudnnlint.rewriters.saved"},
    "cudnnlint/rewriters/saved": {"libcst", SOURCE, "cudnnlint.rewriters.source"},
    "cudnnlint/reporters": {*PARSERS, "cudnnlint.frontends", "cudnnlint.engine", "cudnnlint.rewriters"},
}

FILES = sorted(path for room in ("cudnnlint", "rules") for path in (ROOT / room).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at any depth of the code, with all its prefixes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {".".join(name.split(".")[:end]) for name in found for end in range(1, name.count(".") + 2)}


def test_there_are_files_to_hold_to_the_laws() -> None:
    assert len(FILES) > 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    found = imports(path)
    for room, forbidden in FORBIDDEN.items():
        if name == room or name.startswith(room + "/"):
            assert not found & forbidden, f"{name} may not import {sorted(found & forbidden)}"
    assert not found & UNSAFE
    if name.startswith(CHILD):
        assert "cudnnlint" not in found
    else:
        assert not found & FRAMEWORKS, f"{name} imports a framework"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_catches_everything_but_the_places_that_say_so(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    allowed = {"cudnnlint/engine/fold.py": 1, "cudnnlint/check/read_all.py": 1}
    handlers = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)  # tidies up and lets it pass
    ]
    assert name.startswith(CHILD) or len(handlers) <= allowed.get(name, 0)
