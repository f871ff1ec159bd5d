"""Imports: names of libraries become dotted names, modules of the project are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import raising
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import UnknownValue
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def dotted(node: cst.BaseExpression | None) -> str:
    """Return a dotted name as text."""
    if isinstance(node, cst.Name):
        return node.value
    return f"{dotted(node.value)}.{node.attr.value}" if isinstance(node, cst.Attribute) else ""


def plain(run: Interpreter, node: cst.Import, frame: Frame) -> bool:
    """Run `import a.b`, `import a.b as c`."""
    for alias in node.names:
        name = dotted(alias.name)
        _stop(run, name, named=False)
        run.doubts += 1
        run.library.imported(run, name, Origin(frame.unit, node))
        if alias.asname is not None:
            frame.scope.bind(run.journal, dotted(alias.asname.name), run.modules.module(name, frame.unit))
        else:
            top = name.split(".")[0]
            run.modules.module(name, frame.unit)
            frame.scope.bind(run.journal, top, run.modules.module(top, frame.unit))
    return True


def named(run: Interpreter, node: cst.ImportFrom, frame: Frame) -> bool:
    """Run `from a import b as c`, `from . import d`, `from e import *`."""
    source = run.modules.absolute(frame.unit, dotted(node.module), len(node.relative))
    if isinstance(node.names, cst.ImportStar):
        _stop(run, source, named=False)
        run.doubts += 1
        run.library.imported(run, source, Origin(frame.unit, node))
        run.modules.star(frame, source)
        return True
    for alias in node.names:
        name = dotted(alias.name)
        _stop(run, f"{source}.{name}", named=True)
        run.doubts += 1
        run.library.imported(run, f"{source}.{name}", Origin(frame.unit, node))
        bound = name if alias.asname is None else dotted(alias.asname.name)
        frame.scope.bind(run.journal, bound, run.modules.member(source, name, frame.unit))
    return True


def _stop(run: Interpreter, name: str, named: bool) -> None:
    """Raise what an import certainly raises, where a `try` takes it."""
    error = run.library.failure(run, name, named)
    if error is not None:
        raising.throw_python(run, error, UnknownValue("is the text of an exception"))
