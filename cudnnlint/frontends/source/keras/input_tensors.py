"""What `Input(...)` makes, and whether it leaves the batch size open: some layers keep a state for each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import sequence_length, tensor_shapes
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.model_ends import flat
from cudnnlint.frontends.source.keras.sites import MADE, Made
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, fresh, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Contents,
    Instance,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    join,
    may_be_missing,
    options,
    present,
    words,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Arguments that give a shape without the batch, and those that may hold the batch size.
#: Layers that take three dimensions for one image, and return it in a size of their own; and such operations.
SHAPERS = words("Resizing CenterCrop RandomCrop")
SHAPING = words(
    "reshape broadcast_to ensure_shape set_shape tile repeat concat concatenate stack gather take pad slice einsum"
)
SHAPES = words("shape input_shape input_dim")
#: Arguments that the Input of every release takes.
USUAL = words("shape batch_shape dtype sparse name tensor")
#: Dtypes that the Input of every release takes.
DTYPES = words("float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 bool string")
#: What an Input may be given in place of a shape.
TENSORS = words("tensor type_spec input_tensor")
BATCHES = words("batch_size batch_shape batch_input_shape tensor type_spec batch_input_size")


def tensor(run: Interpreter, arguments: Arguments) -> Value:
    """Evaluate `Input(shape=..., dtype=..., ragged=...)`."""
    ragged = arguments.keywords.get("ragged")
    made = fresh()
    roots = made.source.roots if made.source is not None else frozenset()
    state_of(run).symbolic.update(roots)
    name = NONE if arguments.open is None and arguments.rest is None else UnknownValue("may be given", None)
    state_of(run).named.update(dict.fromkeys(roots, arguments.keywords.get("name", name)))
    if left_open(arguments):
        state_of(run).unbatched.update(roots)
    if (unusual := _unusual(arguments)) is not None:
        state_of(run).unusual.update(dict.fromkeys(roots, unusual))
    is_ragged = ragged is not None and truth(ragged) is True
    shape = sequence_length.input_shape(arguments)
    tensor_shapes.declared(run, roots, shape, left_open(arguments) or "batch_shape" in arguments.keywords)
    length = sequence_length.length(shape) if shape is not None else None
    rank = len(shape) if shape is not None and not any(value.assumed for value in arguments.every()) else None
    made = replace(made, featureless=rank is not None and shape is not None and containers.is_nothing(shape[-1]))
    return replace(made, dtype=arguments.keywords.get("dtype"), ragged=is_ragged, rank=rank, steps=length)


def every(inputs: Value) -> list[Tensor]:
    """Return the inputs of a functional model, in their order."""
    return tensors_in(flat(inputs))


def like(run: Interpreter, tensor: Tensor) -> Tensor:
    """Return the new Input of a model's clone: of the shape and dtype that the model's own has."""
    state, made = state_of(run), fresh()
    for known in (state.symbolic, state.unbatched):
        if tensor.source in known and made.source is not None:
            known.update(made.source.roots)
    made = replace(made, dtype=tensor.dtype, ragged=tensor.ragged)
    return replace(made, rank=tensor.rank, steps=tensor.steps, featureless=tensor.featureless)


def _unusual(arguments: Arguments) -> Value | None:
    """Return the names of the arguments of an `Input(...)` that some release refuses; None where there are none."""
    named = {name: value for name, value in arguments.keywords.items() if name not in USUAL}
    names = Const(", ".join([*sorted(named), *_shapes(arguments), *_dtype(arguments)]))
    may_lack = any(may_be_missing(value) for value in named.values())
    if names.value and not named:
        return names
    return None if not named else join([names, UNBOUND]) if may_lack else names


def _shapes(arguments: Arguments) -> list[str]:
    """Return what is wrong with how an `Input(...)` is told its shape, in words; nothing where that is not certain."""
    if arguments.open is not None or arguments.rest is not None:
        return []
    whole = (arguments.keywords.get(name) for name in ("batch_shape", "batch_input_shape"))
    given = [arguments.get(0, "shape"), *whole]
    told = [value for value in given if value is not None and not containers.is_nothing(value)]
    assumed = any(value is not None and value.assumed for value in given)
    if not assumed and len(told) == 1 and told[0] is given[0] and _is_number(told[0]):
        return ["a shape that is a number"]
    if assumed or not all(isinstance(value, (Tuple, Listing)) for value in told):
        return []
    if len(told) > 1:
        return ["shape with batch_shape"]
    size, shape = arguments.keywords.get("batch_size", NONE), arguments.keywords.get("batch_shape")
    if isinstance(size, Const) and not containers.is_nothing(size) and shape in told:
        return ["batch_size with batch_shape"]
    return [] if told or not TENSORS.isdisjoint(arguments.keywords) else ["a call without shape"]


def _dtype(arguments: Arguments) -> list[str]:
    """Return the dtype that an `Input(...)` is given as a text, which no release may have."""
    given = arguments.get(3, "dtype") if len(arguments.positional) < 2 else None
    text = given.value if isinstance(given, Const) and not given.assumed else None
    return [f"dtype={text!r}"] if isinstance(text, str) and text not in DTYPES and "," not in text else []


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) is int


def unusual(run: Interpreter, roots: frozenset[Source]) -> dict[str, Value]:
    """Return the surrounding "input_arguments" of a call whose input is computed from these roots, if it has one."""
    state = state_of(run)
    found = next((names for root, names in state.unusual.items() if root in roots), state.chain_input)
    return {} if found is None else {"input_arguments": found}


def dimensions(given: Value, arriving: Tensor) -> dict[str, Value]:
    """Return the surroundings "input_rank" and "features" of a call; those that are not shown are left out."""
    found: dict[str, Value] = {} if arriving.rank is None else {"input_rank": Const(arriving.rank)}
    return found | ({"features": Const("open")} if isinstance(given, Tensor) and given.featureless else {})


def left_open(arguments: Arguments) -> bool:
    """Return whether `Input(...)` certainly leaves the batch size open."""
    sure = arguments.open is None and arguments.rest is None
    shape = arguments.get(0, "shape")
    return sure and isinstance(shape, Tuple) and len(arguments.positional) < 2 and _without(arguments.keywords)


def _without(named: Mapping[str, Value]) -> bool:
    return not BATCHES & named.keys()


@contextmanager
def beginning(run: Interpreter, contents: Contents | None, given: Value) -> Iterator[None]:
    """Run a model: a Sequential of these layers, or (None) a functional one, whose Inputs say it themselves.

    `given` is what it is first called with. A Sequential that nothing has told its input gives its first layer just
    that, be it a list; one that knows its input takes the tensor out.
    """
    state = state_of(run)
    outside = state.open_chain, state.chain_input, state.entered, state.chained, state.declared, state.shaped_chain
    first = contents.items[0] if contents and contents.items else None
    shaped = first is not None and _declares(present(first))
    state.chained = contents is not None
    state.declared = first is not None and begins_graph(run, present(first))
    state.entered = given if first is not None and not shaped else None
    state.shaped_chain = state.shaped_chain or shaped
    opens = {begins_open(run, option) for option in options(present(first))} if first is not None else {False}
    other = first is not None and may_be_missing(first) and contents is not None and len(contents.items) > 1
    state.open_chain = None if other or len(opens) > 1 else opens.pop()
    entry = first.source if isinstance(first, Tensor) else None
    state.chain_input = None if entry is None else state.unusual.get(entry)
    yield
    (state.open_chain, state.chain_input, state.entered, state.chained, state.declared, state.shaped_chain) = outside


def begins_open(run: Interpreter, first: Value) -> bool:
    """Return whether a Sequential whose first entry this is has an Input without a batch size."""
    if isinstance(first, Tensor):
        return first.source is not None and first.source in state_of(run).unbatched
    made = first.table.get(MADE) if isinstance(first, Instance) else None
    if not isinstance(made, Made) or made.build.open is not None:
        return False
    return bool(SHAPES & made.build.arguments.keys()) and _without(made.build.arguments)


def begins_graph(run: Interpreter, first: Value) -> bool:
    """Return whether the first entry of a Sequential is certainly an Input, or has a shape of the input of its own."""
    if isinstance(first, Tensor):
        return first.source in state_of(run).symbolic
    made = first.table.get(MADE) if isinstance(first, Instance) else None
    known = isinstance(made, Made) and made.build.open is None
    return known and isinstance(made, Made) and not (SHAPES | BATCHES).isdisjoint(made.build.arguments)


def _declares(first: Value) -> bool:
    """Return whether the first entry of a Sequential is an Input, or may have a shape of the input of its own."""
    made = first.table.get(MADE) if isinstance(first, Instance) else None
    if not isinstance(made, Made) or made.build.open is not None or made.build.class_name == "InputLayer":
        return True
    return not (SHAPES | BATCHES).isdisjoint(made.build.arguments)


def batch(run: Interpreter, roots: frozenset[Source], tensors: Sequence[Tensor]) -> dict[str, Value]:
    """Return the surrounding "batch" of a call with these tensors, computed from these roots; nothing if not shown."""
    state = state_of(run)
    if state.open_chain is None:
        return {"batch": UnknownValue("which layer is the first of the Sequential is not known", None)}
    entered_open = bool(roots) and roots <= state.unbatched and not state.shaped_chain
    if not (state.open_chain or entered_open):
        return {}
    if may_have_a_batch(run, tensors):
        return {"batch": UnknownValue("what stands before the layer may give the batch a size", None)}
    return {"batch": Const("open")}


def reshaped(run: Interpreter, name: str, result: Value) -> Value:
    """Return the result of the operation `name`, noted where that may give the batch a size; "" is any operation."""
    if (not name or name in SHAPING) and isinstance(result, Tensor) and result.source is not None:
        state_of(run).reshaped[result.source] = True
    return result


def may_have_a_batch(run: Interpreter, tensors: Sequence[Tensor]) -> bool:
    """Return whether something on the way to tensors may give the batch a size; each step is looked at once."""
    known = state_of(run).reshaped
    first = [tensor.source for tensor in tensors if tensor.source is not None]
    waiting, seen, found = list(first), set(), False
    while waiting and not found:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        made = source.layer.table.get(MADE) if isinstance(source.layer, Instance) else None
        found = known.get(source, isinstance(made, Made) and made.build.class_name in SHAPERS)
        if source not in known:
            into = [one.source for value in source.inputs for one in tensors_in(value)]
            waiting += [one for one in into if one is not None]
    known |= dict.fromkeys(first, True) if found else dict.fromkeys(seen, False)
    return found
