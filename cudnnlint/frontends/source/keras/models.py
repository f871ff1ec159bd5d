"""Models: Sequential and functional ones, their attributes and methods, and running them on inputs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import (
    alternative_chains,
    casting,
    fed_data,
    graphs,
    input_tensors,
    layer_inputs,
    layer_order,
    layers,
    masks,
    model_files,
    nested_inputs,
    own_builds,
    shown_layers,
    stops,
    tracked_layers,
    unique_names,
)
from cudnnlint.frontends.source.keras.keras_state import library_of, state_of
from cudnnlint.frontends.source.keras.model_ends import flat
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, mask_of, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Contents,
    Instance,
    Listing,
    Unbound,
    UnknownValue,
    Value,
    join,
    may_be_missing,
    options,
    present,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

LAYERS = "·layers"
INPUTS = "·inputs"
OUTPUTS = "·outputs"
RAN = "·ran"
#: The cell of a Sequential whose `build` was called: it knows its input.
BUILT = "·shaped"
#: The cell of a model that is called, or is a part of a Sequential: a graph may call it, and shows its input then.
CALLED = "·called"
#: Methods that run a model on data.
RUNS = words("fit predict evaluate train_on_batch test_on_batch predict_on_batch fit_generator")


def started(run: Interpreter, instance: Instance, build: Build) -> None:
    """Record what a constructed model consists of: the layers of a Sequential, the graph of a functional model."""
    if build.class_name == "Sequential":
        given = build.arguments.get("layers", NONE)
        contents = Contents(()) if containers.is_nothing(given) else containers.elements(run, given)
        run.journal.write(instance.table, LAYERS, containers.new_list(run, contents.items, contents.rest))
        unique_names.in_sequence(run, contents.items)
        chained(run, contents.items)
        state_of(run).models.append(instance)
    elif build.class_name in ("Model", "Functional"):
        inputs = build.arguments.get("inputs") or build.arguments.get("input")
        outputs = build.arguments.get("outputs") or build.arguments.get("output")
        if inputs is not None and outputs is not None:
            run.journal.write(instance.table, INPUTS, inputs)
            run.journal.write(instance.table, OUTPUTS, outputs)
            unique_names.in_graph(run, inputs, outputs)
            state_of(run).models.append(instance)


def chained(run: Interpreter, items: Sequence[Value], begun: bool = False) -> None:
    """Note that the models in a Sequential are called, and that its layers are built, if it knows what it is given."""
    for option in (option for item in items for option in options(present(item))):
        if isinstance(option, Instance) and is_model(option):
            run.journal.write(option.table, CALLED, Const(True))
    if items and (begun or input_tensors.begins_graph(run, present(items[0]))):
        for item in items:
            own_builds.built(run, item)


def is_model(instance: Instance) -> bool:
    """Return whether an object is a Sequential or functional model whose layers are known."""
    return instance.table.get(LAYERS) is not None or instance.table.get(OUTPUTS) is not None


def is_functional(instance: Instance) -> bool:
    """Return whether an object is a model whose graph is known."""
    return instance.table.get(OUTPUTS) is not None


def run_model(run: Interpreter, model: Instance, inputs: Value, origin: Origin, bare: Tensor | None = None) -> Value:
    """Run a model's layers on these inputs; `bare` is the input without the mask that the call passes, if it does."""
    first_run = model.table.get(RAN) is None
    run.journal.write(model.table, RAN, Const(True))
    if run.too_deep(origin.node):
        return UnknownValue("is the output of a model that contains itself")
    run.active.append(id(origin.node))
    layers_ = model.table.get(LAYERS)
    contents = containers.contents_of(layers_) if isinstance(layers_, Listing) else None
    entry = input_tensors.beginning(run, contents, inputs if first_run else NONE)
    with entry, stops.within(run, stops.beginning(model)):
        if contents is not None:
            result = _run_sequential(run, contents, inputs, origin, bare)
        else:
            result = _run_graph(run, model, inputs, origin)
    run.active.pop()
    return result


def _run_sequential(run: Interpreter, contents: Contents, inputs: Value, origin: Origin, bare: Tensor | None) -> Value:
    value = casting.into_first(run, present(contents.items[0]), inputs, bare) if contents.items else inputs
    for item in contents.items:
        layer = present(item)
        own = _is_layer(layer)
        after = run.call(layer, Arguments([value]), origin) if own else casting.as_declared(run, layer, value, True)
        value = join([value, after]) if may_be_missing(item) else after
    if contents.rest is not None:
        for _ in range(2):
            value = join([value, run.call(contents.rest, Arguments([value]), origin)])
    return value


def _is_layer(value: Value) -> bool:
    """Return whether an entry of a Sequential's list is a layer, not the tensor of an `Input`."""
    return not isinstance(value, (Tensor, Unbound, Const))


def _run_graph(run: Interpreter, instance: Instance, inputs: Value, origin: Origin) -> Value:
    old, outputs = instance.table.get(INPUTS) or NONE, instance.table.get(OUTPUTS) or NONE
    known: dict[Hashable, Value] = {}
    state_of(run).replaced.update(inputs_of(run, instance))
    nested_inputs.match(run, old, inputs, known)
    return graphs.reapply(run, outputs, known, origin)


