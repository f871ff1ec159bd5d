"""Target queries: what a program asks of the installation that it runs on, and what a target answers.

Read for no target in particular, such a query stays open and is recorded in `Interpreter.asks`; the file is then read
once more for each target that answers in another way (`Interpreter.answers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import libcst as cst
from packaging.version import Version

from cudnnlint.core.answers import Answers
from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Instance, Library, UnknownValue, Value
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

T = TypeVar("T")

FRAMEWORK, CLASS, KERAS, TENSORFLOW, BACKEND = "framework", "class", "keras", "tensorflow", "backend"
VERSION_NAMES = ("__version__", "VERSION")
#: Packages and modules that every release has.
_WHOLE = ("keras", "tf_keras", "tensorflow", "tensorflow.keras")
_CATCHES = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"})


def version(run: Interpreter, module: str) -> Value:
    """Return `module.__version__`."""
    of_keras = any(f"{module}.".startswith(f"{root}.") for root in state_of(run).names.roots)
    top = module.split(".")[0]
    found = None
    if of_keras:
        found = _answer(run, KERAS, lambda answers: _of_keras(answers, top))
    elif top == "tensorflow":
        found = _answer(run, TENSORFLOW, _of_tensorflow)
    return Const(str(found)) if found else UnknownValue("is a version that is not known here", f"{module}.__version__")


def _of_keras(answers: Answers, top: str) -> Version | None:
    if top != "tensorflow":
        return answers.keras if answers.framework == top else None
    if answers.framework == "tensorflow":  # it has numbers of its own
        return None
    beside = answers.keras_3 and _of_tensorflow(answers) is not None
    return None if beside and answers.tf_keras_3 is False else answers.keras


def _of_tensorflow(answers: Answers) -> Version | None:
    return answers.keras if answers.framework == "tensorflow" else answers.tensorflow


def of_package(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `importlib.metadata.version("tensorflow")`."""
    name = arguments.get(0, "distribution_name")
    if not isinstance(name, Const) or not isinstance(name.value, str):
        return None
    framework = DISTRIBUTIONS.get(canonical(name.value))
    return version(run, framework) if framework in ("tensorflow", "keras", "tf_keras") else None


