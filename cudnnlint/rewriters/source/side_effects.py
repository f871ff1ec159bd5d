"""What an expression does besides giving its value: text that does more is not taken out of a program."""

from __future__ import annotations

import libcst as cst

from cudnnlint.rewriters.source.fix_context import Impossible
from cudnnlint.rewriters.source.flow import last_name
from cudnnlint.rewriters.source.parsed_page import Page

#: Functions, methods and classes that only give a value, whatever they are called on.
ONLY_A_VALUE = frozenset(
    {"abs", "all", "any", "bool", "dict", "float", "frozenset", "get", "getattr", "getenv", "hasattr", "int"}
    | {"isinstance", "len", "list", "lower", "max", "min", "range", "round", "set", "sorted", "str", "strip", "sum"}
    | {"tuple", "upper", "partial", "deserialize", "Activation", "DTypePolicy", "Policy"}
)
_MORE = (cst.NamedExpr, cst.Await, cst.Yield)


def none(page: Page, node: cst.CSTNode) -> None:
    """Raise Impossible where an expression also binds a name, waits, or calls what may do anything.

    What is inside a lambda is not run where it is written.
    """
    later = [page.span(one) for one in page.every(cst.Lambda) if _inside(page.span(one), page.span(node))]
    for kind in (*_MORE, cst.Call):
        for one in page.every(kind):
            where = page.span(one)
            runs = _inside(where, page.span(node)) and not any(_inside(where, other) for other in later)
            if runs and not (isinstance(one, cst.Call) and last_name(one.func) in ONLY_A_VALUE):
                raise Impossible(f"{page.source(one)} may do more than give the value")


def _inside(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
