"""Devices: which kind of device a scope names, and which GPUs a program can see."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.scoped import cell, scope, switch
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Contents,
    Either,
    Instance,
    Tuple,
    UnknownValue,
    Value,
    choice,
    join,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Handler = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: The assumption behind the answer to a query for GPUs: the verdicts are about a machine that has one.
A_GPU = "a GPU is assumed to be present"
#: A device as TensorFlow, Keras, torch and JAX write it, down to its kind.
_DEVICE = regex(r"^/?(?:(?:job|replica|task):[^/]*/)*(?:device:)?(?P<kind>[A-Za-z_]+)(?::[\d*]+)?$")
#: The start of a text in source (an f-string, say) that names a device whose number is not known.
_PREFIX = regex(r"^[rbfu]*[\"']/?(?:device:)?(?P<kind>cpu|gpu)\b", re.IGNORECASE)
_KINDS = {"cpu": "cpu", "gpu": "gpu", "cuda": "gpu", "dml": "directml"}


#: The cell of the world that says that the framework has looked for its GPUs: CUDA reads its variables only then.
INITIALISED = "initialised"
#: Functions that make it look, beside making a recurrent layer and running a model (asked of TensorFlow 2.21 and Keras
#: 3.15.1 and tf_keras 2.21.0; an import alone does not). A list of physical devices and is_gpu_available() start CUDA
#: itself, which reads its variables once: that was not asked, as it needs a GPU.
INITIALISING = words(
    "config.list_physical_devices config.list_logical_devices constant Variable zeros ones convert_to_tensor device "
    "data.Dataset.from_tensor_slices distribute.MirroredStrategy distribute.OneDeviceStrategy random.uniform "
    "random.normal test.is_gpu_available"
)
#: What Keras 2 looks for GPUs with. No other function of it says what there is, so programs call this one.
OF_BACKEND = tuple(
    f"{backend}._get_available_gpus"
    for backend in (
        "keras.backend.tensorflow_backend",
        "keras.backend",
        "tensorflow.keras.backend",
        "tensorflow.python.keras.backend",
    )
)
#: The values of the device where the GPUs are out of sight of one framework; where of all, it is "hidden".
ABSENT = "absent"  # on the way that the program takes where it finds none
FROM_TENSORFLOW, FROM_JAX = "hidden_from_tensorflow", "hidden_from_jax"

NO_SUCH_TEST = (
    "tf.test.is_built_with_cudnn() does not exist in any TensorFlow: it raises AttributeError. cudnnlint doctor shows "
    "which cuDNN TensorFlow was built for and which is installed."
)


def initialised(run: Interpreter) -> None:
    """Record that the framework looks for its GPUs now, if it has not done so before."""
    switch(run, INITIALISED, Const(True))


def not_there(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `tf.test.is_built_with_cudnn()`, which many programs ask and no release has."""
    if NO_SUCH_TEST not in run.notes:
        run.notes.append(NO_SUCH_TEST)
    return UnknownValue("is the result of a function that TensorFlow does not have")


