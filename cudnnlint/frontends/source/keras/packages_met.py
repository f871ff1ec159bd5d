"""Where two packages of Keras meet: the surrounding "packages_met".

A meeting is a line of text, `tf_keras.layers.LSTM in keras.models.Sequential`, whose first and last words are the
classes that meet. The traits "refused-package" of tables/defaults.toml say which releases stop at it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from cudnnlint.core.keras_packages import YES, package_of
from cudnnlint.frontends.source.keras import layers
from cudnnlint.frontends.source.keras.calls_before import before
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build, Site
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, tensors_in
from cudnnlint.frontends.source.python.values import NONE, UNBOUND, Const, Value, join, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

MET = "packages_met"

def entered(run: Interpreter, dotted: str, made: Value) -> Value:
    """Return the tensor of an Input, noted as one of the package that makes it."""
    if isinstance(made, Tensor) and made.source is not None and (package := _package(run, dotted)):
        state_of(run).packages.add(package)
        state_of(run).home[_call(made.source)] = dotted, made.source
    return made


def built(run: Interpreter, build: Build, site: Site | None) -> None:
    """Note a class of Keras that is constructed, and whether a wrapper gets a layer of another package."""
    package = _package(run, build.path)
    if package:
        state_of(run).packages.add(package)
    if site is None or build.class_name not in state_of(run).names.wrappers:
        return
    held = options(build.arguments.get("layer", NONE))
    for one in held:
        made = layers.made_of(one)
        if made is not None and (line := meeting(run, made.build, build)):
            for at in (site, made.site):
                if at is not None:
                    at.context[MET] = Const(line) if len(held) == 1 else join([Const(line), UNBOUND])


def called(run: Interpreter, build: Build, source: Source) -> Source:
    """Return a call of a layer, noted where it meets tensors of a graph that another package builds."""
    state, package = state_of(run), _package(run, build.path)
    if state.line_by_line or not package or build.decided_by or build.subclass is not None:
        return source  # in the `call` of a layer of one's own there are tensors of TensorFlow
    given = [tensor for value in source.inputs for tensor in tensors_in(value)]
    homes = [home_of(run, tensor) for tensor in given]
    other = next((home for home in homes if home and _package(run, home) != package), None)
    if other is not None:
        state.met[_call(source)] = f"{build.path} on a tensor of {other}", source
    elif homes and all(homes):
        state.home[_call(source)] = build.path, source
    return source


def leading(run: Interpreter, source: Source) -> dict[str, Value]:
    """Return the surrounding of a call, by where packages meet there or on the way to it; nothing if nowhere."""
    met = state_of(run).met
    calls = [_call(one) for one in before(source)] if met else []
    lines = dict.fromkeys(met[call][0] for call in calls if call in met)
    return {MET: Const("\n".join(lines))} if lines else {}


def home_of(run: Interpreter, tensor: Tensor) -> str | None:
    """Return the class that a tensor of a graph comes from, where all that leads to it is of one package."""
    known = None if tensor.source is None else state_of(run).home.get(_call(tensor.source))
    return None if known is None else known[0]


def into_model(run: Interpreter, tensor: Tensor, model: Build) -> str | None:
    """Return the line for an input of a functional model; None where both are of one package, or it is not known."""
    return _between(run, home_of(run, tensor) or "", model)


def meeting(run: Interpreter, inner: Build, outer: Build) -> str | None:
    """Return the line for a layer or model in another one; None where they are of one package, or one is not sure."""
    return None if inner.decided_by else _between(run, inner.path, outer)


def _between(run: Interpreter, inner: str, outer: Build) -> str | None:
    packages = _package(run, inner), _package(run, outer.path)
    meets = all(packages) and packages[0] != packages[1] and not outer.decided_by
    return f"{inner} in {outer.path}" if meets else None


def _call(source: Source) -> Hashable:
    """Return the key of the call that made a tensor: the same for each of its outputs."""
    return id(source.inputs) if source.inputs else source


def _package(run: Interpreter, dotted: str) -> str:
    """Return the package of a class; `tf.keras` is tf_keras where the program says so, and none where it may."""
    package, legacy = package_of(dotted), state_of(run).world.get("legacy_keras")
    if package != "tensorflow.keras" or legacy is None:
        return package
    if isinstance(legacy, Const):
        return "tf_keras" if legacy.value in YES else package
    return ""
