"""Which of Keras's methods a user's subclass replaces, and whether Keras's own is still reached from there."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.keras import class_settings
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.values import Class, Function, Library, Value, words

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.sites import Build
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: What may register a class in another way than by a decorator.
_REGISTERS = regex(r"custom_object|CustomObjectScope|^(?!\s*@|.*import).*register_keras_seri\w+\(", re.MULTILINE)
#: Methods of Keras layers that a user's subclass can replace, as far as they decide what runs.
REPLACEABLE = ("call", "inner_loop", "build", "__call__", "compute_mask")
#: A call of the kernel itself, as `keras.src.backend.lstm(...)` is; a layer of one's own of that name is judged alone.
_KERNEL = regex(r"(?<!self\.)\b(?:gpu_|cudnn_)?(?:lstm|gru)(?:_with_backend_selection)?\s*\(|cudnn", re.IGNORECASE)
#: What stands before a bracket and is Python's own: functions, and words of its grammar.
_OF_PYTHON = words(
    "abs all and any assert bool dict elif else enumerate filter float for getattr hasattr if in int is isinstance "
    "iter lambda len list map max min next not or print range repr return reversed round set slice sorted str sum "
    "super tuple type while with yield zip"
)
#: From where Keras chooses cuDNN, besides the method itself: Keras 3's call() goes there.
_INSIDE = {"call": "inner_loop"}


class Reach(IntEnum):
    """Whether a method reaches the one that it replaces."""

    NO = 0
    PERHAPS = 1
    YES = 2


def describe(build: Build, kind: Class) -> None:
    """Write down what a user's subclass adds to a construction."""
    replaced = replaced_methods(kind)
    build.subclass, build.overrides = kind.name, tuple(replaced)
    build.calls_super = tuple(name for name, reach in replaced.items() if reach is Reach.YES)
    build.may_call_super = tuple(name for name, reach in replaced.items() if reach is Reach.PERHAPS)
    build.call_names, build.marks = _call_names(kind), kind.marks
    build.by_class = class_settings.of(kind, build.class_name)


def registered(run: Interpreter, build: Build) -> bool | None:
    """Return whether the user's class is registered with Keras; None where that is not known.

    For a class of Keras's own: False where no text mentions a way to register anything.
    """
    if any(mark.endswith(".register_keras_serializable") for mark in build.marks):
        return True
    return None if build.marks or _may_register(run) else False


def _may_register(run: Interpreter) -> bool:
    """Return whether a text that was read mentions a way to register classes; each is looked through once."""
    state = state_of(run)
    if not state.registers and state.looked_through != len(run.modules.units):
        state.looked_through = len(run.modules.units)
        for unit in (*run.units, *(unit for unit in run.modules.units.values() if unit is not None)):
            if id(unit) not in state.silent:
                state.silent.add(id(unit))
                state.registers |= _REGISTERS.search(unit.text) is not None
    return state.registers


def _call_names(kind: Class) -> tuple[str, ...] | None:
    """Return the arguments that the class's `call` names; None where that is Keras's own, or is decorated."""
    found = classes.search(kind, "call")
    if found is None or not isinstance(found[0], Function) or not isinstance(found[0].node, cst.FunctionDef):
        return None
    node = found[0].node
    every = (*node.params.posonly_params, *node.params.params, *node.params.kwonly_params)
    return None if node.decorators else tuple(one.name.value for one in every[1:])


def replaced_methods(kind: Class) -> dict[str, Reach]:
    """Return the Keras methods that a class or its own bases replace, and whether Keras's own is reached."""
    replaced: dict[str, Reach] = {}
    for entry in classes.lineage(kind):
        if not isinstance(entry, Class):
            break
        for name in REPLACEABLE:
            method = entry.table.get(name)
            if isinstance(method, Function) and replaced.get(name, Reach.YES) is not Reach.NO:
                replaced[name] = min(replaced.get(name, Reach.YES), _reach(kind, method, name))
    return replaced


def _reach(kind: Class, method: Function, name: str, seen: frozenset[str] = frozenset()) -> Reach:
    """Return whether a method reaches Keras's own, by what its text calls on itself, on super() and on a base class."""
    text = method.unit.text_of(method.node)
    if name in ("call", "inner_loop") and _calls_kernel(method, text.partition(":")[2]):
        return Reach.PERHAPS
    past = rf"\bRNN\s*\.\s*{name}\s*\(\s*self\b|\bsuper\s*\(\s*(?:\w+\.)*(?:LSTM|GRU)\s*,[^)]*\)\s*\.\s*{name}\b"
    if re.search(past, text) and name == "call":
        return Reach.PERHAPS  # RNN's own call() comes to inner_loop() in Keras 3, and loops in Keras 2
    text = re.sub(past, "", text)  # RNN's own inner_loop() is not the one in which LSTM and GRU choose
    if re.search(rf"\bsuper\s*\([^)]*\)\s*\.\s*{name}\b|\.{name}\(\s*self\b", text):
        return Reach.YES
    inside = _INSIDE.get(name)
    if inside is not None and re.search(rf"\.\s*{inside}\b", text):
        return Reach.PERHAPS
    handed = re.search(r"[(,]\s*self\s*[,)](?!\s*(?:->[^:]*)?:)", text.partition(":")[2])
    if handed or re.search(r"\bsuper\b|\bgetattr\b", text):
        return Reach.PERHAPS
    asked = sorted(set(re.findall(r"\bself\s*\.\s*(\w+)\s*\(", text)) - seen)
    return max((_helps(kind, helper, name, seen | set(asked)) for helper in asked), default=Reach.NO)


def _calls_kernel(method: Function, body: str) -> bool:
    """Return whether a method may call the kernel: itself, by a function of the file, or by one that is not read."""
    called = {name: method.scope.find(name) for name in re.findall(r"(?<![.\w])(\w+)\s*\(", body)}
    unread = any(name not in _OF_PYTHON and _unread(one, body, name) for name, one in called.items())
    owners = [method.scope.find(name) for name in re.findall(r"(?<![.\w])(\w+)(?:\s*\.\s*\w+)+\s*\(", body)]
    unread = unread or any(isinstance(one, Library) and one.foreign for one in owners)
    texts = [one.unit.text_of(one.node).partition(":")[2] for one in called.values() if isinstance(one, Function)]
    return unread or any(_KERNEL.search(text) for text in (body, *texts))


def _unread(value: Value | None, body: str, name: str) -> bool:
    """Return whether what is called by a name is neither defined in the file nor in the method, nor a library's."""
    if isinstance(value, Library):
        return value.foreign
    return not isinstance(value, (Function, Class)) and re.search(rf"\bdef\s+{name}\b", body) is None


def _helps(kind: Class, helper: str, name: str, seen: frozenset[str]) -> Reach:
    """Return whether another method of the class reaches Keras's own; a method of Keras does not."""
    found = classes.search(kind, helper)
    if found is None or found[0] is found[1]:
        return Reach.NO
    return _reach(kind, found[0], name, seen) if isinstance(found[0], Function) else Reach.PERHAPS
