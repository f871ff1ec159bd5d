"""What setup.py and setup.cfg ask for, read without running anything.

Of setup.py the keywords of `setup(...)` are read as far as they are texts, lists, dicts, variables of the same file,
or made of such; what is built in another way says nothing. Of several values of a variable all are taken. A file of
requirements that it opens is given back as pip would be asked to read it: `-r requirements.txt`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import configparser

REQUIREMENTS = ("install_requires", "extras_require", "requires")
MOST = 400  # texts that one expression is followed into
DEEPEST = 20  # expressions inside one another
LONGEST = 1 << 20  # characters; a setup.py has a few thousand
#: What reads a file, given its path or called on it.
OPENING = ("open", "read_text", "parse_requirements")
#: Methods that give back what they are called on, as far as requirements are concerned.
SAME = ("strip", "lstrip", "rstrip", "copy", "values", "read", "readlines", "resolve", "absolute")
#: Functions that give back what they are given.
GIVING = ("list", "tuple", "set", "sorted", "dict", "map", "filter", "str", "Path", "PurePath")
#: What a file of requirements is called.
FILE_NAME = r"[\w./-]*\.(?:txt|in|pip)"


def setup_cfg(text: str) -> Iterator[str]:
    """Yield the requirements of setup.cfg, each as it is written. Raises ValueError for what is none."""
    parser = _sections(text)
    listed = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        listed += [value for _, value in parser.items("options.extras_require")]
    for value in listed:
        if value.strip().startswith("file:"):
            yield from (f"-r {name}" for name in re.split(r"[\s,]+", value.partition(":")[2].strip()))
            continue
        yield from value.splitlines() if "\n" in value else value.split(";")  # as setuptools splits it


def pythons_of_cfg(text: str) -> list[str]:
    """Return the Pythons that setup.cfg asks for. Raises ValueError for what is none."""
    return [_sections(text).get("options", "python_requires", fallback="")]


def _sections(text: str) -> configparser.RawConfigParser:
    from configparser import Error, RawConfigParser  # here alone: few projects have a setup.cfg today

    parser = RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except Error as error:
        raise ValueError(str(error)) from error
    return parser


def pythons_of_py(text: str) -> list[str]:
    """Return the Pythons that setup.py asks for. Raises ValueError for what is no Python."""
    return _keywords(text, ("python_requires",))


def setup_py(text: str) -> list[str]:
    """Return the requirements of setup.py, each as it is written. Raises ValueError for what is no Python."""
    return [line for written in _keywords(text, REQUIREMENTS) for line in written.splitlines()]


def _keywords(text: str, keywords: Container[str]) -> list[str]:
    """Return the texts that are given to `setup()` by these keywords."""
    if len(text) > LONGEST:
        raise ValueError("too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from None
    names = _Names(tree)
    found: list[str] = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_setup(node.func)):
        for keyword in call.keywords:
            if keyword.arg is None:
                found += names.entries(keyword.value, keywords)
            elif keyword.arg in keywords:
                found += names.texts(keyword.value)
    return found


def _is_setup(func: ast.expr) -> bool:
    return _name(func) == "setup"


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


class _Names:
    """The variables of a file, each with every expression that is put into it, and what functions give back."""

    def __init__(self, tree: ast.Module) -> None:
        self.values: dict[str, list[ast.expr]] = {}
        self.opening: dict[str, list[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._put(target, node.value)
            elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
                self._put(node.target, node.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("append", "extend", "update", "insert"):
                    for argument in node.args[-1:]:
                        self._put(node.func.value, argument)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                self._put(node.optional_vars, node.context_expr)
            elif isinstance(node, (ast.For, ast.comprehension)):
                self._put(node.target, node.iter)
            elif isinstance(node, ast.FunctionDef):
                self._define(node)

    def _define(self, function: ast.FunctionDef) -> None:
        """Note what a function returns; and of one that opens a file, the names of files that it holds."""
        inside = list(ast.walk(function))
        returned = [node.value for node in inside if isinstance(node, ast.Return) and node.value is not None]
        self.values.setdefault(f"{function.name}()", []).extend(returned)
        if any(isinstance(node, ast.Call) and _name(node.func) in OPENING for node in inside):
            constants = [node.value for node in inside if isinstance(node, ast.Constant)]
            self.opening[function.name] = [value for value in constants if isinstance(value, str)]

    def _put(self, target: ast.expr, value: ast.expr) -> None:
        """`NAME = value`, and `NAME[key] = value` as one more value of the name."""
        target = target.value if isinstance(target, ast.Subscript) else target
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)

    def entries(self, node: ast.expr, keywords: Container[str]) -> list[str]:
        """Return the texts under these keywords of `**config`."""
        values = self.values.get(node.id, []) if isinstance(node, ast.Name) else [node]
        found: list[str] = []
        for value in values:
            pairs: list[tuple[object, ast.expr]] = []
            if isinstance(value, ast.Dict):
                pairs = [(getattr(k, "value", None), v) for k, v in zip(value.keys, value.values, strict=True)]
            elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict":
                pairs = [(keyword.arg, keyword.value) for keyword in value.keywords]
            found += [text for key, inner in pairs if key in keywords for text in self.texts(inner)]
        return found

    def texts(self, node: ast.expr | None, depth: int = 0) -> list[str]:
        """Return the texts that an expression holds, whatever it holds them in."""
        if node is None or depth > DEEPEST:
            return []
        found: list[str] = []
        if isinstance(node, ast.Constant):
            found = [node.value] if isinstance(node.value, str) else []
        elif isinstance(node, ast.JoinedStr):
            found = self._joined(node.values, depth)
        elif isinstance(node, ast.FormattedValue):
            found = self.texts(node.value, depth + 1)
        elif isinstance(node, ast.Name):
            found = [text for value in self.values.get(node.id, []) for text in self.texts(value, depth + 1)][:MOST]
        elif isinstance(node, ast.BinOp):
            found = self._added(node, depth)
        elif isinstance(node, ast.Dict):
            found = [text for value in node.values for text in self.texts(value, depth + 1)]
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            found = [text for value in node.elts for text in self.texts(value, depth + 1)]
        elif isinstance(node, (ast.Starred, ast.Subscript)):
            found = self.texts(node.value, depth + 1)
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            found = self.texts(node.generators[0].iter, depth + 1)
        elif isinstance(node, ast.IfExp):
            found = [*self.texts(node.body, depth + 1), *self.texts(node.orelse, depth + 1)]
        elif isinstance(node, ast.Call):
            found = self._called(node, depth)
        return found[:MOST]

    def _joined(self, parts: list[ast.expr], depth: int) -> list[str]:
        """Parts of one text put together; of a part with several values, each."""
        found = [""]
        for part in parts:
            found = [before + text for before in found for text in self.texts(part, depth + 1) or [""]][:MOST]
        return found

    def _added(self, node: ast.BinOp, depth: int) -> list[str]:
        if isinstance(node.op, ast.Mod):
            right = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            values = [(self.texts(value, depth + 1) or [""])[0] for value in right]
            return [_filled(text, values) for text in self.texts(node.left, depth + 1)]
        if isinstance(node.op, ast.Div):
            sides = [(self.texts(side, depth + 1) or [""])[0] for side in (node.left, node.right)]
            return ["/".join(filter(None, sides))]
        if isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant):
            return self._joined([node.left, node.right], depth)
        return [*self.texts(node.left, depth + 1), *self.texts(node.right, depth + 1)]

    def _called(self, node: ast.Call, depth: int) -> list[str]:
        if _name(node.func) in OPENING or _name(node.func) in self.opening:
            return self._opened(node, depth)
        if isinstance(node.func, ast.Attribute):
            values = [(self.texts(value, depth + 1) or [""])[0] for value in node.args]
            own = self.texts(node.func.value, depth + 1)
            if node.func.attr == "format":
                return [_filled(re.sub(r"\{\d*\}", "%s", text), values) for text in own]
            if node.func.attr in ("split", "splitlines"):
                return [line for text in own for line in text.splitlines()]
            if node.func.attr in ("join", "joinpath", "Path", "PurePath"):
                return ["/".join(filter(None, [*own, *values]))]
            return own if node.func.attr in SAME else []
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in GIVING:
            given = (*node.args, *(keyword.value for keyword in node.keywords))
            return [text for value in given for text in self.texts(value, depth + 1)]
        return [text for value in self.values.get(f"{name}()", []) for text in self.texts(value, depth + 1)]

    def _opened(self, node: ast.Call, depth: int) -> list[str]:
        """Return what asks pip for the files of requirements that a call opens."""
        given = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        names = [text.removeprefix("-r ") for value in given for text in self.texts(value, depth + 1)]
        names += self.opening.get(_name(node.func), [])
        files = (name.lstrip("/") for name in names if re.fullmatch(FILE_NAME, name))
        return [f"-r {name}" for name in dict.fromkeys(files)]


def _filled(text: str, values: list[str]) -> str:
    for value in values:
        text = text.replace("%s", value, 1)
    return text
