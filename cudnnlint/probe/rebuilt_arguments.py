"""A construction and its arguments as the child takes them; what cannot be handed over leaves the layer out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cudnnlint.core.fact import Absent, Assumed, Fact, Known, NumpyNumber, OneOf, Opaque, Ref, Unknown
from cudnnlint.core.layer import Construction
from cudnnlint.core.recurrent_inputs import alone_in_list

#: What an argument is taken to be where its value is not known: it does not decide the route.
STAND_INS: Mapping[str, Any] = {
    "units": 4, "filters": 2, "kernel_size": 3, "input_shape": [5, 4], "input_dim": 4, "input_length": 5,
    "batch_input_shape": [3, 5, 4], "batch_size": 3, "return_sequences": False, "return_state": False,
    "go_backwards": False, "stateful": False, "time_major": False, "zero_output_for_mask": False,
}  # fmt: skip
#: What plays no part at all, and may be an object of the user's.
IDLE = frozenset({
    "name", "trainable", "seed", "weights", "kernel_initializer", "recurrent_initializer", "bias_initializer",
    "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "activity_regularizer", "kernel_constraint",
    "recurrent_constraint", "bias_constraint", "cell", "cells", "layer", "backward_layer",
})  # fmt: skip
#: The types of those of them that stop some releases where they have another; names, see `describe`.
USUAL: Mapping[str, tuple[type, ...]] = {"trainable": (bool,), "seed": (int, type(None))}
#: The ends of the names of those that some releases refuse by their text or number, which are handed over.
NAMED = ("initializer", "regularizer", "constraint")
FUNCTIONS = ("activation", "recurrent_activation")  # where any function does for one that is not Keras's own
LARGEST = 64  # units in a dry run: the route does not depend on them, memory does


class Unfit(Exception):
    """The layer is left out; the text is the sentence why."""


class UnfitAlone(Unfit):
    """The layer cannot be rebuilt alone, and its program as a whole would show it: the rulebook's own are run."""


def known(fact: Fact, what: str) -> Any:
    """Return the value of a fact, None if it is absent. Raises Unfit where it is not one value."""
    if isinstance(fact, (Known, Assumed)):
        return fact.value
    if isinstance(fact, Absent):
        return None
    because = fact.because if isinstance(fact, (Unknown, OneOf)) and fact.because else "it has several values"
    raise Unfit(f"The layer cannot be rebuilt: {what} is not known ({because})")


def construction(made: Construction, dry: bool) -> dict[str, Any]:
    """Return a construction as the child takes it. Raises Unfit."""
    if made.subclass:
        raise UnfitAlone(f"{made.subclass} is a class of your program, and the probe does not run its code")
    if made.open:
        raise Unfit(f"The layer cannot be rebuilt: {made.open}")
    if made.cells is not None and not made.cells:
        raise UnfitAlone("The layer cannot be rebuilt: its cells are not known")
    if alone_in_list(made, made.argument("cell")) is not None:
        raise UnfitAlone("The probe cannot rebuild a list of one cell")
    if made.class_name == "StackedRNNCells" and made.cells:
        raise UnfitAlone("The probe cannot rebuild StackedRNNCells of a cell that is in no list")
    return {
        "class_name": made.class_name,
        "path": made.path,
        "arguments": dict(passed(made.arguments, dry)),
        "cells": None if made.cells is None else [construction(cell, dry) for cell in made.cells],
    }


def passed(arguments: Mapping[str, Fact], dry: bool) -> Iterator[tuple[str, Any]]:
    """Yield each argument that counts, by its name. Raises Unfit."""
    for name, fact in arguments.items():
        if isinstance(fact, Absent) or (name in IDLE and not _may_stop(fact, name)):
            continue
        if name == "dtype" and not is_name(fact):
            continue
        if name in STAND_INS and not isinstance(fact, (Known, Assumed)):
            yield name, STAND_INS[name]
            continue
        value = known(fact, name)
        if name in ("units", "filters") and dry and type(value) is int:
            value = min(value, LARGEST)
        yield name, encoded(value, name)


def _may_stop(fact: Fact, name: str) -> bool:
    """Return whether a setting that plays no part has a value that releases refuse: of another type, or a name."""
    if name.endswith(NAMED):
        return isinstance(fact, Known) and (fact.value is None or isinstance(fact.value, (str, int, float)))
    return name in USUAL and isinstance(fact, (Known, Assumed)) and type(fact.value) not in USUAL[name]


def is_name(dtype: Fact) -> bool:
    """Is a dtype given by its name? One that is an object is known by what surrounds the layer."""
    return isinstance(dtype, Known) and isinstance(dtype.value, str)


def encoded(value: Any, name: str) -> Any:
    """Return a value as the child takes it (see its Builder). Raises Unfit for other than literals and functions."""
    if isinstance(value, Ref):
        return {"ref": value.name}
    if isinstance(value, Opaque) and name in FUNCTIONS:
        return {"own": value.what}
    if isinstance(value, tuple):
        return {"tuple": [encoded(item, name) for item in value]}
    if isinstance(value, list):
        return [encoded(item, name) for item in value]
    if isinstance(value, dict):
        return {"dict": [[key, encoded(item, name)] for key, item in value.items()]}
    if value is None or (isinstance(value, (bool, int, float, str)) and not isinstance(value, NumpyNumber)):
        return value
    raise Unfit(f"The layer cannot be rebuilt: the value of {name} is not a plain value")


def has_stand_in(spec: Any) -> bool:
    """Return whether a description holds a function of the user's program, which the child replaces."""
    if isinstance(spec, dict):
        return "own" in spec or any(has_stand_in(part) for part in spec.values())
    return isinstance(spec, list) and any(has_stand_in(part) for part in spec)
