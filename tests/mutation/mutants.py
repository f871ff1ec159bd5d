"""Small faults put into Python source and into the tables, one at a time.

A mutant is a file with one place changed as a careless edit would change it: a comparison turned round, an operator
swapped, a number off by one, a class missing from a list, a release bound moved. Messages are left alone: their
wording decides nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
}  # fmt: skip
#: A text that may decide something: a name or a word, no sentence.
WORD = re.compile(r"[A-Za-z_][\w.:-]*\Z")
#: A key with a value in a table.
KEYED = re.compile(r"(?P<key>[\w.-]+|\"[^\"]+\")\s*=\s*(?P<value>[^#]+)")
#: A value that is none of several: a text, a truth value, a number.
SCALAR = re.compile(r'"(?P<text>[^"]*)"|\b(?P<truth>true|false)\b|(?<![\w."])(?P<number>\d+(?:\.\d+)?)(?!\s*=|[\w."])')
RELEASE = re.compile(r"(\d+)\.(\d+)((?:\.\d+)?)\Z")
#: A text among others in a list, with its comma.
ELEMENT = re.compile(r'"[^"]*"(?:,\s?)?')
OTHER_WORD = {
    "falls_back": "raises", "raises": "falls_back", "unknown": "falls_back",
    "cudnn": "generic", "generic": "cudnn", "native": "cudnn", "fused": "cudnn",
    "keras": "tf_keras", "tf_keras": "keras", "tensorflow": "keras", "torch": "jax", "jax": "torch",
    "keeps": "drops", "drops": "keeps", "any": "all", "all": "any", "floats": "same", "same": "floats",
}  # fmt: skip
#: Keys of tables that explain and decide nothing, as do sentences.
EXPLAINING = {"source"}


@dataclass(frozen=True)
class Mutant:
    """One changed place: its line (from 1), what was there and what is there now, and the whole changed text."""

    line: int
    before: str
    after: str
    text: str


def of_python(source: str) -> Iterator[Mutant]:
    """Every mutant of a module."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = source.encode()
    for node in _deciding(ast.parse(source)):
        for changed in _changed(node):
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
            before = raw[begin:end].decode()
            if " ".join(before.split()) == changed:
                continue
            after = f"({changed}{chr(10) * before.count(chr(10))})"  # all other lines keep their numbers
            yield Mutant(node.lineno, before, changed, (raw[:begin] + after.encode() + raw[end:]).decode())


def _deciding(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions of a module but for annotations, docstrings, parts of f-strings and imports under a guard."""
    silent = {id(inner) for node in ast.walk(tree) for hidden in _hidden(node) for inner in ast.walk(hidden)}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and id(node) not in silent:
            yield node


def _hidden(node: ast.AST) -> Iterator[ast.AST]:
    """What decides nothing in a node."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        notes = [node.returns, *(one.annotation for one in every if one is not None)]
        yield from (note for note in notes if note is not None)
        yield from node.decorator_list
    elif isinstance(node, ast.AnnAssign):
        yield node.annotation
    elif isinstance(node, ast.keyword) and node.arg == "frozen":  # no test changes what must not change
        yield node.value
    elif (
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        or (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("TypeVar", "NewType", "cast"))
    ):
        yield node


def _changed(node: ast.expr) -> Iterator[str]:
    """What an expression becomes, one fault each."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield ast.unparse(ast.Compare(node.left, [COMPARED[type(node.ops[0])]()], node.comparators))
    elif isinstance(node, ast.BoolOp):
        yield ast.unparse(ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield ast.unparse(node.operand)
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        yield ast.unparse(ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right))
    elif isinstance(node, ast.IfExp):
        yield ast.unparse(ast.IfExp(node.test, node.orelse, node.body))
    elif isinstance(node, ast.Constant):
        yield from _constant(node.value)
    elif isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Load):
        for shorter in _shorter(node.elts):
            yield ast.unparse(type(node)(shorter, node.ctx))
    elif isinstance(node, ast.Set):
        yield from (ast.unparse(ast.Set(shorter)) for shorter in _shorter(node.elts))


def _constant(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield repr(not value)
    elif isinstance(value, int):
        yield repr(value + 1)
    elif isinstance(value, str) and len(value.split()) > 8 and _are_names(value.split()):
        for word in value.split()[:: max(1, len(value.split()) // 12)]:  # a list of names in one text
            yield repr(" ".join(other for other in value.split() if other != word))
    elif isinstance(value, str) and WORD.match(value):
        yield repr(value + "_")


def _are_names(words: list[str]) -> bool:
    """Are the words names, and not those of a sentence?"""
    return all(WORD.match(word) for word in words) and not {"a", "the", "is", "of", "on", "and", "to"} & {*words}


def _shorter(values: list[ast.expr]) -> list[list[ast.expr]]:
    """A collection of plain values without its first and without its last one."""
    plain = len(values) > 1 and all(isinstance(one, ast.Constant) for one in values)
    return [values[1:], values[:-1]] if plain else []


def of_table(source: str) -> Iterator[Mutant]:
    """Every mutant of a TOML table: a row left out, a value changed, a text left out of a list."""
    lines = source.splitlines(keepends=True)
    yield from _without_a_row(lines)
    for number, line in enumerate(lines):
        for after in _other_lines(line):
            text = "".join([*lines[:number], after, *lines[number + 1 :]])
            yield Mutant(number + 1, line.strip(), after.strip(), text)


def _without_a_row(lines: list[str]) -> Iterator[Mutant]:
    """The table without one of the rows that stand under [[name]]."""
    begins = [number for number, line in enumerate(lines) if line.startswith("[[")]
    for begin in begins:
        end = next((n for n, line in enumerate(lines) if n > begin and ends_a_row(line)), len(lines))
        text = "".join([*lines[:begin], *("\n" for _ in lines[begin:end]), *lines[end:]])
        row = " ".join(line.strip() for line in lines[begin:end] if line.strip() and not line.startswith("#"))
        yield Mutant(begin + 1, row, "no such row", text)


def ends_a_row(line: str) -> bool:
    """Does another row, or another kind of table, begin with this line?"""
    return line.startswith("[[") or (line.startswith("[") and "." not in line)


def _other_lines(line: str) -> Iterator[str]:
    """What a line becomes, one fault each."""
    keyed = KEYED.match(line)
    if keyed is not None and keyed["key"] in EXPLAINING:
        return
    if keyed is not None and not keyed["value"].startswith("["):
        for value in SCALAR.finditer(line, keyed.start("value"), keyed.end("value")):
            if " " not in (value["text"] or ""):  # a sentence explains
                yield line[: value.start()] + _other_value(value) + line[value.end() :]
    elif keyed is not None or line.lstrip().startswith('"'):
        for value in ELEMENT.finditer(line, keyed.start("value") if keyed else 0):
            yield line[: value.start()] + line[value.end() :]


def _other_value(value: re.Match[str]) -> str:
    """What a value becomes."""
    if value["truth"]:
        return "false" if value["truth"] == "true" else "true"
    if value["number"]:
        return str(float(value["number"]) + 1) if "." in value["number"] else str(int(value["number"]) + 1)
    release = RELEASE.match(value["text"])
    if release:
        return f'"{release[1]}.{int(release[2]) + 1}{release[3]}"'
    return f'"{OTHER_WORD.get(value["text"], value["text"] + "_")}"'