def distribution(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `pkg_resources.get_distribution("tensorflow")`, of which only the version is known."""
    version = of_package(run, arguments, origin)
    if version is None:
        return None
    found = Instance(Library("pkg_resources.Distribution"), run.journal.table(), at=origin)
    run.journal.write(found.table, "version", version)
    return found


def backend(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `keras.backend.backend()`, `keras.config.backend()`."""
    said = state_of(run).world.get("backend")
    found = None if said is not None else _answer(run, BACKEND, lambda answers: answers.backend)
    return said or (Const(found) if found else None)


def find_spec(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `importlib.util.find_spec("tf_keras")`, which asks whether the package is there."""
    name = arguments.get(0, "name")
    package = name.value if isinstance(name, Const) else None
    if package not in ("tf_keras", "keras", "tensorflow"):
        return None
    there = _answer(run, FRAMEWORK, lambda answers: _present(run, package, frozenset(), answers))
    return None if there is None else Library("importlib.machinery.ModuleSpec") if there else NONE


def has(run: Interpreter, module: str, name: str) -> bool | None:
    """Evaluate `hasattr(module, name)`, as far as releases of Keras are known to differ in it."""
    dotted, names = f"{module}.{name}", state_of(run).names
    if names.recurrent_class(dotted) is not None or names.may_be_absent(dotted):
        run.forked |= names.may_be_absent(dotted)  # also where no branch asks it: `getattr(layers, name, other)`
        return _answer(run, CLASS, lambda answers: answers.has_class(dotted))
    if module in ("keras", "tensorflow.keras") and name == "ops":
        return _answer(run, KERAS, lambda answers: answers.keras_3)
    return None


def _answer(run: Interpreter, question: str, of: Callable[[Answers], T | None]) -> T | None:
    """Return what the target answers; without one, the query is recorded."""
    answers = context_of(run).answers
    if answers is None:
        context_of(run).asks.add(question)
        return None
    return of(answers)


# ---------------------------------------------------------------- imports that may fail


def guard(run: Interpreter, node: cst.Try | cst.TryStar) -> frozenset[str] | None:
    """Return the packages that the handlers of a `try` import instead; None if none of them catches a failed import."""
    handlers = [handler for handler in node.handlers if catches(handler)]
    if not handlers:
        return None
    body, instead = _tops(run, [node.body]), _tops(run, [handler.body for handler in handlers])
    if "tf_keras" in body | instead and len((body | instead) & {"tf_keras", "keras", "tensorflow"}) > 1:
        context_of(run).asks |= {FRAMEWORK} if context_of(run).answers is None else set()
    return instead


def catches(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    """Return whether a handler takes an import that fails."""
    if handler.type is None:
        return True
    return any(isinstance(name, cst.Name) and name.value in _CATCHES for name in index.walk(handler.type))


def fails(run: Interpreter, dotted: str) -> bool:
    """Return whether the import of a module, or of a name from one, certainly fails in a `try` that catches it."""
    instead = context_of(run).guard
    return instead is not None and _found(run, dotted, instead) is False


def _found(run: Interpreter, dotted: str, instead: frozenset[str]) -> bool | None:
    """Return whether what an import names is there; None where it is not known."""
    answers = context_of(run).answers
    there = None if answers is None else _present(run, dotted, instead, answers)
    if there is False or dotted in _WHOLE:
        return there
    if state_of(run).names.may_be_absent(dotted):
        return _answer(run, CLASS, lambda answers: answers.has_class(dotted))
    return (
        there if state_of(run).names.recurrent_class(dotted) is not None or state_of(run).names.lasts(dotted) else None
    )


def handlers(
    run: Interpreter, node: cst.Try | cst.TryStar, stopped: bool
) -> list[cst.ExceptHandler | cst.ExceptStarHandler]:
    """Return the handlers of a `try` that may run.

    It is one where an import is known to fail, and none where all are known to be there. A handler that imports another
    framework in place of the target's is left out.
    """
    given: list[cst.ExceptHandler | cst.ExceptStarHandler] = list(node.handlers)
    if stopped:
        given = list(filter(catches, given))[:1]
    elif context_of(run).answers is not None and _only_imports(run, node):
        return []
    return [handler for handler in given if not _leads_elsewhere(run, node, handler)]


def _only_imports(run: Interpreter, node: cst.Try | cst.TryStar) -> bool:
    """Return whether the body of a `try` imports what is known to be there, and does nothing else that can fail."""
    lines = node.body.body
    small = [part for line in lines if isinstance(line, cst.SimpleStatementLine) for part in line.body]
    if len(small) < len(lines) or not all(map(_cannot_fail, small)):
        return False
    instead = _tops(run, [handler.body for handler in node.handlers])
    return all(_found(run, name, instead) for name in _imported(run, [node.body]))


def _cannot_fail(part: cst.BaseSmallStatement) -> bool:
    """Return whether a statement is an import, or assigns a literal to a name."""
    literal = (cst.Name, cst.SimpleString, cst.Integer)
    return isinstance(part, (cst.Import, cst.ImportFrom)) or (
        isinstance(part, cst.Assign)
        and isinstance(part.value, literal)
        and all(isinstance(target.target, cst.Name) for target in part.targets)
    )


def _leads_elsewhere(
    run: Interpreter, node: cst.Try | cst.TryStar, handler: cst.ExceptHandler | cst.ExceptStarHandler
) -> bool:
    answers = context_of(run).answers
    if answers is None or not catches(handler):
        return False
    body = _tops(run, [node.body])
    return any(_present(run, name, body, answers) is False for name in _imported(run, [handler.body]))


def _present(run: Interpreter, dotted: str, others: frozenset[str], answers: Answers) -> bool | None:
    """Return whether a module is there, where `others` replace it.

    An alternative of the target's own framework is the one that runs.
    """
    top = dotted.split(".")[0]
    of_keras = any(f"{dotted}.".startswith(f"{root}.") for root in state_of(run).names.roots)
    if top == "tf_keras" or (top == "keras" and answers.framework == "keras"):
        return answers.framework == top
    if top == "tensorflow" and answers.backend == "tensorflow" and answers.framework != "tf_keras":
        return True
    if of_keras and answers.framework == "tf_keras" and "tf_keras" in others:
        return False
    if of_keras and top == "keras" and answers.framework == "tensorflow":
        return False if "tensorflow" in others else None
    return None


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
