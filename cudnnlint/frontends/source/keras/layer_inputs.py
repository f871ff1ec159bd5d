"""What a layer is called with, as the call is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.keras import argument_order
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Listing, Mapping, Tuple, Value, may_be_missing
from cudnnlint.frontends.source.stdlib import arrays
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.sites import Build
    from cudnnlint.frontends.source.python.interpreter import Interpreter


#: The kind of stop (stops.py, tables/defaults.toml).
ARRAY_AS_STATE = Const("an array of numpy as an initial state")


@dataclass(frozen=True)
class LayerInputs:
    """What a layer is called with: its inputs, the mask that is passed, and whether states are passed too.

    `own` is the mask that a Lambda's `mask=` computes, `keywords` are the names of what is certainly passed by name,
    `listed` is "list", "tuple" or "dict" where the call writes the inputs in one, or names one that holds them.
    `handed_on` are the names of what is certainly passed to the method `call` itself, `stops` the kinds of what stops
    the call in some releases (stops.py).
    """

    inputs: Sequence[Value]
    mask: Value | None = None
    states: Value | None = None
    own: Value | None = None
    keywords: frozenset[str] = frozenset()
    listed: str = ""
    handed_on: frozenset[str] = frozenset()
    stops: tuple[Value, ...] = ()

    @property
    def first(self) -> Value:
        """The first input."""
        return self.inputs[0] if self.inputs else NONE

    @property
    def named(self) -> dict[str, Value]:
        """How the inputs are passed, as the context of the call: by which names, and in what; nothing that is usual."""
        found: dict[str, Value] = {"listed": Const(self.listed)} if self.listed else {}
        if self.keywords - {"mask", "training"}:
            found["call_keywords"] = Const(", ".join(sorted(self.keywords)))
        if self.handed_on - {"mask", "training"}:
            found["direct_call_keywords"] = Const(", ".join(sorted(self.handed_on)))
        return found


def first_of(arguments: Arguments) -> Value:
    """Return what a layer of Keras is called with: its first argument, which has three names."""
    named = (arguments.get(0, name) for name in ("inputs", "sequences", "query"))
    return next((value for value in named if value is not None), NONE)


def given_to(run: Interpreter, arguments: Arguments, origin: Origin, method: Build | None) -> LayerInputs:
    """Return what a call passes to a Keras layer; `method` is the layer where its own `call` is what is called."""
    inputs = first_of(arguments)
    if isinstance(inputs, (Listing, Tuple)):
        contents = containers.elements(run, inputs)
        values = [*contents.items, *([contents.rest] if contents.rest is not None else [])]
    else:
        values = [inputs]
    listed = ""
    called = id(origin.node) not in run.active
    if called or inputs is state_of(run).entered:
        graph = bool(values) and all(isinstance(one, Tensor) and one.source is not None for one in values)
        own = inputs.at is not None and inputs.at.node is _first_argument(origin.node)
        own = own and (called or isinstance(inputs, Listing))  # else the call is the model's, perhaps with data
        written = _written_in(origin.node) if called or own else ""
        listed = (written or _made_in(run, inputs)) if graph else _by_name(run, inputs) or (written if own else "")
    state = arguments.get(1, "initial_state")
    passed = state is not None and not containers.is_nothing(state)
    keywords = frozenset(name for name, value in arguments.keywords.items() if not may_be_missing(value))
    mask, states, kinds = arguments.keywords.get("mask"), state if passed else None, _arrays(run, state)
    if method is not None and method.class_name in state_of(run).names.recurrent and len(arguments.positional) > 1:
        mask, states = (argument_order.taken(run, arguments, name) for name in ("mask", "initial_state"))
        kinds = tuple(argument_order.stops(arguments, origin))
    constants = frozenset({"constants"} if isinstance(arguments.keywords.get("constants"), (Tensor, Listing)) else ())
    by_name, handed_on = (frozenset[str](), keywords) if method is not None else (keywords, constants)
    return LayerInputs(values, mask, states, keywords=by_name, listed=listed, handed_on=handed_on, stops=kinds)


def _arrays(run: Interpreter, state: Value | None) -> tuple[Value, ...]:
    """Return the kind of a call with an array of numpy as an initial state."""
    several = isinstance(state, (Listing, Tuple))
    each = containers.elements(run, state).items if several and state is not None else (state,)
    return (ARRAY_AS_STATE,) if any(one is not None and arrays.is_array(one) for one in each) else ()


def _by_name(run: Interpreter, value: Value) -> str:
    """Return "dict" where a value is a dict of nothing but tensors of the program's graph."""
    plain = isinstance(value, Mapping) and value.body is None and not value.assumed
    found = [cell for _, cell in value.table.items()] if plain and isinstance(value, Mapping) else []
    sources = [one.source if isinstance(one, Tensor) else None for one in found]
    symbolic = state_of(run).symbolic
    return "dict" if sources and all(one is not None and set() < one.roots <= symbolic for one in sources) else ""


def _made_in(run: Interpreter, value: Value) -> str:
    """Return "list" or "tuple" where a value is one that the program makes of tensors of its graph, and no data.

    What layers of Keras return is a tuple in some releases and a list in others.
    """
    if isinstance(value, Tuple):
        kind = "tuple" if value.at is not None and isinstance(value.at.node, cst.Tuple) else ""
    else:
        kind = "list" if isinstance(value, Listing) and value.kind == "list" else ""
    if not kind or value.assumed:
        return ""
    contents = containers.elements(run, value)
    sources = [one.source for one in contents.items if isinstance(one, Tensor)]
    symbolic = state_of(run).symbolic
    sure = contents.certain and all(source is not None and set() < source.roots <= symbolic for source in sources)
    return kind if sure else ""


def _written_in(call: cst.CSTNode) -> str:
    """Return "list", "tuple" or "dict" where a call writes its first argument as one that holds something.

    A model is given data in tuples too.
    """
    first = _first_argument(call)
    if not isinstance(first, (cst.List, cst.Tuple, cst.Dict)) or not first.elements:
        return ""
    return "list" if isinstance(first, cst.List) else "tuple" if isinstance(first, cst.Tuple) else "dict"


def _first_argument(call: cst.CSTNode) -> cst.CSTNode | None:
    return call.args[0].value if isinstance(call, cst.Call) and call.args else None
