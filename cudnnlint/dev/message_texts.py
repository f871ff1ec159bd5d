"""What users read, collected from the code, the rules and the tables: the messages of the catalogue.

A message is a text with a blank and a small word in it. What is put together when the program runs is a template:
`f"{count} files"` is `{0} files`, and so is a sum of texts and the parts of a Sentence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from cudnnlint.formats import toml

ROOT = Path(__file__).resolve().parents[2]
#: Rooms that no user reads: what is said to those who work on cudnnlint, and what a child process says to its parent.
SILENT = (
    *("dev/", "probe/child/", "schemas/", "core/layer.py", "core/surroundings.py", "core/quick_"),
    *("trainlog/gather.py", "trainlog/telling.py", "trainlog/windows.py"),
)
#: Tables with texts for users, and the keys that hold them.
TABLES = {
    "cudnnlint/trainlog/phrases.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_in_general.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_by_writer.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/asked.toml": ("says", "do"),
    "cudnnlint/trainlog/phrases_of_errors.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_keras.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_layers.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_files.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_machines.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_models.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_operations.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_others.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/phrases_of_questions.toml": ("means", "do", "said_by"),
    "cudnnlint/trainlog/error_words.toml": ("says",),
    "rules/tables/loading.toml": ("says",),
    "rules/tables/values.toml": ("advice",),
    "rules/tables/machine.toml": ("effect", "advice", "means", "text", "says"),
    "rules/tables/routes.toml": ("because",),
    "rules/tables/defects.toml": ("because", "note"),
    "rules/tables/conversion.toml": ("because", "says", "reason"),
}
_REFERENCE = re.compile(
    r"(keras|tf_keras|tensorflow|pytorch|jax|cudnn)[\w/-]* (issue|pull request|commit|release)s? [\w., ]+$"
    r"|https?://|`(keras|tf_keras|tensorflow|torch|jax)/|(`[^`]*`[.,; ]*(and )?)+$"
)
#: Single words that stand alone before a reader.
LABELS = (
    *("found", "needed", "fix", "help", "or", "when", "assumed", "cost", "layer", "also", "at", "called", "memory"),
    *("where", "severity", "rule", "problem", "source", "layers", "framework", "backend", "releases", "happens"),
    *("unknown", "confirmed", "contradicted", "undecided", "skipped", "ok", "note", "warning", "Files", "Usage:"),
    *("Causes", "Verdicts", "raises", "raise", "depends", "depend", "falls back", "fall back"),
    *(", and ", ", or ", "Options", "Commands", "Arguments", "class", "verdict", "why", "see", "errors", "warnings"),
    *("notes", "error"),
    *("Target", "Targets", "Effect", "Needs --unsafe-fixes", "References", "Bad", "Fixed", "Good", "tested"),
    *("Show the version and exit.", "Show this message and exit.", "raises under use_cudnn=True"),
    *("{0} and {1}", "{0} or {1}"),
)
_WORDS = re.compile(r"[a-z]{2,}[,;:]? [a-z(`{\"<]|[A-Z][a-z]+ [a-z{]|\} [a-z]{2,}|^[a-z]+ +\{")
_CODE = re.compile(
    r"\\d|bias\?use|moving_mean|os\.environ|^\s*(\.[a-z]|[<\\#:·]|[\^(]\?|(CREATE|SELECT|import) |str \|)|\(\.\*"
)
#: A text without any of these words is a list of names, if it is long or stands where Python is followed.
_SMALL_WORDS = re.compile(
    r"\b(a|an|the|is|are|it|its|not|no|of|in|to|on|by|and|or|for|from|with|was|be|this|than|at|has|only|as|where|that"
    r"|which|when|if|each|more|does|can|may|cannot|layers?|gradient|numbers)\b",
    re.I,
)
_NAMES = re.compile(r"[\w.?=!/:*-]+( [\w.?=!/:*-]+)+")


@cache
def messages() -> dict[str, list[tuple[str, int]]]:
    """Return every message with the places that it is written at, in their order."""
    found: dict[str, list[tuple[str, int]]] = {}
    for path in [*sorted((ROOT / "rules").glob("*.py")), *sorted((ROOT / "cudnnlint").rglob("*.py"))]:
        name = path.relative_to(ROOT).as_posix()
        if not name.removeprefix("cudnnlint/").startswith(SILENT):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            python = "/source/stdlib/" in name or "/source/python/" in name
            for line, text in _Texts(name.startswith("rules/"), name.startswith("cudnnlint/cli/")).of(tree):
                if not python or _SMALL_WORDS.search(text):  # there, words without one are names of Python's
                    found.setdefault(text, []).append((name, line))
            for text in plurals(tree):
                found.setdefault(text, []).append((name, 1))
    for label in LABELS:
        found.setdefault(label, []).append(("cudnnlint/reporters", 1))
    for path in sorted((ROOT / "rules" / "topics").glob("*.md")):
        for text in paragraphs(path.read_text(encoding="utf-8")):
            found.setdefault(text, []).append((path.relative_to(ROOT).as_posix(), 1))
    for name, keys in TABLES.items():
        for text in _values(toml.loads((ROOT / name).read_text(encoding="utf-8")), keys):
            if is_message(text):
                found.setdefault(text, []).append((name, 1))
    return found


def is_message(text: str) -> bool:
    """Return whether a text is something that a user reads, and not a pattern, a list of names or code."""
    if not _WORDS.search(text) or _CODE.search(text):
        return False
    names = _NAMES.fullmatch(text) and not _SMALL_WORDS.search(text)
    return not names or (text.count(" ") < 2 and not re.search(r"[_?!/]", text))


def _values(table: Any, keys: tuple[str, ...]) -> Iterator[str]:
    if isinstance(table, list):
        for one in table:
            yield from _values(one, keys)
    elif isinstance(table, dict):
        for key, value in table.items():
            if isinstance(value, str) and key in keys:
                yield value
            else:
                yield from _values(value, keys)


class _Texts:
    """The texts of one module. `pages`: its docstring is a page that users read; `help`: its docstrings are help."""

    def __init__(self, pages: bool, help: bool) -> None:
        self.pages, self.help = pages, help

    def of(self, tree: ast.Module) -> Iterator[tuple[int, str]]:
        """Yield line and text of each message."""
        docs = {id(_docstring(node)): node for node in ast.walk(tree) if _docstring(node) is not None}
        yield from self._visit(tree, docs)

    def _visit(self, node: ast.AST, docs: dict[int, ast.AST]) -> Iterator[tuple[int, str]]:
        if id(node) in docs:
            assert isinstance(node, ast.Constant)
            yield from self._docstring(node, docs[id(node)])
            return
        if isinstance(node, ast.Call) and _for_the_program(node):
            return
        if isinstance(node, ast.keyword) and node.arg == "class_":  # of an element of HTML
            return
        text, holes = template(node) if isinstance(node, ast.expr) else (None, [])
        if text is not None:
            if is_message(text):
                yield getattr(node, "lineno", 1), text
            for hole in holes:
                yield from self._visit(hole, docs)
            return
        for child in ast.iter_child_nodes(node):
            yield from self._visit(child, docs)

    def _docstring(self, node: ast.Constant, owner: ast.AST) -> Iterator[tuple[int, str]]:
        if self.pages and isinstance(owner, ast.Module):
            for paragraph in paragraphs(str(node.value)):
                yield node.lineno, paragraph
        elif self.help and isinstance(owner, ast.FunctionDef) and any(map(_is_command, owner.decorator_list)):
            for part in str(node.value).split("\n\n"):
                yield node.lineno, " ".join(part.split())


def _is_command(decorator: ast.expr) -> bool:
    """Return whether a decorator makes a function a command or a group of click."""
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(func, ast.Attribute) and func.attr in ("command", "group")


#: What is called with texts that no reader sees.
_NO_SENTENCES = ("words", "compile", "regex", "execute", "AssertionError", "AttributeError", "TypeError", "ValueError")


def _for_the_program(call: ast.Call) -> bool:
    """Return whether the texts of a call are no sentences: lists that are split, patterns, statements of SQL."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    splits = name == "split" and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Constant)
    return splits or name in _NO_SENTENCES


