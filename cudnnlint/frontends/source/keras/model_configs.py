"""The config of a whole model, with an entry for each of its layers, and the model that is made from it again.

What a config says about shapes and connections stays the object that it describes (`ConfigPart`): a program that edits,
filters or rebuilds the config hands it on as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.core.keras_packages import package_of
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import configs, input_tensors, layer_order, layers, models
from cudnnlint.frontends.source.keras.sites import MADE
from cudnnlint.frontends.source.keras.tensors import DEFAULT, ReleaseDefault, Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Instance,
    Library,
    Listing,
    Mapping,
    Unbound,
    UnknownValue,
    Value,
    join,
    options,
    present,
)
from cudnnlint.frontends.source.python.whole import Whole
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Entries of an InputLayer's config that hold its shape: in Keras 3, and in Keras 2.
SHAPES = ("batch_shape", "batch_input_shape")
NODES = "inbound_nodes"
ENDS = ("input_layers", "output_layers")


@record(frozen=True, eq=False)
class ConfigPart(Whole):
    """What a config has in one of its entries for a layer, a model or an input: kept as the object that it is about."""

    entry: str
    of: Value

    @property
    def key(self) -> Hashable:
        """The entry, and the object that it is about."""
        return self.entry, id(self.of.source if isinstance(self.of, Tensor) else _table(self.of))


def _table(value: Value) -> object:
    return value.table if isinstance(value, Instance) else value


# ------------------------------------------------------------ the config of a model


def write(run: Interpreter, model: Instance, config: Mapping) -> None:
    """Write into a model's config what it has for the layers of the model."""
    listing = model.table.get(models.LAYERS)
    if isinstance(listing, Listing):
        run.journal.write(config.table, "layers", _of_sequential(run, model, listing))
        return
    run.journal.write(config.table, "layers", _of_graph(run, model))
    for name in ENDS:
        run.journal.write(config.table, name, ConfigPart(name, model))


def _of_sequential(run: Interpreter, model: Instance, listing: Listing) -> Value:
    """Return the entries of a Sequential: Keras puts an InputLayer first as soon as it knows the input."""
    contents = containers.contents_of(listing)
    first = present(contents.items[0]) if contents.items else NONE
    entries = [_entry(run, item) for item in contents.items]
    entries[:0] = _before(run, model, first)
    rest = None if contents.rest is None else _entry(run, contents.rest)
    return containers.new_list(run, entries, rest)


def _before(run: Interpreter, model: Instance, first: Value) -> list[Value]:
    """Return the entry that a Sequential has before that of its first layer, if there is or may be one."""
    if isinstance(first, Tensor) or models.is_input(first):
        return []
    made_ = layers.made_of(first)
    given = {} if made_ is None else made_.build.arguments
    entering, declaring = _of_input(run, model), input_tensors.SHAPES | input_tensors.BATCHES
    if any(model.table.get(cell) is not None for cell in (models.RAN, models.BUILT)) or not declaring.isdisjoint(given):
        return [entering]
    open_ = "input_length" in given or made_ is None or made_.build.open is not None  # Keras 2 knows it by the length
    return [join([entering, UNBOUND])] if open_ else []


def _entry(run: Interpreter, item: Value) -> Value:
    """Return the entry of what a Sequential holds: each option of a layer or an input has one of its own."""
    return join([_of_layer(run, option) for option in options(item)])


def _of_layer(run: Interpreter, layer: Value) -> Value:
    if isinstance(layer, Unbound):
        return layer
    if isinstance(layer, Tensor) or models.is_input(layer):
        return _of_input(run, layer)
    return configs.serialized(run, layer)


def _of_input(run: Interpreter, gives: Value) -> Mapping:
    """Return the entry of an InputLayer: `gives` is the tensor of the Input, the layer, or the model that it is in."""
    config = containers.new_dict(run, [(Const(name), ConfigPart(SHAPES[0], gives)) for name in SHAPES])
    made = layers.made_of(gives)
    named = {} if made is None else made.build.arguments
    dtype = gives.dtype if isinstance(gives, Tensor) else named.get("dtype") if models.is_input(gives) else None
    run.journal.write(config.table, "dtype", dtype or DEFAULT)
    run.journal.write(config.table, "name", DEFAULT)
    class_name = (Const("class_name"), Const("InputLayer"))
    return containers.new_dict(run, [(Const("module"), Const("keras.layers")), class_name, (Const("config"), config)])


def _of_graph(run: Interpreter, model: Instance) -> Listing:
    """Return the entries of a functional model in their order; where that is not known, each may be any of them."""
    given, outputs = (model.table.get(cell) or NONE for cell in (models.INPUTS, models.OUTPUTS))
    known = layer_order.in_order(run, given, outputs)
    tensors = {one.source: one for one in input_tensors.every(given)}
    if known is None:
        return containers.new_list(run, (), join(_of_nodes(run, [*tensors.values(), *models.layers_of(run, model)])))
    nodes: list[Value] = [one if isinstance(one, Instance) else tensors[one] for one in known]
    return containers.new_list(run, _of_nodes(run, nodes))


def _of_nodes(run: Interpreter, nodes: Iterable[Value]) -> list[Value]:
    found = [(node, _of_layer(run, node)) for node in nodes]
    for node, entry in found:
        if isinstance(entry, Mapping):
            config = entry.table.get("config")
            name = config.table.get("name") if isinstance(config, Mapping) else None
            run.journal.write(entry.table, "name", name or DEFAULT)
            run.journal.write(entry.table, NODES, ConfigPart(NODES, node))
    return [entry for _, entry in found]


