"""Target queries: what a program asks of the installation that it runs on, and what a target answers.

Read for no target in particular, such a query stays open and is recorded in `Interpreter.asks`; the file is then read
once more for each target that answers in another way (`Interpreter.answers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from packaging.version import Version

from cudnnlint.core.answers import Answers
from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Instance, Library, UnknownValue, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

T = TypeVar("T")

FRAMEWORK, CLASS, KERAS, TENSORFLOW, BACKEND = "framework", "class", "keras", "tensorflow", "backend"
VERSION_NAMES = ("__version__", "VERSION")


def version(run: Interpreter, module: str) -> Value:
    """Return `module.__version__`."""
    of_keras = any(f"{module}.".startswith(f"{root}.") for root in state_of(run).names.roots)
    top = module.split(".")[0]
    found = None
    if of_keras:
        found = answer(run, KERAS, lambda answers: _of_keras(answers, top))
    elif top == "tensorflow":
        found = answer(run, TENSORFLOW, _of_tensorflow)
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
    found = None if said is not None else answer(run, BACKEND, lambda answers: answers.backend)
    return said or (Const(found) if found else None)


def find_spec(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `importlib.util.find_spec("tf_keras")`, which asks whether the package is there."""
    name = arguments.get(0, "name")
    package = name.value if isinstance(name, Const) else None
    if package not in ("tf_keras", "keras", "tensorflow"):
        return None
    there = answer(run, FRAMEWORK, lambda answers: present(run, package, frozenset(), answers))
    return None if there is None else Library("importlib.machinery.ModuleSpec") if there else NONE


def has(run: Interpreter, module: str, name: str) -> bool | None:
    """Evaluate `hasattr(module, name)`, as far as releases of Keras are known to differ in it."""
    dotted, names = f"{module}.{name}", state_of(run).names
    if names.recurrent_class(dotted) is not None or names.may_be_absent(dotted):
        run.forked |= names.may_be_absent(dotted)  # also where no branch asks it: `getattr(layers, name, other)`
        return answer(run, CLASS, lambda answers: answers.has_class(dotted))
    if module in ("keras", "tensorflow.keras") and name == "ops":
        return answer(run, KERAS, lambda answers: answers.keras_3)
    return None


def answer(run: Interpreter, question: str, of: Callable[[Answers], T | None]) -> T | None:
    """Return what the target answers; without one, the query is recorded."""
    answers = context_of(run).answers
    if answers is None:
        context_of(run).asks.add(question)
        return None
    return of(answers)


def present(run: Interpreter, dotted: str, others: frozenset[str], answers: Answers) -> bool | None:
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
