"""Other layers that some release of Keras 3 refuses to make: the surrounding "refused_beside".

A line, `Conv1D(border_mode='same')`, is a class and an argument of it, with its value where that is plain. Which
releases take it, the rule finds out from tables/layers.toml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.keras_packages import package_of
from cudnnlint.core.layer_refusals import ANY
from cudnnlint.core.refused_values import kinds_of
from cudnnlint.frontends.source.keras.calls_before import before
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build, Site
from cudnnlint.frontends.source.keras.tensors import Source
from cudnnlint.frontends.source.python.values import Const, Instance, Value, may_be_missing

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

REFUSED = "refused_beside"
PACKAGES = ("keras", "tensorflow.keras")
SCALARS = (type(None), bool, int, float, str)


def built(run: Interpreter, instance: Instance, build: Build, site: Site | None) -> None:
    """Note a layer that some release refuses to make; none where a `try` is around it, or its class is not certain."""
    sure = build.subclass is None and not build.decided_by and build.unsure is None and not build.assumed
    if site is not None or run.guards or not sure or package_of(build.path) not in PACKAGES:
        return
    names = state_of(run).names
    class_name = names.layer(build.class_name)
    lines = [line for name, value in build.arguments.items() if (line := _line(run, class_name, name, value))]
    if class_name in names.taken.classes:
        lines.append(f"{class_name}()")
    if lines:
        state_of(run).refused[instance.table] = Const("\n".join(lines), at=instance.at)


def _line(run: Interpreter, class_name: str, name: str, value: Value) -> str | None:
    """Return the line of an argument that not every release takes, or whose value one refuses; None for any other."""
    taken = state_of(run).names.taken
    if class_name not in taken.taken or may_be_missing(value):
        return None
    plain = isinstance(value, Const) and not value.assumed and isinstance(value.value, SCALARS)
    kinds = kinds_of(value.value) if isinstance(value, Const) and plain else frozenset()
    refused = any(kinds & some for some, _ in taken.refused.get((class_name, name), ()))
    refused = refused or (name == "activation" and "text" in kinds and _unnamed(run, value))
    if name in taken.taken[class_name] and (class_name, name) not in taken.spans and not refused:
        return None
    return f"{class_name}({name}={repr(value.value) if isinstance(value, Const) and plain else ANY})"


def _unnamed(run: Interpreter, value: Value) -> bool:
    """Return whether a text names no activation of Keras."""
    return isinstance(value, Const) and value.value not in state_of(run).names.activations


def leading(run: Interpreter, source: Source) -> dict[str, Value]:
    """Return the surrounding of a call, by the layers that lead to it; nothing where every release takes them."""
    refused = state_of(run).refused
    tables = [one.layer.table for one in before(source) if isinstance(one.layer, Instance)] if refused else []
    return together([refused[table] for table in tables if table in refused])


def together(found: list[Value]) -> dict[str, Value]:
    """Return the surrounding for these layers, at the place of the first."""
    lines = dict.fromkeys(line for one in found if isinstance(one, Const) for line in str(one.value).split("\n"))
    return {REFUSED: Const("\n".join(lines), at=found[0].at)} if lines else {}