# ------------------------------------------------------------ the model of a config


def made(run: Interpreter, kind: Value, config: Mapping, origin: Origin) -> Value | None:
    """Return the model that `Kind.from_config(config)` makes; None where it is the config of no model."""
    entries = config.table.get("layers")
    if not isinstance(kind, Library) or entries is None:
        return None
    ends = config.table.get(ENDS[1])
    if isinstance(ends, ConfigPart) and isinstance(ends.of, Instance):
        return _functional(run, kind, ends.of, entries, origin)
    if kind.name.rsplit(".", 1)[-1] != "Sequential":
        return None
    return _sequential(run, kind, entries, origin)


def _sequential(run: Interpreter, kind: Library, entries: Value, origin: Origin) -> Value:
    contents = containers.elements(run, entries)
    items: list[Value] = []
    for place, item in enumerate(contents.items):
        with run.step(Step(origin, place)):
            items.append(_layer(run, kind, item, origin))
    rest = None
    if contents.rest is not None:
        with run.step(Step(origin, len(items))):
            rest = _layer(run, kind, contents.rest, origin)
    items = [item for item in items if not isinstance(item, Unbound)]
    return run.call(kind, Arguments([containers.new_list(run, items, rest)]), origin)


def _layer(run: Interpreter, kind: Library, entry: Value, origin: Origin) -> Value:
    """Return the layer of an entry; Unbound for an InputLayer that says no more than the model itself will."""
    made_: list[Value] = []
    for option in options(entry):
        if isinstance(option, Unbound):
            made_.append(option)
        elif (config := _input_config(option)) is None:
            made_.append(configs.deserialized(run, option, _layers_of(kind.name), None, origin))
        else:
            made_.append(_entering(run, kind, config, origin))
    return join(made_)


def _layers_of(kind: str) -> str:
    """Return the module with the layers of the package that a class of models is of."""
    return f"{package_of(kind) or 'keras'}.layers"


def _input_config(entry: Value) -> Mapping | None:
    """Return the config of an InputLayer; None for any other entry."""
    if not isinstance(entry, Mapping):
        return None
    name, config = entry.table.get("class_name"), entry.table.get("config")
    return config if isinstance(name, Const) and name.value == "InputLayer" and isinstance(config, Mapping) else None


def _entering(run: Interpreter, kind: Library, config: Mapping, origin: Origin) -> Value:
    """Return the input of a model by the config of its InputLayer: with another shape where that was changed."""
    shapes = [shape for name in SHAPES if (shape := config.table.get(name)) is not None]
    changed = next((shape for shape in shapes if not isinstance(shape, ConfigPart)), None)
    dtype = config.table.get("dtype") or DEFAULT
    known = {} if isinstance(dtype, ReleaseDefault) else {"dtype": dtype}
    if changed is not None or not shapes:
        given = {} if changed is None else {"batch_shape": changed}
        return input_tensors.tensor(run, Arguments([], known | given))
    same = shapes[0].of if isinstance(shapes[0], ConfigPart) else NONE
    if isinstance(same, Tensor):
        like = input_tensors.like(run, same)
        return like if isinstance(dtype, ReleaseDefault) else replace(like, dtype=dtype)
    layer = layers.made_of(same)
    if layer is None or layer.build.class_name != "InputLayer":
        return UNBOUND
    return run.call(Library(layer.build.path), Arguments([], layer.build.arguments | known), origin)


def _functional(run: Interpreter, kind: Library, model: Instance, entries: Value, origin: Origin) -> Value:
    """Return a functional model of the same graph, whose layers are made from the entries that describe them."""
    contents = containers.elements(run, entries)
    every = [option for item in contents.items for option in options(item)]
    every += [] if contents.rest is None else options(contents.rest)
    described = dict(_described(every))
    lost = "is not in the config that the model is made from in a way that is followed"

    def remake(layer: Instance) -> Value:
        entry = described.get(id(layer.table))
        if entry is None:
            return uncertain(run, layer, lost, origin)
        return configs.deserialized(run, entry, _layers_of(kind.name), None, origin)

    def enter(tensor: Tensor) -> Tensor:
        entry = described.get(id(tensor.source))
        config = None if entry is None else _input_config(entry)
        found = input_tensors.like(run, tensor) if config is None else _entering(run, kind, config, origin)
        return found if isinstance(found, Tensor) else input_tensors.like(run, tensor)

    return configs.clone(run, model, remake, origin, enter)


def _described(entries: Iterable[Value]) -> Iterator[tuple[int, Value]]:
    """Yield the layers and inputs that entries of a functional model's config are about, by their identity."""
    for entry in entries:
        nodes = entry.table.get(NODES) if isinstance(entry, Mapping) else None
        for option in options(nodes or NONE):
            if isinstance(option, ConfigPart):
                yield id(option.of.source if isinstance(option.of, Tensor) else _table(option.of)), entry


def uncertain(run: Interpreter, layer: Instance, why: str, origin: Origin) -> Value:
    """Return a layer of the same class of which no argument is known."""
    made_ = layers.made_of(layer)
    if made_ is None or layer.table.get(MADE) is None:
        return UnknownValue(why, origin, at=origin)
    config = containers.new_dict(run)
    containers.smear(run, config, why)
    return run.call(run.attribute(layer.kind, "from_config", origin), Arguments([config]), origin)
