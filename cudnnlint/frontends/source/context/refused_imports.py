"""Classes and modules that some release lacks, where a program imports or inherits from them: it stops there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.context import failing_imports
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.keras import passed_lines
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import raising
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of the world, and the surrounding: the dotted names, each on a line.
IMPORTS = "imports"


def note(run: Interpreter, dotted: str, origin: Origin) -> None:
    """Note an import or a base class whose failure nothing takes, if some release lacks what it names."""
    names = state_of(run).names
    some = names.may_be_absent(dotted) or names.in_no_release(dotted) or names.old_module(dotted) is not None
    if not some or _for_types(origin):  # for types nothing runs
        return
    as_base = isinstance(origin.node, cst.Attribute)  # class Own(layers.GONE)
    error = "AttributeError" if as_base else failing_imports.raised(run, dotted, named=True)
    if raising.taken(run, error or failing_imports.MODULE_LACKS) is not False:
        return
    if context_of(run).loading:
        context_of(run).refused.append((dotted, origin))
    add(run, dotted, origin)


def add(run: Interpreter, dotted: str, origin: Origin) -> None:
    """Say that the program has come by this import."""
    passed_lines.add(run, IMPORTS, dotted, origin)


def _for_types(origin: Origin) -> bool:
    """Return whether an import is below `if TYPE_CHECKING:`, where only type checkers see it."""
    blocks = (node for node in index.walk(origin.unit.tree) if isinstance(node, cst.If) and _asks(node.test))
    return any(inner is origin.node for block in blocks for inner in index.walk(block.body))


def _asks(test: cst.BaseExpression) -> bool:
    return any(isinstance(name, cst.Name) and name.value == "TYPE_CHECKING" for name in index.walk(test))
