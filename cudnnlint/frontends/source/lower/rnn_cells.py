"""The cells of an RNN, as constructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from cudnnlint.core.layer import Construction
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import activation_equivalence, layers, mutations
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Class,
    Const,
    Instance,
    Library,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    options,
    placed,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

ACTIVATIONS = ("activation", "recurrent_activation")
Construct = Callable[[Build, "Origin | None"], Construction]
Placed = Callable[["Origin | None"], "SourcePlace | None"]


def of(run: Interpreter, build: Build, construct: Construct, place: Placed) -> tuple[Construction, ...]:
    """Return the cells that an RNN is given: one, several, or a stack of them."""
    found: list[Construction] = []
    for option in options(build.arguments.get("cell", NONE)):
        made = layers.made_of(option)
        inner = made.build.arguments.get("cells", NONE) if made is not None else option
        if made is not None and made.build.class_name != "StackedRNNCells":
            found.append(construct(made.build, option.at))
        elif (lone := layers.made_of(inner)) is not None and made is not None:
            found.append(replace(construct(made.build, option.at), cells=(construct(lone.build, inner.at),)))
        elif isinstance(inner, (Listing, Tuple)):
            every = [present(item) for item in containers.elements(run, inner).items]
            found += [one for item in every if (one := _single(item, construct, place)) is not None]
        elif (other := _single(option, construct, place)) is not None:
            found.append(other)
    return tuple(found)


def stack_dtype(build: Build) -> Value:
    """Return the dtype that StackedRNNCells around the cells of an RNN are given; not bound where none is."""
    made = [layers.made_of(option) for option in options(build.arguments.get("cell", NONE))]
    given = [
        one.build.arguments.get("dtype", UNBOUND)
        for one in made
        if one is not None and one.build.class_name == "StackedRNNCells" and build.class_name == "RNN"
    ]
    if len(made) > 1 and any(one is not UNBOUND for one in given):
        return UnknownValue("is that of one of several stacks of cells", "dtype")
    return given[0] if given else UNBOUND


def arguments(run: Interpreter, build: Build) -> Mapping[str, Value]:
    """Return the arguments of a layer; a class among the cells of an RNN, not called, stands for all of them.

    A list of cells is what is given, with StackedRNNCells around it or without.
    """
    if build.class_name != "RNN" or "cell" not in build.arguments:
        given = {**build.arguments, **mutations.stateful(build)}
        return {name: _followed(run, name, value) for name, value in given.items()}
    cell = _stacked(build.arguments["cell"])
    items = containers.elements(run, cell).items if isinstance(cell, (Listing, Tuple)) else [cell]
    found = next((one for item in items if (one := _class(present(item))) is not None), None)
    return {**build.arguments, "cell": cell if found is None else found}


def _followed(run: Interpreter, name: str, value: Value) -> Value:
    """Return an argument; an activation that calls numpy is not known, as how the layer is called decides."""
    if name in ACTIVATIONS and activation_equivalence.calls_numpy(run, value):
        return UnknownValue("calls numpy, which stops in a model and runs in an eager call", name, at=value.at)
    return value


def _stacked(cell: Value) -> Value:
    """Return the list of cells in StackedRNNCells, at the place of the stack; anything else as it is."""
    made = layers.made_of(cell)
    stack = made is not None and made.build.class_name == "StackedRNNCells"
    inner = made.build.arguments.get("cells") if made is not None and stack else None
    return placed(inner, cell.at) if isinstance(inner, (Listing, Tuple)) and cell.at is not None else cell


def _class(cell: Value) -> Value | None:
    """Return a class: one of Keras's own, or the name of the user's; None for an object."""
    if isinstance(cell, Class):
        return Const(f"the class {cell.name}", at=cell.at)
    return cell if isinstance(cell, Library) and cell.name.endswith("Cell") else None


def _single(cell: Value, construct: Construct, place: Placed) -> Construction | None:
    """Return one cell: of Keras, or of another library under the name that it has there."""
    made = layers.made_of(cell)
    if made is not None:
        return construct(made.build, cell.at)
    if not isinstance(cell, Instance) or not isinstance(cell.kind, Library):
        return None
    return Construction(cell.kind.name.rsplit(".", 1)[-1], cell.kind.name, place=place(cell.at))
