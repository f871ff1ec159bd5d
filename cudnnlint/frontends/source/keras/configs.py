"""Configurations: what get_config() returns for a Keras object, and what is made from a config again.

A config is an ordinary dict of the interpreter, so that a program can change it. An argument that is not given when the
object is constructed is in it as ReleaseDefault; settings that a config does not hold are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import (
    config_texts,
    doubted_configs,
    graphs,
    input_tensors,
    layers,
    model_configs,
    models,
    models_remade,
    mutations,
)
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import MADE, Made
from cudnnlint.frontends.source.keras.tensors import DEFAULT, Tensor, fresh
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.spreading import spread_mapping
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    Class,
    Const,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    join,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Arguments that no config holds (Keras 2 has `implementation` in it, which decides nothing there).
LOST = frozenset({"use_cudnn", "implementation"})
#: Entries of a recurrent layer's config, whatever was given.
SETTINGS = words(
    "name trainable dtype units activation recurrent_activation use_bias unit_forget_bias dropout recurrent_dropout "
    "return_sequences return_state go_backwards stateful unroll reset_after zero_output_for_mask seed"
)
#: Which of them a class does not have.
WITHOUT = {"LSTM": words("reset_after"), "GRU": words("unit_forget_bias")}
Remake = Callable[[Instance], Value]


def get_config(run: Interpreter, made: Made, value: Instance, name: str, origin: Origin) -> Value:
    """Evaluate `object.get_config()` or `model.to_json()`."""
    if name == "get_config":
        return of(run, made, value)
    model = serialized(run, value)
    return config_texts.of(run, model, origin) if isinstance(model, Mapping) else model


def of(run: Interpreter, made: Made, value: Instance) -> Value:
    """Evaluate `object.get_config()`."""
    build = made.build
    config = containers.new_dict(run)
    known = SETTINGS - WITHOUT[build.class_name] if build.class_name in WITHOUT else frozenset({"name", "dtype"})
    for name in sorted(known | set(state_of(run).names.positional.get(build.class_name, ()))):
        run.journal.write(config.table, name, DEFAULT)
    later = mutations.settings(build)
    for name, given in {**build.arguments, **later}.items():
        if name not in LOST:
            parts = [DEFAULT if isinstance(one, Unbound) else one for one in options(given)]
            run.journal.write(config.table, name, _written(run, join(parts)))
    if build.open is not None:
        run.journal.write(config.table, ANY, UnknownValue(build.open, None))
    if models.is_model(value):
        model_configs.write(run, value, config)
    return config


def _written(run: Interpreter, value: Value) -> Value:
    """Return an argument as a config holds it: a layer or cell in it is a config, too."""
    if isinstance(value, Instance) and layers.made_of(value) is not None:
        return serialized(run, value)
    if isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        return containers.new_list(run, [_written(run, item) for item in contents.items], contents.rest)
    return value


def serialized(run: Interpreter, value: Value) -> Value:
    """Evaluate `serialize(object)`: its class and config."""
    if not isinstance(value, Instance):
        return UnknownValue("is the result of serialize(), which is not followed")
    origin = value.at
    config = run.call(run.attribute(value, "get_config", origin), Arguments(), origin) if origin is not None else NONE
    name = value.kind.name.rsplit(".", 1)[-1]
    module = (Const("module"), Const(value.kind.name.rpartition(".")[0]))
    return containers.new_dict(run, [module, (Const("class_name"), Const(name)), (Const("config"), config)])


def deserialized(
    run: Interpreter, value: Value, root: str, custom: Value | None, origin: Origin, named: bool = False
) -> Value:
    """Evaluate `deserialize(config, custom_objects=...)`: the object that a dict with class and config describes.

    `named` says whether every Keras finds its own classes by their names alone there, as in the config of a model.
    """
    return join([_from_entry(run, option, root, custom, origin, named) for option in options(value)])


def _from_entry(
    run: Interpreter, value: Value, root: str, custom: Value | None, origin: Origin, by_name: bool
) -> Value:
    if isinstance(value, config_texts.ConfigText):
        value = config_texts.read(run, value, origin)
    if not isinstance(value, Mapping):
        return UnknownValue("is made from a config that is not followed", origin, at=origin)
    named = options(value.table.get("class_name") or NONE)
    known = [str(name.value) for name in named if isinstance(name, Const) and isinstance(name.value, str)]
    if not known:
        return UnknownValue("is made from a config whose class is not known", origin, at=origin)
    made = [_of_class(run, value, name, root, custom, origin, by_name) for name in known]
    if len(named) > 1:
        doubted_configs.of_class(made)
    return join(made)


def _of_class(
    run: Interpreter, value: Mapping, name: str, root: str, custom: Value | None, origin: Origin, by_name: bool
) -> Value:
    """Return the object that the config of an entry describes, of the class of that name."""
    text = name.rsplit(">", 1)[-1]
    own = containers.get_key(custom, Const(text), NONE) if isinstance(custom, Mapping) else NONE
    known = [kind for kind in reversed(run.classes) if kind.name == text]
    kind = own if isinstance(own, (Class, Library)) else known[0] if known else Library(f"{root}.{text}")
    given = value.table.get("config") or containers.new_dict(run)
    made = run.call(run.attribute(kind, "from_config", origin), Arguments([given]), origin)
    if kind is not own:
        doubted_configs.doubt(run, made, kind, value, by_name or root.startswith("tf_keras."))
    return made


def make(run: Interpreter, kind: Value, config: Value | None, origin: Origin) -> Value:
    """Evaluate `Kind.from_config(config)`: constructed with the dict's entries."""
    model = models_remade.made(run, kind, config, origin) if isinstance(config, Mapping) else None
    if model is not None:
        return model
    given = Arguments()
    if config is not None:
        spread_mapping(given, config)
    root = kind.name.rsplit(".", 1)[0] if isinstance(kind, Library) else "keras.layers"
    for place, name in enumerate(("layer", "backward_layer", "cell", "cells", "layers")):
        if name in given.keywords and isinstance(kind, Library):
            with run.step(Step(origin, place)):
                given.keywords[name] = _inner(run, given.keywords[name], root, origin)
    return run.call(kind, given, origin)


