"""Functions of libraries that change the execution context, by their names: switches, and makers of scopes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context import (
    devices,
    environ,
    gradients,
    model_runs,
    registered,
    target_queries,
    torch_flags,
    transforms,
)
from cudnnlint.frontends.source.context.scoped import scope, switch
from cudnnlint.frontends.source.keras import precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Instance,
    Library,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.python.values import Mapping as Dict
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Handler = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: Strategies that keep each weight on several devices, as DistributedVariable.
SEVERAL = (
    "tensorflow.distribute.MirroredStrategy",
    "tensorflow.distribute.MultiWorkerMirroredStrategy",
    "tensorflow.distribute.experimental.MultiWorkerMirroredStrategy",
    "tensorflow.distribute.experimental.CentralStorageStrategy",
)
#: What a scope that is not followed may change, by the end of its source text.
UNKNOWN_SCOPES = {
    "eager_disabled": (re.compile(r"(?i)graph\w*(?:\(\))?\.as_default\(\)$"), "that switches eager execution off"),
    "distributed": (re.compile(r"(?i)strateg\w*(?:\(\))?\.scope\(\)$"), "that wraps the weights"),
}


def call(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a library function by its dotted name; None if it is none of these."""
    spelled = canonical(name)
    handler = _others().get(spelled)
    if handler is None and state_of(run).names.keras_class(name) is not None:
        handler = _keras().get(name.rsplit(".", 1)[-1])
    return transforms.call(run, spelled, arguments, origin) if handler is None else handler(run, arguments, origin)


def canonical(name: str) -> str:
    """Return one spelling for all paths under which TensorFlow offers a function."""
    if name.startswith("tensorflow.python.") and not name.startswith("tensorflow.python.keras."):
        return f"tensorflow.{name.rsplit('.', 1)[-1]}"
    return re.sub(r"^tensorflow\.compat\.v[12]\.(?!keras\.)", "tensorflow.", name).replace(
        "tensorflow.config.experimental", "tensorflow.config"
    )


