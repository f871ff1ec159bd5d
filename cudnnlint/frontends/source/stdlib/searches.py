"""Searches over hyperparameters: Keras Tuner, Optuna, hyperas, and the scikit-learn wrappers of Keras.

A search calls the function that builds the model, with values of its own. Which of them a run takes is not known, but
often what they are taken from: a list, or the numbers from one to another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.between import Between
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.signatures import every_parameter
from cudnnlint.frontends.source.python.values import (
    Bound,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    assume,
    join,
)
from cudnnlint.frontends.source.stdlib import grids
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Methods of `hp` (Keras Tuner) and `trial` (Optuna): the arguments with the choices, or with the least and greatest.
_ASKS = {
    "Choice": ("values",), "Int": ("min_value", "max_value"), "Float": ("min_value", "max_value"),
    "suggest_categorical": ("choices",), "suggest_int": ("low", "high"), "suggest_float": ("low", "high"),
    "suggest_uniform": ("low", "high"), "suggest_loguniform": ("low", "high"),
    "suggest_discrete_uniform": ("low", "high"),
}  # fmt: skip
#: How the object of Keras Tuner is called; its methods have names that others have, too.
_HP = regex(r"hp|hyper", re.IGNORECASE)
_WRAPPERS = (".KerasClassifier", ".KerasRegressor")
_PACKAGES = ("scikeras", "keras", "tf_keras", "tensorflow")


def asked(run: Interpreter, callee: Value, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what a search may answer to `hp.Choice("a", [1, 2])`, `trial.suggest_float("b", 0.1, 0.5)`."""
    func = origin.node.func if isinstance(origin.node, cst.Call) else None
    if not isinstance(func, cst.Attribute):
        return None
    plain = func.attr.value.startswith("suggest_") or _HP.match(_last(func.value))
    return _answer(run, func.attr.value, arguments, origin) if plain else None


def _answer(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    given = [arguments.get(place, one) for place, one in enumerate(_ASKS.get(name, ()), 1)]
    return _chosen(run, given, origin)


def _last(node: cst.BaseExpression) -> str:
    """Return the last name of `a.b.hp`."""
    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""


def _chosen(run: Interpreter, given: list[Value | None], origin: Origin) -> Value | None:
    """Return what a search may choose: one of a list, or a number between two."""
    return chosen(run, given, Sentence("`", origin, "` is chosen by a search"), origin)


def chosen(run: Interpreter, given: list[Value | None], because: Words, origin: Origin) -> Value | None:
    """Return one of a list, or a number between two; None where they are not known."""
    if len(given) == 1 and isinstance(given[0], (Listing, Tuple)):
        contents = containers.elements(run, given[0])
        return join(contents.items, because) if contents.certain and contents.items else None
    low, high = given if len(given) == 2 else (None, None)
    if _is_number(low) and _is_number(high) and low is not None and high is not None:
        return Between(because, None, "none", at=origin, low=low, high=high)
    return None


def _is_number(value: Value | None) -> bool:
    return isinstance(value, Const) and isinstance(value.value, (int, float))


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of `keras_tuner.HyperParameters()`; None of anything else."""
    kind = bound.receiver.kind if isinstance(bound.receiver, Instance) else None
    own = isinstance(kind, Library) and kind.name.split(".")[-1] == "HyperParameters"
    return _answer(run, bound.name, arguments, origin) if own else None


def _choice(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate hyperas' `choice([1, 2])`."""
    return _chosen(run, [arguments.get(0, "options")], origin)


def _uniform(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate hyperas' `uniform(0.1, 0.5)`."""
    return _chosen(run, [arguments.get(0, "low"), arguments.get(1, "high")], origin)


def _conditional(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate hyperas' `conditional(x)`: x itself."""
    return arguments.get(0, "data")


def wrapped(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> None:
    """Run the function that `KerasClassifier(build_fn=f)` is given, as the wrapper will call it."""
    if not callee.name.endswith(_WRAPPERS) or callee.name.split(".")[0] not in _PACKAGES:
        return
    build = arguments.get(0, "model") or arguments.keywords.get("build_fn")
    if isinstance(build, Function):
        keywords = {
            name: value
            for parameter in every_parameter(build.node.params)
            if (value := _passed(build, name := parameter.name.value, arguments, origin)) is not None
        }
        run.call(build, Arguments(keywords=keywords), origin)


def _passed(build: Function, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what a wrapper passes for a parameter; None where the default holds.

    A grid names the parameters that it tries: as the texts that are its keys, or as keywords of `dict`.
    """
    said = arguments.keywords.get(name) or arguments.keywords.get(f"model__{name}")
    default = build.defaults.get(name)
    known = said if said is not None else default
    unknown = UnknownValue(f"is a parameter of {build.name}(), and a search may choose it", name)
    tried = rf"[\"'](?:\w+__)*{name}[\"']|\b(?:dict|set_params)\([^()]*\b(?:\w+__)*{name}\s*="
    mentions = len(re.findall(tried, origin.unit.text))
    if known is None or mentions:
        listed = grids.listed(origin.unit, name, mentions)
        because = f"`{name}` is a parameter of {build.name}(), and a search chooses it"
        return join([*([] if known is None else [known]), *(listed or [unknown])], because)
    if said is not None:
        return said
    return assume(known, f"parameter `{name}` of {build.name}() has a default; a search may choose another value")


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {
        "hyperas.distributions.choice": _choice,
        "hyperas.distributions.uniform": _uniform,
        "hyperas.distributions.quniform": _uniform,
        "hyperas.distributions.conditional": _conditional,
    }
