"""Every release that the code knows of stands in rules/tables: no constant of the code names one.

A release in a sentence of a rule is held to the rows: one of them begins or ends there.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from own_code import nodes_of

from cudnnlint.core.target import FRAMEWORKS
from cudnnlint.rulebook.loader import load
from cudnnlint.rulebook.machine_table import machine_table
from cudnnlint.targets import environment

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*(ROOT / "cudnnlint").rglob("*.py"), *(ROOT / "rules").glob("*.py")])
#: "3.4", "2.15.0", "2.2.4-tf", and "3" or "3.": a version by itself, not one in a sentence.
RELEASE = re.compile(r"v?\d+(\.\d+)+\S{0,8}|\d\.")
IN_WORDS = re.compile(r"(?<![\w.])\d+\.\d+(?:\.\d+)?(?![\w.]*\d)")
COMPARED = frozenset({"startswith", "Version", "Span", "SpecifierSet", "at", "of"})

#: file -> the constants that may stand there, with the reason.
ALLOWED = {
    "cudnnlint/core/version.py": ({"0.1.0"}, "the release of this package"),
    "cudnnlint/reporters/sarif.py": ({"2.1.0"}, "the release of the SARIF format"),
}
#: file -> why its sentences may name a release that no row holds.
SENTENCES = {
    "cudnnlint/cli/cli.py": "an example of how a target is written",
    "cudnnlint/targets/requested.py": "an example of how a target is written",
    "cudnnlint/reporters/junit.py": "the release of XML",
}


@cache
def constants(path: Path) -> list[tuple[str, bool]]:
    """Every text constant outside the docstrings, and whether it is compared as a version or made into one."""
    nodes = nodes_of(path)
    documents = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    made = {
        id(argument)
        for call in nodes
        if isinstance(call, ast.Call) and (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) in COMPARED
        for argument in ast.walk(ast.Tuple(call.args))
    }
    return [
        (node.value, id(node) in made)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents
    ]


def literals(path: Path) -> set[str]:
    """The constants of a file that are a release."""
    return {
        text
        for text, made in constants(path)
        if RELEASE.fullmatch(text) or (made and re.fullmatch(r"\d(\.\d*)*", text))
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_constant_is_a_release(path: Path) -> None:
    allowed, _ = ALLOWED.get(path.relative_to(ROOT).as_posix(), (set(), ""))
    assert literals(path) == allowed, "a release belongs into rules/tables, with its source"


@cache
def bounds() -> set[str]:
    """The releases, cuDNN's too, at which a row begins or ends, whole and by minor; the last minor of each line."""
    spans = [span for scope in load().tables.scopes for span in (scope.keras, scope.tensorflow)]
    found = {v for span in (*spans, machine_table().broken_cudnn) for v in (span.since, span.until) if v}
    known = environment.known()
    lines = {(name, major): minor for name in FRAMEWORKS for major, minor in known.minors(name)}
    ends = {f"{major}.{minor}" for (_, major), minor in lines.items()}
    return {str(v) for v in found} | {f"{v.major}.{v.minor}" for v in found} | ends


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_release_in_a_sentence_is_one_of_the_rows(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    found = {release for text, _ in constants(path) if " " in text for release in IN_WORDS.findall(text)}
    if name in SENTENCES:
        assert found, f"{name} needs no exception any more"
        return
    assert found <= (bounds() if name.startswith("rules/") else set())


def test_the_exceptions_are_files() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in FILES}
    assert {*ALLOWED, *SENTENCES} <= names


@pytest.mark.parametrize(
    "line",
    ['A = "3.15.1"', 'A = Version("3")', 'B = text.startswith("3")', 'C = Span.of("2.16", "3.0")', 'D = ("2.2.4-tf",)'],
)
def test_a_release_is_seen(line: str, tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text(f'"""About 3.4."""\n{line}\n', encoding="utf-8")
    assert literals(path)