def named(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.device(name)`, `keras.device(name)`: no cell where the name says nothing of the kind of device."""
    name = arguments.get(0, "device_name") or arguments.get(0, "device") or UNBOUND
    found = [_kind(option, name, origin) for option in options(name)]
    if all(value is None for value in found):
        return scope(run, "tensorflow.device", origin)
    before = context_of(run).scope.get("device") or UNBOUND
    because = choice(name)
    device = join([before if value is None else value for value in found], because)
    return scope(run, "tensorflow.device", origin, device=device)


def _kind(named: Value, written: Value, origin: Origin) -> Value | None:
    """Return the kind of device that a text names; None where it names none."""
    if isinstance(named, Const) and named.value is None:
        return replace(NONE, at=origin)
    if isinstance(named, Const) and isinstance(named.value, str):
        match = _DEVICE.match(named.value)
        if match is None or match["kind"] in ("job", "replica", "task"):
            return None
        kind = _KINDS.get(match["kind"].lower())
        if kind is not None:
            return Const(kind, at=origin, assumed=named.assumed)
        return UnknownValue(Sentence("the scope `", origin, "` names neither a CPU nor a GPU"), None, at=origin)
    match = _PREFIX.match(str(written.at or ""))
    if match is not None:
        return Const(_KINDS[match["kind"].lower()], at=origin)
    because = named.because if isinstance(named, UnknownValue) else "its name is not a string"
    return _any(Sentence("the scope `", origin, "` names a device that is not known: ", because), origin)


def _any(because: Words, origin: Origin) -> Value:
    """Return a device of which the kind is not known."""
    return Either((Const("cpu", at=origin), Const("gpu", at=origin)), because)


def strategy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `OneDeviceStrategy("/cpu:0")`, `MirroredStrategy(devices=[...])`.

    A layer that is made in the scope of a strategy runs on its devices.
    """
    given = arguments.get(0, "devices") or arguments.get(0, "device") or UNBOUND
    every = options(given) if isinstance(given, (Const, Either)) else containers.elements(run, given).items
    kinds = [_kind(one, one, origin) for one in every]
    on_cpu = [isinstance(kind, Const) and kind.value == "cpu" for kind in kinds]
    said: dict[str, Value] = {"strategy": Const("cpu", at=origin)} if kinds and all(on_cpu) else {}
    return scope(run, "tensorflow.distribute.Strategy", origin, **said)


def mirrored(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate a strategy that keeps each weight on several devices: it is no plain variable then."""
    found = strategy(run, arguments, origin)
    if isinstance(found, Instance):
        run.journal.write(found.table, cell("distributed"), Const(True, at=origin))
    return found


def of_jax(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `jax.default_device(jax.devices("cpu")[0])`, reading the kind of device from the source text."""
    kind = re.search(r"[\"'](cpu|gpu|cuda)[\"']", str(origin))
    if kind is not None:
        return scope(run, "jax.default_device", origin, device=Const(_KINDS[kind[1]], at=origin))
    because = Sentence("the scope `", origin, "` names a device that is not known")
    return scope(run, "jax.default_device", origin, device=_any(because, origin))


def visible(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.config.set_visible_devices([], "GPU")`: only TensorFlow sees none then."""
    kind = arguments.get(1, "device_type")
    if isinstance(kind, Const) and kind.value == "CPU":
        return NONE
    contents = containers.elements(run, arguments.get(0, "devices") or NONE)
    none_left = not contents.items and contents.rest is None
    switch(run, FROM_TENSORFLOW, Const(FROM_TENSORFLOW, at=origin) if none_left else NONE)
    return NONE


def gpus(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.config.list_physical_devices("GPU")`: one GPU, unless more is known."""
    kind = arguments.get(0, "device_type")
    if not isinstance(kind, Const) or kind.value != "GPU":
        return None
    return Tuple(Contents((UnknownValue("is a GPU of the machine"),)), assumed=A_GPU)


def of_backend(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `K.tensorflow_backend._get_available_gpus()`: the name of one GPU."""
    return Tuple(Contents((Const("/device:GPU:0"),)), assumed=A_GPU)


def taken(answer: object) -> Handler:
    """Return a handler for a query for GPUs; its answer assumes that a GPU is present."""
    return lambda run, arguments, origin: Const(answer, assumed=A_GPU)


def on_cpu(value: Value) -> Value:
    """Return what a value of JAX_PLATFORMS means: the first platform that it names is the one that JAX uses."""
    on_cpu = isinstance(value, Const) and str(value.value).split(",")[0].strip().lower() == "cpu"
    return replace(value, value=FROM_JAX) if on_cpu and isinstance(value, Const) else UNBOUND


def hides(value: Value) -> Value:
    """Return "hidden" where a value of CUDA_VISIBLE_DEVICES hides all GPUs, Unbound where it does not.

    For a value that is not known, a GPU is assumed to be visible.
    """
    if value is UNBOUND:
        return UNBOUND
    if isinstance(value, Const):
        hidden = str(value.value).strip() in ("", "-1", "none", "None", "NoDevFiles")
        return replace(value, value="hidden") if hidden else UNBOUND
    reason = value.because if isinstance(value, UnknownValue) else "its value is not followed"
    return Const(
        None, at=value.at, assumed=f"CUDA_VISIBLE_DEVICES is set, and {reason}; a GPU is assumed to be visible"
    )
