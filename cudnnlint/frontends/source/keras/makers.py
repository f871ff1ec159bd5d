"""Functions of Keras that make an object of another, of its config or of its name: get, deserialize, clone_model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.keras import configs, model_files
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Instance,
    Library,
    UnknownValue,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


_REGULARIZERS = ".regularizers"


def call(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call the function of Keras with this dotted name; None if it is no such function."""
    module, _, last = name.rpartition(".")
    if module.endswith(_REGULARIZERS) and last not in _MAKERS:
        return _regularizer(run, name, arguments, origin)
    maker = _MAKERS.get(last)
    return maker(run, module, arguments, origin) if maker is not None else None


def _regularizer(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `regularizers.l2(0.01)`: an object that keeps what it is given by name."""
    if arguments.open:
        return None
    made = Instance(Library(name), run.journal.table(), at=origin)
    for key, value in arguments.keywords.items():
        run.journal.write(made.table, key, value)
    return made


def given(value: Value) -> tuple[str, ...]:
    """Return the arguments that a regularizer of Keras was made with by name, each behind its class or function."""
    module, _, last = _class_of(value).rpartition(".")
    if not isinstance(value, Instance) or not module.endswith(_REGULARIZERS):
        return ()
    return tuple(f"{last}.{key}" for key, _ in value.table.items())


def initializer(value: Value) -> str:
    """Return the class of an initializer of Keras, "" for any other value."""
    name = _class_of(value)
    return name if name.rpartition(".")[0].endswith(".initializers") else ""


def _class_of(value: Value) -> str:
    """Return the library's class that an object is of, "" for any other value."""
    return value.kind.name if isinstance(value, Instance) and isinstance(value.kind, Library) else ""


def _deserialize(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `layers.deserialize(config)`, `activations.deserialize(name)`."""
    if module.endswith(".activations"):
        return _activation(run, module, arguments, origin)
    root = module.split(".saving")[0].split(".utils")[0].split(".models")[0].removesuffix(".layers")
    config = arguments.get(0, "config") or NONE
    return configs.deserialized(run, config, f"{root}.layers", arguments.get(1, "custom_objects"), origin)


def _load(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `load_model(path)`: what is in a file that the program did not save itself may make masks."""
    config = model_files.config_in(run, arguments.get(0, "filepath"))
    if config is None:
        why = Sentence("comes from `", origin, "`, and what is in that file may make a mask")
        return UnknownValue(why, mask="unknown", at=origin)
    given = Arguments([config], {name: one for name, one in arguments.keywords.items() if name == "custom_objects"})
    model = _deserialize(run, module, given, origin) or NONE
    model_files.loaded(run, arguments.get(0, "filepath"), model)
    return model


def _serialize(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `layers.serialize(layer)`, `activations.serialize(function)`."""
    value = arguments.positional[0] if arguments.positional else NONE
    if module.endswith(".activations"):
        return Const(value.name.rsplit(".", 1)[-1]) if isinstance(value, Library) else None
    return configs.serialized(run, value)


def _activation(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `activations.get("tanh")`: the function of that name; a function is given back as it is."""
    if not module.endswith(".activations") or not arguments.every():
        return None
    return join([_activation_named(module, option) for option in options(arguments.every()[0])])


def _linear(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `activations.linear(x)`, which gives back the very tensor that it is given, and so its mask."""
    return arguments.get(0, "x") if module.endswith(".activations") else None


def _activation_named(module: str, value: Value) -> Value:
    if not isinstance(value, Const):
        return value
    name = value.value if isinstance(value.value, str) else "linear"
    return Library(f"{module}.{name}", assumed=value.assumed)


def _from_config(run: Interpreter, kind: str, arguments: Arguments, origin: Origin) -> Value:
    return configs.make(run, Library(kind), arguments.get(0, "config"), origin)


def _clone(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value:
    return configs.clone_model(run, arguments, origin)


def _entries(run: Interpreter, module: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `vars(layers).items()`: the names of a module of Keras, as far as they are of recurrent classes."""
    names, home = state_of(run).names, module.removesuffix(".__dict__")
    if home == module or not home.endswith(".layers"):
        return None
    every = sorted(names.recurrent | names.wrappers)
    entries = [(Const(name), Library(f"{home}.{name}")) for name in every if not names.may_be_absent(f"{home}.{name}")]
    return run.call(run.attribute(containers.new_dict(run, entries), "items", origin), Arguments(), origin)


#: Functions of Keras that make an object of another, or of its config, by the last part of their name.
_MAKERS: dict[str, Callable[[Any, str, Arguments, Origin], Value | None]] = {
    "from_config": _from_config,
    "clone_model": _clone,
    "get": _activation,
    "linear": _linear,
    "deserialize": _deserialize,
    "deserialize_keras_object": _deserialize,
    "items": _entries,
    "load_model": _load,
    "model_from_config": _deserialize,
    "model_from_json": _deserialize,
    "serialize": _serialize,
    "serialize_keras_object": _serialize,
}
