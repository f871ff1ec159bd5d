"""The model that is made of the config of one, which the program may have edited, filtered or rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.keras_packages import package_of
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import configs, input_tensors, layers
from cudnnlint.frontends.source.keras.model_configs import ENDS, NODES, SHAPES, ConfigPart
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
    Mapping,
    Unbound,
    UnknownValue,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


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
            made_.append(configs.deserialized(run, option, _layers_of(kind.name), None, origin, True))
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
    lost = "is an entry of a config that is not followed"

    def remake(layer: Instance) -> Value:
        entry = described.get(id(layer.table))
        if entry is None:
            return uncertain(run, layer, lost, origin)
        return configs.deserialized(run, entry, _layers_of(kind.name), None, origin, True)

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
                yield option.about, entry


def uncertain(run: Interpreter, layer: Instance, why: str, origin: Origin) -> Value:
    """Return a layer of the same class of which no argument is known."""
    if layers.made_of(layer) is None:
        return UnknownValue(why, origin, at=origin)
    config = containers.new_dict(run)
    containers.smear(run, config, why)
    return run.call(run.attribute(layer.kind, "from_config", origin), Arguments([config]), origin)