def _inner(run: Interpreter, value: Value, root: str, origin: Origin) -> Value:
    """Return a config inside a config, as the object that it describes."""
    if isinstance(value, Mapping) and value.table.get("class_name") is not None:
        return deserialized(run, value, root, None, origin)
    if isinstance(value, Listing):
        contents = containers.contents_of(value)
        made: list[Value] = []
        for place, item in enumerate(contents.items):
            with run.step(Step(origin, place)):
                made.append(_inner(run, item, root, origin))
        return containers.new_list(run, made, contents.rest)
    return value


def clone(
    run: Interpreter, model: Instance, remake: Remake, origin: Origin, same: Callable[[Tensor], Tensor] | None = None
) -> Value:
    """Return a model of the same graph with other layers: `remake` makes each of them, `same` each Input."""
    fresh_layers: dict[int, Value] = {}
    for index, layer in enumerate(models.layers_of(run, model)):
        with run.step(Step(origin, index)):
            fresh_layers[id(layer.table)] = remake(layer)
    copied = Instance(model.kind, run.journal.table(), at=origin)
    made = model.table.get(MADE)
    if made is not None:
        run.journal.write(copied.table, MADE, made)
    listing = model.table.get(models.LAYERS)
    if isinstance(listing, Listing):
        contents = containers.contents_of(listing)
        items = [
            fresh_layers.get(id(item.table), item) if isinstance(item, Instance) else item for item in contents.items
        ]
        run.journal.write(copied.table, models.LAYERS, containers.new_list(run, items, contents.rest))
    else:
        own = input_tensors.every(model.table.get(models.INPUTS) or NONE)
        known: dict[Hashable, Value] = {one.source: fresh() if same is None else same(one) for one in own if one.source}
        _copy_graph(run, model, copied, fresh_layers, known, origin)
    state_of(run).models.append(copied)
    return copied


def _copy_graph(
    run: Interpreter,
    model: Instance,
    copied: Instance,
    others: dict[int, Value],
    known: dict[Hashable, Value],
    origin: Origin,
) -> None:
    inputs = graphs.reapply(run, model.table.get(models.INPUTS) or NONE, known, origin, others)
    outputs = graphs.reapply(run, model.table.get(models.OUTPUTS) or NONE, known, origin, others)
    run.journal.write(copied.table, models.INPUTS, inputs)
    run.journal.write(copied.table, models.OUTPUTS, outputs)


def clone_model(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `clone_model(model, clone_function=...)`."""
    model = arguments.get(0, "model")
    by = arguments.get(2, "clone_function")

    def remake(layer: Instance) -> Value:
        if by is not None and not containers.is_nothing(by):
            return run.call(by, Arguments([layer]), origin)
        return again(run, layer, origin)

    if not isinstance(model, Instance):
        return UnknownValue("is a clone of a model that is not followed", origin, at=origin)
    if not models.is_model(model):
        return again(run, model, origin)
    given = arguments.get(1, "input_tensors") or NONE
    same = partial(input_tensors.like, run) if containers.is_nothing(given) and arguments.open is None else None
    return clone(run, model, remake, origin, same)


def again(run: Interpreter, value: Instance, origin: Origin) -> Value:
    """Return an object made from its own config."""
    config = run.call(run.attribute(value, "get_config", origin), Arguments(), origin)
    return run.call(run.attribute(value.kind, "from_config", origin), Arguments([config]), origin)
