"""What a program uses of Keras and TensorFlow that releases have dropped, by its text: imports, and names in calls.

Names are dotted, as if they were imported: `tensorflow.placeholder` for `tf.placeholder`. A method of a model is
`Model.fit_generator()`, a keyword is in parentheses: `Model.fit(nb_epoch)`, and `keras.optimizers.*(lr)` for that of a
class. Which of them matter, rules/tables/releases.toml says; where none of their words are, a text is not parsed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cudnnlint.core.regex import regex

_FROM = regex(r"^[ \t]*from\s+((?:keras|tensorflow)[\w.]*)\s+import\s+(?:\(([^)]*)\)|([^\n(;#]*))", re.MULTILINE)
_WHOLE = regex(r"^[ \t]*import[ \t][^\n;#]*?\b(?:keras|tensorflow)[._]\w[^\n;#]*", re.MULTILINE)
_BELOW = regex(r"(?:import|,)\s+((?:keras|tensorflow)[._][\w.]+)")
#: The backends that standalone Keras had beside TensorFlow; a guarded import is indented, and proves nothing.
_BACKENDS = regex(r"^(?:import|from)[ \t]+(theano|cntk)\b", re.MULTILINE)
_CONTRIB = regex(r"^[^#\n\"']*\b(?:tf|tensorflow)\.contrib\.", re.MULTILINE)
#: How keras.backend comes into a program, whose functions go by any name then.
_BACKEND = r"\bkeras\s*\.\s*backend\b|\bkeras\s+import\b(?:\s*\([^)]*|[^\n]*)\bbackend\b"
_WORD = regex(r"\w+")
#: What programs have that run on several releases: names in them prove none.
_GUARDED = regex(r"compat\.v1|__version__|AttributeError|\bhasattr\b|\bgetattr\b")


@lru_cache(maxsize=256)
def used(text: str, dropped: frozenset[str]) -> tuple[str, ...]:
    """Return what a text imports from below keras and tensorflow, and what else it uses of the names `dropped`.

    The last texts are remembered: many files may import one module.
    """
    return tuple(dict.fromkeys(_used(text, dropped)))


def _used(text: str, dropped: frozenset[str]) -> Iterator[str]:
    yield from (name for line in _WHOLE.findall(text) for name in _BELOW.findall(line))
    for module, *listed in _FROM.findall(text):
        names = (re.match(r"\s*(\w*)", part) for part in ",".join(listed).split(","))
        yield from (f"{module}.{name[1]}" for name in names if name and name[1])
    yield from _BACKENDS.findall(text)
    if "contrib" in text and _CONTRIB.search(text):
        yield "tensorflow.contrib"
    if _may_use(text, dropped) and not _GUARDED.search(text):
        yield from (name for name in _in_code(text) if name in dropped)


def _may_use(text: str, dropped: frozenset[str]) -> bool:
    """Return whether `.name` or `name=` stands in a text for one of these names, or the import of a backend."""
    words = sorted(_last_words(dropped).intersection(_WORD.findall(text)))
    patterns = [rf"\.\s*(?:{'|'.join(words)})\b|\b(?:{'|'.join(words)})\s*="] * bool(words)
    patterns += [_BACKEND] * ("backend" in text)
    return bool(patterns) and re.search("|".join(patterns), text) is not None


@lru_cache(maxsize=4)
def _last_words(dropped: frozenset[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(name)[-1] for name in dropped if ".backend." not in name)


def _in_code(text: str) -> Iterator[str]:
    """Yield the dotted names, methods and keywords in a program; none for what this Python cannot parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError, MemoryError):
        return
    modules = _imported(nodes)
    own = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            yield _dotted(node, modules)
        elif isinstance(node, ast.Call):
            called = _dotted(node.func, modules)
            if called:
                called = f"{called.rpartition('.')[0]}.*"
            elif isinstance(node.func, ast.Attribute) and node.func.attr not in own:
                called = f"Model.{node.func.attr}"
            yield f"{called}()"
            yield from (f"{called}({keyword.arg})" for keyword in node.keywords)


def _imported(nodes: list[ast.AST]) -> dict[str, str]:
    """Return what each name is that an import binds; one that imports bind in several ways is left out."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for one in node.names:
                whole = one.name if one.asname else one.name.partition(".")[0]
                found.setdefault(one.asname or whole, set()).add(whole)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                found.setdefault(one.asname or one.name, set()).add(f"{node.module}.{one.name}")
    return {name: min(meant) for name, meant in found.items() if len(meant) == 1}


def _dotted(node: ast.expr, modules: Mapping[str, str]) -> str:
    """Return the dotted name of an expression below an imported one, "" for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return ".".join([modules[node.id], *parts]) if isinstance(node, ast.Name) and node.id in modules else ""
