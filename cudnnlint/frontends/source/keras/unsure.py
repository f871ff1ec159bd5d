"""Layers of unknown origin: the name is a layer's of Keras, but where it comes from cannot be read.

`LSTM(4)` behind `from utils import *` where `utils` is nowhere, `x.keras.layers.LSTM(4)` of an `x` that is not known:
a reader takes them for Keras's layers, and nothing shows which Keras that is. They are reported as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.keras import built_elsewhere, layers, picked
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.values import Imported, Instance, Library, UnknownValue, Value, options, present
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_IMPORTED = regex(r"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)
#: A part of a dotted name behind which a reader expects Keras's classes.
_PLACES = frozenset({"keras", "layers"})


def unknown(run: Interpreter, callee: UnknownValue, arguments: Arguments, origin: Origin) -> Value | None:
    """Construct a layer by a name that is not followed; None where the name is not one of Keras's layers."""
    if picked.is_recurrent(callee, arguments) and _imports_keras(run, origin) and not _has_look_alikes(run, origin):
        return picked.recurrent(run, callee, arguments, origin)
    node = origin.node.func if isinstance(origin.node, cst.Call) else None
    path, _, name = str(callee.what or "").rpartition(".")
    bare = isinstance(node, cst.Name) and _is_layer(run, node.value)
    if bare and isinstance(node, cst.Name) and _may_be_keras(origin.unit, node.value):
        return None  # that it is one is followed beside it
    if bare and isinstance(node, cst.Name) and not _has_look_alikes(run, origin):
        name = node.value
    elif isinstance(node, cst.Subscript) and _is_key(run, node, arguments) and not _has_look_alikes(run, origin):
        name = _key(node)
    elif not _is_layer(run, name) or _PLACES.isdisjoint(re.findall(r"\w+", path)):
        return None
    stars = list(_unread(run, origin.unit)) if bare else []
    because = Sentence("`", name, f"` may come from `{stars[-1]}`, which is not read") if stars else callee.because
    return _construct(run, name, because, arguments, origin)


def foreign(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Instance | None:
    """Construct a layer that a package hands on which is not read; None where that is not Keras by its name.

    In a file that imports Keras itself and nothing with look-alikes, a class called LSTM may be Keras's or one of it.
    """
    top, _, name = callee.name.partition(".")
    name = name.rpartition(".")[2]  # empty where a module itself is called
    if not callee.foreign or not _is_layer(run, name):
        built_elsewhere.construct(run, callee, arguments, origin)
        return None
    if "keras" not in callee.name and (not _imports_keras(run, origin) or _has_look_alikes(run, origin)):
        return None
    because = f"`{callee.name}` is imported from `{top}`, which is not read"
    return _construct(run, name, because, arguments, origin)


def _is_layer(run: Interpreter, name: str) -> bool:
    return name in state_of(run).names.recurrent | state_of(run).names.wrappers


def _is_key(run: Interpreter, node: cst.Subscript, arguments: Arguments) -> bool:
    """Return whether `RNNS["LSTM"](64, unroll=True)` has the name and the arguments of a recurrent layer."""
    names = state_of(run).names
    known = {"units", "filters", "kernel_size", "input_shape", "name", *names.arguments}
    return _key(node) in names.recurrent and known.issuperset(arguments.keywords) and len(arguments.positional) < 3


def _key(node: cst.Subscript) -> str:
    """Return the constant text by which an item is taken; "" where it is none."""
    part = node.slice[0].slice if len(node.slice) == 1 else None
    text = part.value if isinstance(part, cst.Index) else None
    value = text.evaluated_value if isinstance(text, cst.SimpleString) else None
    return value if isinstance(value, str) else ""


def _may_be_keras(unit: Unit, name: str) -> bool:
    """Return whether a name of a module is a library's on one of its paths."""
    bound = unit.table.get(name) if isinstance(unit, ModuleUnit) else None
    return bound is not None and any(isinstance(option, Library) for option in options(bound))


def _imports_keras(run: Interpreter, origin: Origin) -> bool:
    """Return whether the file itself imports Keras, alone or in TensorFlow."""
    tops = {root.partition(".")[0] for root in state_of(run).names.roots}
    return not tops.isdisjoint(_IMPORTED.findall(origin.unit.text))


def _has_look_alikes(run: Interpreter, origin: Origin) -> bool:
    """Return whether the file imports a package that has other classes of these names."""
    found = {name for unit in (origin.unit, *run.units) for name in _IMPORTED.findall(unit.text)}
    return not found.isdisjoint(state_of(run).names.look_alikes)


def _unread(run: Interpreter, unit: Unit) -> Iterator[str]:
    """Yield the modules of unknown packages of which a unit imports all names."""
    for module in unit.stars:
        value = run.modules.module(module, unit)
        if not isinstance(value, Imported) and isinstance(value, Library) and value.foreign:
            yield module


def _construct(run: Interpreter, name: str, because: Words, arguments: Arguments, origin: Origin) -> Instance:
    instance = Instance(Library(f"keras.layers.{name}"), run.journal.table(), at=origin)
    run.library.construct(run, instance, f"keras.layers.{name}", arguments, origin)
    inside = [arguments.get(0, "layer"), arguments.keywords.get("backward_layer")]
    wrapped = [one for value in inside if value is not None for one in options(present(value))]
    for value in (instance, *(wrapped if name in state_of(run).names.wrappers else ())):
        made = layers.made_of(value)
        if made is not None:
            made.build.unsure = made.build.unsure or because
    return instance