def paragraphs(page: str) -> Iterator[str]:
    """Yield the headings, paragraphs and items of a page, without its code."""
    kept = re.sub(r"```.*?```", "\n\n", page, flags=re.S)
    for part in re.split(r"\n\s*\n|\n(?=- )|(?<=\n)(?=## )|(?<=^)(?=## )", kept):
        for piece in re.split(r"(?m)^(## .*)$", part):
            text = " ".join(piece.split()).removeprefix("## ").removeprefix("- ")
            if text and is_message(text) and not _REFERENCE.match(text):
                yield text


def template(node: ast.expr) -> tuple[str | None, list[ast.expr]]:
    """Return the text of a literal, with {0}, {1} ... for what is filled in, and what that is; None for no text."""
    parts = _parts(node)
    if not any(isinstance(part, str) for part in parts):
        return None, []
    holes = [part for part in parts if isinstance(part, ast.expr)]
    numbers = {id(hole): number for number, hole in enumerate(holes)}
    text = "".join(part if isinstance(part, str) else f"{{{numbers[id(part)]}}}" for part in parts)
    return text, holes


def _parts(node: ast.expr) -> list[str | ast.expr]:
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else [node]
    if isinstance(node, ast.JoinedStr):
        return [part for value in node.values for part in _parts(value)]
    if isinstance(node, ast.FormattedValue):
        return [node.value]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _parts(node.left), _parts(node.right)
        return left + right if any(isinstance(part, str) for part in left + right) else [node]
    if isinstance(node, ast.Call):
        return _called(node)
    return [node]


def _called(node: ast.Call) -> list[str | ast.expr]:
    """Return the parts of a Sentence, and of a count of things: `plural(n, "file")` is `{0} file`."""
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name == "Sentence" and not node.keywords:
        return [part for argument in node.args for part in _parts(argument)]
    return [node]


def plurals(tree: ast.AST) -> Iterator[str]:
    """Yield `{0} file` and `{0} files` for each count of things."""
    for node in ast.walk(tree):
        name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in ("plural", "_number"):
            words = [str(one.value) for one in node.args[1:] if isinstance(one, ast.Constant)]
            if words:
                yield f"{{0}} {words[0]}"
                yield f"{{0}} {words[1] if len(words) > 1 else words[0] + 's'}"


def _docstring(node: ast.AST) -> ast.Constant | None:
    """Return the literal that is the docstring of a module, class or function."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or not node.body:
        return None
    first = node.body[0]
    value = first.value if isinstance(first, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