def method(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `graph.as_default()`, `strategy.scope()`; None for any other method."""
    if name == "as_default" and isinstance(receiver.kind, Library) and receiver.kind.name.endswith(".Graph"):
        return scope(run, receiver.kind.name, origin, eager_disabled=Const(True, at=origin))
    if name == "scope" and isinstance(receiver.kind, Library) and receiver.kind.name.endswith(".distribute.Strategy"):
        return receiver
    return None


def unknown_scope(context: Value) -> dict[str, Value]:
    """Return what a scope that is not followed may change, as far as its source text says."""
    if not isinstance(context, UnknownValue) or context.at is None:
        return {}
    found = {name: what for name, (pattern, what) in UNKNOWN_SCOPES.items() if pattern.search(str(context.at))}
    return {
        name: UnknownValue(
            Sentence("it is made in `", context.at, "`, and it is not known whether ", what), None, at=context.at
        )
        for name, what in found.items()
    }


def _switching(name: str, on: bool) -> Handler:
    """Return a function that switches something on or off, without arguments."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
        switch(run, name, Const(on, at=origin))
        return NONE

    return handler


def _given(name: str, *arguments_: str) -> Handler:
    """Return a function that sets an entry to its argument; without an argument, to True."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
        given = (arguments.get(0, argument) for argument in arguments_)
        switch(run, name, environ.at_call(next((value for value in given if value is not None), Const(True)), origin))
        return NONE

    return handler


def _graph(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `tf.compat.v1.Session(...)`: inside, its graph is what layers are made in."""
    session = scope(run, "tensorflow.Session", origin, eager_disabled=Const(True, at=origin))
    run.journal.write(session.table, "graph", scope(run, "tensorflow.Graph", origin))
    return session


def _set_jit(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `tf.config.optimizer.set_jit(True)`."""
    value = arguments.get(0, "enabled") or Const(True)
    switch(run, "xla", environ.clustered(origin) if truth(value) is not False else UNBOUND)
    return NONE


def _grappler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `tf.config.optimizer.set_experimental_options({...})`.

    Two of the options keep Keras 2 from its kernel in graphs.
    """
    given = arguments.get(0, "options")
    table = given.table if isinstance(given, Dict) else None
    off = {"disable_meta_optimizer": True, "implementation_selector": False}
    for name, value in off.items():
        said = None if table is None else table.get(name)
        if said is not None and truth(said) is not (not value):
            because = f"{name} is set in TensorFlow's graph optimizer, and Keras 2 needs that optimizer to reach cuDNN"
            switch(run, "xla", UnknownValue(because, None, at=origin))
    return NONE


def _jit_scope(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    return scope(run, "tensorflow.xla.experimental.jit_scope", origin, xla=environ.clustered(origin))


def _opened(kind: str, **said: object) -> Handler:
    """Return something that can be entered and always sets the same."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
        return scope(run, kind, origin, **{name: Const(value, at=origin) for name, value in said.items()})

    return handler


@cache
def _keras() -> Mapping[str, Handler]:
    """Return the functions of Keras by their last name, whatever precedes it."""
    return {
        **dict.fromkeys(("set_global_policy", "set_dtype_policy", "set_policy"), precision.set_policy),
        "set_floatx": precision.set_float,
        **dict.fromkeys(("global_policy", "dtype_policy", "floatx"), precision.get_policy),
        "set_backend": _given("backend", "backend"),
        "backend": target_queries.backend,
        "device": devices.named,
        "save_model": model_runs.saving(),
        "get_custom_objects": registered.custom_objects,
        **dict.fromkeys(("custom_object_scope", "CustomObjectScope"), registered.custom_object_scope),
        **{name: gradients.cut(name) for name in sorted(gradients.FLAT)},
    }


@cache
def _others() -> Mapping[str, Handler]:
    """Return the functions of other libraries by their dotted name."""
    return {
        "tensorflow.device": devices.named,
        "jax.default_device": devices.of_jax,
        "tensorflow.config.set_visible_devices": devices.visible,
        "tensorflow.config.list_physical_devices": devices.gpus,
        "tensorflow.config.list_logical_devices": devices.gpus,
        **dict.fromkeys(devices.OF_BACKEND, devices.of_backend),
        "tensorflow.test.is_gpu_available": devices.taken(True),
        "tensorflow.test.is_built_with_cuda": devices.taken(True),
        "tensorflow.test.is_built_with_cudnn": devices.not_there,
        "tensorflow.test.gpu_device_name": devices.taken("/device:GPU:0"),
        "torch.cuda.is_available": devices.taken(True),
        **dict.fromkeys(
            ("tensorflow.disable_eager_execution", "tensorflow.disable_v2_behavior"), _switching("eager_disabled", True)
        ),
        **dict.fromkeys(
            ("tensorflow.enable_eager_execution", "tensorflow.enable_v2_behavior"), _switching("eager_disabled", False)
        ),
        **dict.fromkeys(("tensorflow.Session", "tensorflow.InteractiveSession"), _graph),
        "tensorflow.get_default_graph": _opened("tensorflow.Graph"),
        **{name: model_runs.saving(reader) for name, reader in model_runs.READERS.items()},
        "tensorflow.distribute.OneDeviceStrategy": devices.strategy,
        **dict.fromkeys(SEVERAL, devices.mirrored),
        "torch.autograd.grad": gradients.of_torch,
        "torch.backends.cudnn.flags": torch_flags.flags,
        **{
            f"{root}.{name}": gradients.cut(name)
            for root in ("tensorflow", "tensorflow.math")
            for name in sorted(gradients.FLAT)
        },
        "tensorflow.xla.experimental.jit_scope": _jit_scope,
        "tensorflow.config.run_functions_eagerly": _given("eager", "run_eagerly"),
        "tensorflow.config_run_functions_eagerly": _given("eager", "run_eagerly"),
        "tensorflow.config.optimizer.set_jit": _set_jit,
        "tensorflow.config.optimizer.set_experimental_options": _grappler,
        "tensorflow.summary.create_file_writer": _opened("tensorflow.summary.SummaryWriter"),
        "tensorflow.autodiff.ForwardAccumulator": _opened("tensorflow.autodiff.ForwardAccumulator", second_order=True),
        "contextlib.nullcontext": _opened("contextlib.nullcontext"),
        "contextlib.ExitStack": _opened("contextlib.ExitStack"),
        "importlib.util.find_spec": target_queries.find_spec,
        "importlib.metadata.version": target_queries.of_package,
        "importlib_metadata.version": target_queries.of_package,
        "pkg_resources.get_distribution": target_queries.distribution,
        **environ.HANDLERS,
    }