def inputs_of(run: Interpreter, instance: Instance) -> dict[Source, None]:
    """Return the sources of a functional model's own inputs, in their order."""
    own = input_tensors.every(instance.table.get(INPUTS) or NONE)
    return {tensor.source: None for tensor in own if tensor.source is not None}


def layers_of(run: Interpreter, value: Instance) -> list[Instance]:
    """Return the layers of a model: of a Sequential in their order, of a functional one from its inputs on."""
    listing = value.table.get(LAYERS)
    if isinstance(listing, Listing):
        every = [option for item in containers.contents_of(listing).items for option in options(present(item))]
        return [one for one in every if isinstance(one, Instance) and not is_input(one)]
    found: dict[int, Instance] = {}
    sources_of(run, value, found)
    return list(found.values())


def sources_of(run: Interpreter, value: Instance, found: dict[int, Instance] | None = None) -> dict[Source, None]:
    """Return the sources in the graph of a functional model, always in the same order; its layers go to `found`."""
    seen = inputs_of(run, value)
    outputs = value.table.get(OUTPUTS) or NONE
    _walk(flat(outputs), seen, {} if found is None else found)
    return seen


def _walk(value: Value, seen: dict[Source, None], found: dict[int, Instance]) -> None:
    """Collect the layers that lead to a tensor, those nearest to the inputs first."""
    for tensor in [one for option in options(value) for one in tensors_in(option)]:
        if tensor.source is None or tensor.source in seen:
            continue
        seen[tensor.source] = None
        for given in (*tensor.source.inputs, *(entry for _, entry in tensor.source.keywords)):
            _walk(given, seen, found)
        if isinstance(tensor.source.layer, Instance):
            found.setdefault(id(tensor.source.layer.table), tensor.source.layer)


def is_input(value: Value) -> bool:
    """Return whether an entry of a Sequential only describes the input: an Input, or an InputLayer."""
    made = layers.made_of(value)
    return isinstance(value, Tensor) or (made is not None and made.build.class_name == "InputLayer")


def method(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a Keras object; return None if it is not one that matters."""
    listing = receiver.table.get(LAYERS)
    if name == "add" and isinstance(listing, Listing) and arguments.positional:
        alternative_chains.add(run, receiver, listing, arguments.positional[0])
        return NONE
    if name == "pop" and isinstance(listing, Listing):
        return run.call(run.attribute(listing, "pop", origin), Arguments(), origin)
    if (exported := library_of(run).exporting(run, receiver, name, arguments, origin)) is not None:
        return exported
    if name == "build" and isinstance(listing, Listing):
        run.journal.write(receiver.table, BUILT, Const(True))
        chained(run, containers.contents_of(listing).items, True)
    elif name == "build":
        own_builds.built(run, receiver)
    if name == tracked_layers.FLATTEN:
        return tracked_layers.flattened(run, receiver, arguments, origin)
    if name == "compute_mask":
        return _compute_mask(run, receiver, arguments)
    if is_model(receiver) and (name in RUNS or name in ("compile", "save", "export")):
        state_of(run).alone.update(inputs_of(run, receiver))
    if name in RUNS and layers.keras_base(run, receiver):
        library_of(run).on_data(run, receiver, name, fed_data.first_argument(run, arguments), origin)
        return UnknownValue(f"is the result of {name}()")
    if name == "compile":
        library_of(run).compiled(run, receiver, arguments)
    if name in ("save", "export"):
        library_of(run).saved(run, receiver, origin, "graph" if name == "export" else None)
    if name == "save":
        model_files.saved(run, receiver, arguments.get(0, "filepath"))
    if name in ("compile", "save", "export", "save_weights"):
        return NONE
    return _get_layer(run, receiver, arguments, origin) if name == "get_layer" and is_model(receiver) else None


def _compute_mask(run: Interpreter, receiver: Instance, arguments: Arguments) -> Value:
    """Evaluate `layer.compute_mask(x)`: the mask that the layer's output would have."""
    made = layers.made_of(receiver)
    if made is None or not arguments.positional:
        return UnknownValue("is a mask that is not followed")
    given = layer_inputs.LayerInputs(arguments.positional[:1], arguments.get(1, "mask"))
    return mask_of(masks.output(run, made.build, given))


def _get_layer(run: Interpreter, receiver: Instance, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `model.get_layer(name)` or `get_layer(index=0)`."""
    index = arguments.get(1, "index")
    if index is not None:
        shown = shown_layers.attribute(run, receiver, "layers", origin)
        return None if shown is None else containers.item(run, shown, index)
    name = arguments.get(0, "name")
    for layer in layer_order.outermost(run, receiver.table.get(OUTPUTS)) or layers_of(run, receiver):
        made = layers.made_of(layer)
        written = made.build.arguments.get("name") if made is not None else None
        if isinstance(name, Const) and isinstance(written, Const) and written.value == name.value:
            return layer
    return None
