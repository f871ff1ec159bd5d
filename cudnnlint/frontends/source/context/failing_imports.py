"""Imports that may fail in a `try`: what they raise, and which handlers take that.

`from keras.layers import X` raises ImportError where the module has no X, the import of a module that is not there
ModuleNotFoundError, a kind of ImportError: `except ModuleNotFoundError` takes the second alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.target_queries import CLASS, FRAMEWORK, answer, present
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import raising, trying
from cudnnlint.frontends.source.python.library_model import Handler
from cudnnlint.frontends.source.syntax import index

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Packages and modules that every release has.
_WHOLE = ("keras", "tf_keras", "tensorflow", "tensorflow.keras")
_OF_KERAS = tuple(f"{package}.{module}" for package in _WHOLE for module in ("layers", "models"))
NAME_LACKS, MODULE_LACKS = "ImportError", "ModuleNotFoundError"
#: What a program that asks which package is there may meet.
_ASKS = (NAME_LACKS, MODULE_LACKS, "AttributeError")


@contextmanager
def attempting(run: Interpreter, node: cst.Try | cst.TryStar) -> Iterator[None]:
    """Run the body of a `try` with the packages in mind that its handlers import instead."""
    before, context_of(run).guard = context_of(run).guard, _guard(run, node)
    try:
        yield
    finally:
        context_of(run).guard = before


def _guard(run: Interpreter, node: cst.Try | cst.TryStar) -> frozenset[str] | None:
    """Return the packages that the handlers of a `try` import instead; None if none of them looks for another one."""
    instead = [handler.body for handler in node.handlers if _asks(handler)]
    if not instead:
        return None
    every, replacing = _tops(run, [node.body, *instead]), _tops(run, instead)
    if "tf_keras" in every and len(every & {"tf_keras", "keras", "tensorflow"}) > 1:
        context_of(run).asks |= {FRAMEWORK} if context_of(run).answers is None else set()
    return replacing


def _asks(handler: Handler) -> bool:
    return any(trying.takes([handler], error) for error in _ASKS)


def failure(run: Interpreter, dotted: str, named: bool) -> str | None:
    """Return what an import certainly raises in a `try` that takes it, by the class's name; None for no failure.

    `named` says that it takes a name from a module, as `from keras.layers import X` does.
    """
    instead = context_of(run).guard
    if instead is None or _found(run, dotted, instead) is not False:
        return None
    error = raised(run, dotted, named) or NAME_LACKS
    return error if raising.taken(run, error) else None


def raised(run: Interpreter, dotted: str, named: bool) -> str | None:
    """Return what an import raises where it fails; None where it may be either."""
    module = dotted.rpartition(".")[0]
    answers, instead = context_of(run).answers, context_of(run).guard or frozenset()
    if not named or (answers is not None and present(run, module, instead, answers) is False):
        return MODULE_LACKS
    if module in (*_WHOLE, *_OF_KERAS):
        return NAME_LACKS
    return MODULE_LACKS if answers is not None and answers.keras_3 else None


def _found(run: Interpreter, dotted: str, instead: frozenset[str]) -> bool | None:
    """Return whether what an import names is there; None where it is not known."""
    answers = context_of(run).answers
    there = None if answers is None else present(run, dotted, instead, answers)
    if there is False or dotted in _WHOLE:
        return there
    if state_of(run).names.may_be_absent(dotted):
        return answer(run, CLASS, lambda answers: answers.has_class(dotted))
    return (
        there if state_of(run).names.recurrent_class(dotted) is not None or state_of(run).names.lasts(dotted) else None
    )


def handlers(run: Interpreter, node: cst.Try | cst.TryStar) -> list[Handler]:
    """Return the handlers of a `try` that may run where it is not certain what its body raises.

    There is none where the body only imports what is known to be there, or not to be there. A handler that imports
    another framework in place of the target's is left out.
    """
    if context_of(run).answers is not None and _only_imports(run, node):
        return []
    return [handler for handler in node.handlers if not _leads_elsewhere(run, node, handler)]


def _only_imports(run: Interpreter, node: cst.Try | cst.TryStar) -> bool:
    """Return whether the body of a `try` does nothing that can fail but imports of which is known what they do."""
    lines = node.body.body
    small = [part for line in lines if isinstance(line, cst.SimpleStatementLine) for part in line.body]
    if len(small) < len(lines) or not all(map(_cannot_fail, small)):
        return False
    instead = _tops(run, [handler.body for handler in node.handlers])
    every = trying.takes(node.handlers, NAME_LACKS)  # takes whatever an import raises

    def known(name: str) -> bool:
        found = _found(run, name, instead)
        return found is True or (found is False and (every or raised(run, name, True) is not None))

    return all(map(known, _imported(run, [node.body])))


def _cannot_fail(part: cst.BaseSmallStatement) -> bool:
    """Return whether a statement is an import, or assigns a literal to a name."""
    literal = (cst.Name, cst.SimpleString, cst.Integer)
    return isinstance(part, (cst.Import, cst.ImportFrom)) or (
        isinstance(part, cst.Assign)
        and isinstance(part.value, literal)
        and all(isinstance(target.target, cst.Name) for target in part.targets)
    )


def _leads_elsewhere(run: Interpreter, node: cst.Try | cst.TryStar, handler: Handler) -> bool:
    answers = context_of(run).answers
    if answers is None or not _asks(handler):
        return False
    body = _tops(run, [node.body])
    return any(present(run, name, body, answers) is False for name in _imported(run, [handler.body]))


def _tops(run: Interpreter, bodies: Iterable[cst.BaseSuite]) -> frozenset[str]:
    return frozenset(name.split(".")[0] for name in _imported(run, bodies))


def _imported(run: Interpreter, bodies: Iterable[cst.BaseSuite]) -> Sequence[str]:
    """Return the dotted names that blocks import, at any depth."""
    names: list[str] = []
    for body in bodies:
        if id(body) not in context_of(run).imported:
            context_of(run).imported[id(body)] = list(_names(body))
        names += context_of(run).imported[id(body)]
    return names


def _names(body: cst.BaseSuite) -> Iterable[str]:
    for node in index.walk(body):
        if isinstance(node, cst.Import):
            yield from (alias.evaluated_name for alias in node.names)
        elif isinstance(node, cst.ImportFrom) and node.module is not None and not node.relative:
            source = cst.helpers.get_full_name_for_node(node.module) or ""
            aliases = [] if isinstance(node.names, cst.ImportStar) else node.names
            yield from (f"{source}.{alias.evaluated_name}" for alias in aliases) if aliases else [source]
