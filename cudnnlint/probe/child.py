"""The probe's child: asks a real framework what its recurrent layers run. JSON in, JSON out.

The only file that imports a framework; it imports nothing of cudnnlint, so that any interpreter which has the
framework can run it (Python 3.7 and later, for old releases of TensorFlow). It reads one line of JSON from standard
input, writes lines of JSON to standard output, and ends when its parent closes standard input.

A job's `kind` is
    installed  what is installed, without importing it
    about      import a framework: releases, how it was built, the GPUs that it sees
    libraries  load shared libraries by name
    ask        for each work item, what the recurrent layers in it run
    verify     run a saved model on inputs in a file (made if there is none), outputs to a file

A work item is a saved model ({"model": path}) or one layer to build ({"layer": {...}}, see `Builder`). First it runs
once on whatever is there, and what reaches each recurrent layer is noted: a `Subject`. Then every subject is asked
alone, traced (`graph`, as fit and predict do) and eagerly, in training and at inference, with each padding of a mask
where one reaches it.

`dry` asks need no GPU: the framework is told that there is one, and cuDNN's functions become recorders, which let the
real ones check their arguments and return zeros. Otherwise the layer runs, and the profiler, the compiled program or
the tracer tells what ran. An observation is {"route": "cudnn" | "fallback" | "raises" | None, "error", "ops",
"kernels"}; None is "no sign in either direction".
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

try:
    from importlib import metadata
except ImportError:  # Python 3.7
    metadata = importlib.import_module("importlib_metadata")

Json = Any
PADDINGS = ("right", "left", "empty")
PHASES = (("training", True), ("inference", False))
BATCH, STEPS, SIZE = 3, 5, 4  # stand in for what a model leaves open; three rows show every padding
WORKLOAD = (32, 64, 32)  # the same where it is timed: what a GPU needs to have something to do
RECURRENT = {"RNN", "ConvRNN", "ConvRNN2D", "_CuDNNRNN"}  # base classes in all generations of Keras
PACKAGES = ("keras", "tf_keras", "tensorflow", "jax", "torch", "numpy")  # whose functions a job may name
DISTRIBUTIONS = ("nvidia", "tensorflow", "tf", "keras", "torch", "jax", "jaxlib")  # how their names begin
LONGEST_ERROR = 400


# ---------------------------------------------------------------- the line to the parent


class Answers:
    """Writes lines of JSON to what was standard output; whatever else is printed goes to standard error."""

    def __init__(self) -> None:
        self.file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def send(self, **message: Json) -> None:
        """Send one message."""
        self.file.write(json.dumps(message) + "\n")
        self.file.flush()


def leave_with_parent() -> None:
    """End as soon as the parent closes standard input or dies, whatever the framework is doing."""

    def wait() -> None:
        while os.read(0, 1):
            pass
        os._exit(3)

    threading.Thread(target=wait, daemon=True).start()


def said(error: BaseException) -> str:
    """An error's class and words on one line, from where they tell more than that something went wrong."""
    words = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split())
    for start in ("Exception encountered: ", "assertion failed"):  # by Keras's loader; by TensorFlow, after a traceback
        words = words[max(words.rfind(start), 0) :]
    return f"{type(error).__name__}: {words}"[:LONGEST_ERROR]


# ---------------------------------------------------------------- about and libraries


def keras_of(framework: str) -> Any:
    """The Keras that a framework's name means."""
    if framework == "tensorflow":
        return importlib.import_module("tensorflow").keras
    return importlib.import_module(framework)


def releases(names: Any) -> Json:
    """The releases of those packages that are imported."""
    loaded = {name: sys.modules.get(name) for name in names}
    return {name: str(getattr(module, "__version__", "")) or None for name, module in loaded.items() if module}


def installed(job: Json, answers: Answers) -> None:
    """What is installed, from the packages' metadata: imports nothing."""
    found, wants = {}, {}
    for item in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", str(item.metadata["Name"] or "")).lower()
        if name not in found and name.split("-")[0] in DISTRIBUTIONS:  # the first on the path is the one imported
            found[name] = str(item.version)
            wants[name] = [want for want in item.requires or [] if "nvidia" in want]
    answers.send(packages=found, wants={name: want for name, want in wants.items() if want}, python=python())


def python() -> Json:
    """This interpreter."""
    return {"version": sys.version.split()[0], "executable": sys.executable, "paths": list(sys.path)}


def about(job: Json, answers: Answers) -> None:
    """Import a package and tell what it is. Its errors are data."""
    name = job["package"]
    try:
        module = importlib.import_module(name)
        tell = {"tensorflow": about_tensorflow, "torch": about_torch, "jax": about_jax}.get(name)
        facts = tell(module) if tell else {}
    except (Exception, SystemExit) as error:
        answers.send(package=name, error=said(error))
        return
    answers.send(package=name, error=None, releases=releases((name, "keras", "tf_keras")), **facts)


def about_tensorflow(tensorflow: Any) -> Json:
    """What TensorFlow was built with, the GPUs that it sees, and which Keras `tf.keras` is."""
    built = {}
    with contextlib.suppress(AttributeError):
        info = tensorflow.sysconfig.get_build_info()
        built = {key: str(info[key]) for key in ("cuda_version", "cudnn_version") if key in info}
    devices = tensorflow.config.list_physical_devices("GPU")
    return {
        "cuda": bool(tensorflow.test.is_built_with_cuda()),
        "rocm": bool(tensorflow.test.is_built_with_rocm()),
        "built": built,
        "gpus": [device.name for device in devices],
        "keras": str(getattr(tensorflow.keras, "__version__", "") or tensorflow.__version__),
    }


def about_torch(torch: Any) -> Json:
    """The same of torch."""
    built = {"cuda_version": str(torch.version.cuda)} if torch.version.cuda else {}
    if torch.backends.cudnn.is_available():
        built["cudnn_version"] = str(torch.backends.cudnn.version())
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return {
        "cuda": torch.version.cuda is not None,
        "rocm": getattr(torch.version, "hip", None) is not None,
        "built": built,
        "gpus": [torch.cuda.get_device_name(index) for index in range(count)],
    }


def about_jax(jax: Any) -> Json:
    """The same of JAX."""
    devices = [device for device in jax.devices() if device.platform in ("gpu", "cuda", "rocm")]
    plugin = any(importlib.util.find_spec(f"jax_cuda{major}_plugin") for major in (12, 13))
    names = [device.device_kind for device in devices]
    return {"cuda": bool(names) or plugin, "rocm": False, "built": {}, "gpus": names}


def libraries(job: Json, answers: Answers) -> None:
    """Which of the shared libraries load; a fault in one ends only this child."""
    for path in job["paths"]:
        try:
            library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            answers.send(path=path, error=str(error), version=None)
            continue
        answers.send(path=path, error=None, version=cudnn_version(library))


def cudnn_version(library: Any) -> Json:
    """cuDNN's release as it counts it (90100), None where the library is another one."""
    if not hasattr(library, "cudnnGetVersion"):
        return None
    library.cudnnGetVersion.restype = ctypes.c_size_t
    return int(library.cudnnGetVersion())


# ---------------------------------------------------------------- layers


def ancestors(layer: Any) -> Any:
    """Names of the frameworks' own classes that a layer descends from."""
    return [kind.__name__ for kind in type(layer).__mro__ if kind.__module__.split(".")[0] in PACKAGES]


def is_recurrent(layer: Any) -> bool:
    """Is it a recurrent layer (a cell is none)?"""
    return bool(RECURRENT.intersection(ancestors(layer)))


def is_bidirectional(layer: Any) -> bool:
    """Is it a Bidirectional?"""
    return "Bidirectional" in ancestors(layer)


def children(layer: Any) -> Any:
    """The layers directly inside a layer."""
    if is_bidirectional(layer):
        return [layer.forward_layer, layer.backward_layer]
    if hasattr(layer, "layers"):
        return list(layer.layers)
    if hasattr(layer, "layer"):
        return [layer.layer]
    inner = getattr(layer, "_layers", None) or getattr(layer, "_self_tracked_trackables", None) or []
    return [item for item in inner if hasattr(item, "name") and hasattr(item, "call")]


def walk(layer: Any, path: Any = (), seen: Any = None) -> Iterator[Any]:
    """Every recurrent layer in a layer or model, once, with the names from the root."""
    seen = set() if seen is None else seen
    if id(layer) in seen:
        return
    seen.add(id(layer))
    if is_recurrent(layer):
        yield layer, path
        return
    for child in children(layer):
        yield from walk(child, (*path, child.name), seen)


class Subject:
    """A recurrent layer and one call of it: the shape and dtype of what reached it."""

    def __init__(self, layer: Any, shape: Any, dtype: str, masked: bool, states: Any, ragged: bool = False) -> None:
        self.layer = layer
        self.shape = tuple(shape)
        self.dtype = dtype
        self.masked = masked and len(self.shape) >= 3
        self.states = states  # [(shape, dtype)], empty where none were given
        self.ragged = ragged
        self.time_major = bool(getattr(layer, "time_major", False))

    @property
    def kind(self) -> Any:
        """What decides a route, apart from the layer."""
        return self.shape, self.dtype, self.masked, bool(self.states)

    @property
    def steps(self) -> int:
        """How many time steps reach it."""
        return int(self.shape[0 if self.time_major else 1])

    @property
    def rows(self) -> int:
        """How many sequences reach it."""
        return int(self.shape[1 if self.time_major else 0])

    def paddings(self, wanted: Any) -> Any:
        """The paddings worth asking: "none" without a mask; one step cannot be padded on the left."""
        if not self.masked:
            return ["none"]
        return [padding for padding in wanted if padding != "left" or self.steps > 1]

    def mask(self, padding: str) -> Any:
        """Rows of booleans: padded on the right, on the left, or on the right with an empty first row."""
        lengths = [max(self.steps - 1 - row % 2, 1) for row in range(self.rows)]
        if padding == "empty":
            lengths[0] = 0
        spans = [(self.steps - length, self.steps) if padding == "left" else (0, length) for length in lengths]
        rows = [[start <= step < end for step in range(self.steps)] for start, end in spans]
        return [[row[step] for row in rows] for step in range(self.steps)] if self.time_major else rows


class Notes:
    """Watches recurrent layers while a model runs once, and notes what reaches them."""

    def __init__(self, side: Any) -> None:
        self.side = side
        self.subjects = {}  # type: dict[int, list[Subject]]

    @contextlib.contextmanager
    def watching(self, layers: Any) -> Iterator[None]:
        """Within, every call of these layers is noted."""
        for layer in layers:
            layer.__dict__["call"] = self.watched(layer)
        try:
            yield
        finally:
            for layer in layers:
                layer.__dict__.pop("call", None)

    def watched(self, layer: Any) -> Any:
        """A `call` that notes its arguments; wrappers reach a layer past `__call__`, so `call` it must be."""
        original = type(layer).call.__get__(layer)
        signature = inspect.signature(original)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.subjects.setdefault(id(layer), []).append(self.subject(layer, signature.bind(*args, **kwargs)))
            return self.harmless(layer, original, args, kwargs)

        call.__signature__ = signature  # type: ignore[attr-defined]  # Keras reads it
        return self.side.unconverted(call)

    def subject(self, layer: Any, bound: Any) -> Subject:
        """What one call gave the layer."""
        first, *states = as_list(next(iter(bound.arguments.values())))
        states = states or as_list(bound.arguments.get("initial_state"))
        mask = next((item for item in as_list(bound.arguments.get("mask")) if item is not None), None)
        if type(first).__name__ == "RaggedTensor":
            return Subject(layer, (BATCH, STEPS, SIZE), "float32", False, [], ragged=True)
        shapes = [(tuple(item.shape), dtype_of(item)) for item in states if item is not None]
        return Subject(layer, first.shape, dtype_of(first), mask is not None, shapes)

    def harmless(self, layer: Any, original: Any, args: Any, kwargs: Any) -> Any:
        """Run a call so that it cannot stop for want of a GPU, or because of one."""
        insisted = getattr(layer, "use_cudnn", None) is True
        if insisted:
            layer.use_cudnn = "auto"
        try:
            try:
                return original(*args, **kwargs)
            except Exception:
                with self.side.believing():
                    return original(*args, **kwargs)
        finally:
            if insisted:
                layer.use_cudnn = True


def as_list(value: Any) -> Any:
    """A list of what may be one, several or none."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def dtype_of(tensor: Any) -> str:
    """"float32", whatever the framework calls it."""
    dtype = tensor.dtype
    return str(getattr(dtype, "name", dtype)).replace("torch.", "")


# ---------------------------------------------------------------- building a layer from facts


class Builder:
    """Builds a layer from what a linter saw of it. Runs no code of the user's.

    A layer is {"class_name", "path", "arguments": {name: VALUE}, "cells": [layer] | None, "wrappers": [WRAPPER],
    "policy", "input_dtype", "masked", "initial_state"}; a wrapper is {"kind", "arguments", "role", "other"}, from the
    innermost outwards, where `other` is the layer of the other direction if it was given. A VALUE is a literal, or
    {"ref": dotted name}, {"own": what}, {"tuple": [...]}, {"dict": [[key, value]]}.
    """

    def __init__(self, keras: Any) -> None:
        self.keras = keras

    def build(self, spec: Json) -> Any:
        """The layer in all its wrappers."""
        layer = self.bare(spec)
        for wrapper in spec["wrappers"]:
            arguments = self.arguments(wrapper["arguments"])
            kind = getattr(self.keras.layers, wrapper["kind"])
            layer = self.both(kind, layer, wrapper, arguments) if "other" in wrapper else kind(layer, **arguments)
        return layer

    def both(self, kind: Any, layer: Any, wrapper: Json, arguments: Json) -> Any:
        """A Bidirectional, of the direction that was meant and the other one."""
        if wrapper["other"] is None:
            return kind(layer, **arguments)
        other = self.bare(wrapper["other"])
        forward, backward = (layer, other) if wrapper["role"] == "forward" else (other, layer)
        if wrapper["explicit"]:
            arguments["backward_layer"] = backward
        return kind(forward, **arguments)

    def bare(self, spec: Json) -> Any:
        """The layer without its wrappers."""
        arguments = self.arguments(spec["arguments"])
        kind = self.kind(spec)
        if spec.get("cells") is None:
            return kind(**arguments)
        cells = [self.bare(cell) for cell in spec["cells"]]
        alone = len(cells) == 1 and spec["class_name"] != "StackedRNNCells"
        return kind(cells[0] if alone else cells, **arguments)

    def kind(self, spec: Json) -> Any:
        """The class that a path means in this Keras: the v1 classes have their own."""
        if "compat.v1" in spec["path"]:
            layers = importlib.import_module("tensorflow").compat.v1.keras.layers
            return getattr(layers, spec["class_name"])
        return getattr(self.keras.layers, spec["class_name"])

    def arguments(self, values: Json) -> Json:
        """Argument values."""
        return {name: self.value(value) for name, value in values.items()}

    def value(self, value: Json) -> Any:
        """One value."""
        if not isinstance(value, dict):
            return [self.value(item) for item in value] if isinstance(value, list) else value
        if "ref" in value:
            return self.function(value["ref"])
        if "tuple" in value:
            return tuple(self.value(item) for item in value["tuple"])
        if "dict" in value:
            return {key: self.value(item) for key, item in value["dict"]}
        return self.stranger(value["own"])

    def function(self, dotted: str) -> Any:
        """A library's function or class by its dotted name; an activation class becomes an object."""
        first, *rest = dotted.split(".")
        if first not in PACKAGES:
            raise ValueError(f"{dotted} is no library's function")
        found = importlib.import_module(first)
        for part in rest:
            found = getattr(found, part)
        return found

    def stranger(self, what: str) -> Any:
        """Something that is none of Keras's own functions: an Activation layer, or a function of one's own."""
        if "layer" in what.lower():
            return self.keras.layers.Activation("tanh")
        return lambda value: value * 1.0


# ---------------------------------------------------------------- what ran: signs in names of operations

TORCH_LOOPS = ("_fallback_lstm", "_fallback_gru")
KERNEL = re.compile(r"^Cudnn\w*RNN|^aten::_?cudnn_rnn|^cu(?:dnn_)?dnn_rnn|^cudnn_rnn", re.IGNORECASE)
LOOP = re.compile(
    r"^(?:_?(?:Mkl|Fused)*(?:Batch)?MatMul(?:V\d)?|Conv\dD\w*|\w*While|TensorList\w+|_?Xla\w+"
    r"|aten::(?:addmm|mm|matmul|bmm|linear|convolution|_thnn_fused_\w+|mkldnn_rnn_layer)|while|dot|gemm\w*)$"
)
GPU_KERNEL = re.compile(rb"[\w:<>, ]*(?:RNN_block|LSTM_elem|GRU_elem|RNN_persist|cudnn::)[\w:<>, ]*")


def route_of(ops: Any) -> Any:
    """The route that names of executed operations show: "cudnn", "fallback", or None where nothing shows it."""
    if any(KERNEL.search(op) for op in ops):
        return "cudnn"
    return "fallback" if any(LOOP.search(op) for op in ops) else None


def observed(ops: Any, kernels: Any = ()) -> Json:
    """An observation from names of operations; only telling names are kept."""
    route = route_of(ops)
    telling = sorted(op for op in set(ops) if KERNEL.search(op) or (route != "cudnn" and LOOP.search(op)))
    return {"route": route, "error": None, "ops": telling[:12], "kernels": sorted(set(kernels))[:12]}


def seen(route: Any) -> Json:
    """An observation of a dry run, which has no operations to show."""
    return {"route": route, "error": None, "ops": [], "kernels": []}


def raised(error: BaseException) -> Json:
    """An observation of an error."""
    return {"route": "raises", "error": said(error), "ops": [], "kernels": []}


# ---------------------------------------------------------------- sides: one for each backend


class Side:
    """A backend. `dry` sides believe in a GPU while they are asked; the others use the one that is there."""

    modes = ("graph", "eager")  # type: tuple[str, ...]
    paddings = PADDINGS  # type: tuple[str, ...]  # those whose route may differ

    def __init__(self, keras: Any, dry: bool) -> None:
        self.keras = keras
        self.dry = dry
        self.believes = False
        self.hits = []  # type: list[Any]

    def replacements(self) -> Iterator[Any]:
        """What makes Keras believe in a GPU: (owner, attribute, value)."""
        raise NotImplementedError

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        """Within, Keras sees a GPU, and cuDNN's functions are recorders."""
        if self.believes:
            yield
            return
        with contextlib.ExitStack() as undo:
            for owner, name, value in [*self.replacements(), *self.loops()]:
                undo.callback(put_back(owner, name))
                setattr(owner, name, value)
            undo.callback(setattr, self, "believes", False)
            self.believes = True
            yield

    def loops(self) -> Iterator[Any]:
        """Keras 3's loops: where one runs after all, what the kernel computed before was thrown away."""
        for module, names in (("keras.src.backend", ("rnn",)), ("keras.src.backend.torch.rnn", TORCH_LOOPS)):
            owner = sys.modules.get(module)
            for name in names:
                if hasattr(owner, name) and self.keras.__name__ == "keras":
                    yield owner, name, self.looping(getattr(owner, name))

    def looping(self, real: Any) -> Any:
        """A loop that forgets the hits before it."""

        def loop(*args: Any, **kwargs: Any) -> Any:
            self.hits = []
            return real(*args, **kwargs)

        return loop

    def unconverted(self, function: Any) -> Any:
        """Keep a framework from rewriting a function of ours."""
        return function

    def fresh(self) -> None:
        """A clean framework, as in a new process."""
        self.keras.backend.clear_session()
        self.set_policy("float32")

    def set_policy(self, name: str) -> None:
        """Set the global dtype policy."""
        mixed = self.keras.mixed_precision
        if hasattr(mixed, "set_global_policy"):
            mixed.set_global_policy(name)
        elif name != "float32":
            mixed.experimental.set_policy(name)

    def ones(self, shape: Any, dtype: str) -> Any:
        """A tensor of ones."""
        raise NotImplementedError

    def booleans(self, rows: Any) -> Any:
        """A tensor of booleans."""
        raise NotImplementedError

    def inputs(self, subject: Subject, padding: str) -> Any:
        """Arguments of a call of a subject: the sequences and keyword arguments."""
        more = {}
        if subject.masked and padding != "none":
            more["mask"] = self.booleans(subject.mask(padding))
        if subject.states:
            more["initial_state"] = [self.ones(shape, dtype) for shape, dtype in subject.states]
        return self.ones(subject.shape, subject.dtype), more

    def ask(self, subject: Subject, mode: str, training: bool, wanted: Any) -> Json:
        """What a subject runs, by padding. The framework's errors are answers."""
        found = {}
        run = (self.recording if self.dry else self.executing)(subject, mode, training)
        for padding in subject.paddings(wanted):
            try:
                with self.believing() if self.dry else contextlib.nullcontext():
                    found[padding] = run(padding)
            except Exception as error:
                found[padding] = raised(error)
        return found

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        """What observes the call with one padding while believing in a GPU."""
        raise NotImplementedError

    def executing(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        """What runs the call with one padding on the GPU, and observes that."""
        raise NotImplementedError

    def called(self, subject: Subject, training: bool) -> Callable[[str], Json]:
        """What calls the layer as it is, and sees whether a recorder was reached."""

        def run(padding: str) -> Json:
            self.hits = []
            inputs, more = self.inputs(subject, padding)
            subject.layer(inputs, training=training, **more)
            return seen(self.hit())

        return run

    def hit(self) -> Any:
        """The route that the recorders saw; None where one of them could not say."""
        if None in self.hits:
            return None
        return "cudnn" if self.hits else "fallback"

    def seconds(self, subject: Subject, repeats: int) -> Any:
        """The median time of a training step, in seconds."""
        raise NotImplementedError

    def gpus(self) -> Any:
        """The GPUs that the framework sees."""
        raise NotImplementedError


def put_back(owner: Any, name: str) -> Callable[[], None]:
    """What restores an attribute, or takes it away again."""
    if hasattr(owner, name):
        before = getattr(owner, name)
        return lambda: setattr(owner, name, before)
    return lambda: delattr(owner, name)


def median(durations: Any) -> float:
    """The middle one."""
    return float(sorted(durations)[len(durations) // 2])


def timed(step: Callable[[], Any], repeats: int) -> float:
    """The median duration of a step that waits for the device, after two steps to warm up."""
    durations = []
    for number in range(repeats + 2):
        start = time.perf_counter()
        step()
        if number > 1:
            durations.append(time.perf_counter() - start)
    return median(durations)


# ---------------------------------------------------------------- TensorFlow

OPS = {"CudnnRNN": 4, "CudnnRNNV2": 5, "CudnnRNNV3": 5}  # and how many outputs each has
GENERATED = {"cudnn_rnn": "CudnnRNN", "cudnn_rnnv2": "CudnnRNNV2", "cudnn_rnnv3": "CudnnRNNV3"}
RUNTIME_GPU = 2  # what Keras 2's functions return where the kernel ran
REGISTRARS = (  # where Keras 2 keeps the function that registers a layer's cuDNN version, by generation
    ("tf_keras.src.layers.rnn.gru_lstm_utils", "function_register"),
    ("keras.src.layers.rnn.gru_lstm_utils", "function_register"),
    ("keras.layers.rnn.gru_lstm_utils", "function_register"),
    ("keras.layers.recurrent_v2", "_function_register"),
    ("keras.layers.recurrent_v2", "function_register"),
    ("tensorflow.python.keras.layers.recurrent_v2", "_function_register"),
    ("tensorflow.python.eager.function", "register"),
)


class FakeGpu:
    """What a list of logical devices holds."""

    name = "/device:GPU:0"
    device_type = "GPU"


class TensorFlowSide(Side):
    """Keras 2 in all its packages, and Keras 3 on TensorFlow.

    Keras 2 traces the loop and registers its cuDNN function beside it; Grappler swaps them on a GPU. In a dry run the
    registered function is traced instead, and the number that it returns tells what ran.
    """

    def __init__(self, keras: Any, dry: bool) -> None:
        super().__init__(keras, dry)
        self.tf = importlib.import_module("tensorflow")
        self.runtimes = []  # type: list[Any]

    def gpus(self) -> Any:
        return [device.name for device in self.tf.config.list_logical_devices("GPU")]

    def unconverted(self, function: Any) -> Any:
        return self.tf.autograph.experimental.do_not_convert(function)

    def ones(self, shape: Any, dtype: str) -> Any:
        if dtype == "string":
            return self.tf.fill(shape, "word")
        return self.tf.ones(shape, dtype)

    def booleans(self, rows: Any) -> Any:
        return self.tf.constant(rows)

    # ---- belief

    def replacements(self) -> Iterator[Any]:
        tf, done = self.tf, set()
        for space in (tf, tf.compat.v2, tf.compat.v1):
            if id(space.config) not in done and hasattr(space.config, "list_logical_devices"):
                done.add(id(space.config))
                yield space.config, "list_logical_devices", self.devices(space.config.list_logical_devices)
            if id(space.raw_ops) not in done:
                done.add(id(space.raw_ops))
                for name in OPS:
                    if hasattr(space.raw_ops, name):
                        yield space.raw_ops, name, self.recorder(name, getattr(space.raw_ops, name))
        yield from self.private_replacements()

    def private_replacements(self) -> Iterator[Any]:
        """What Keras up to TensorFlow 2.5 uses past the public names, and the registrars."""
        yield importlib.import_module("tensorflow.python.eager.context"), "num_gpus", lambda: 1
        config = importlib.import_module("tensorflow.python.framework.config")
        yield config, "list_logical_devices", self.devices(config.list_logical_devices)
        generated = importlib.import_module("tensorflow.python.ops.gen_cudnn_rnn_ops")
        for name, op in [*GENERATED.items(), *((name, name) for name in OPS)]:
            if hasattr(generated, name):
                yield generated, name, self.recorder(op, getattr(generated, name))
        for module, name in REGISTRARS:
            owner = sys.modules.get(module)  # of the Keras that is asked: loading another would mix their functions
            if hasattr(owner, name):
                yield owner, name, self.register

    def devices(self, real: Any) -> Any:
        """A `list_logical_devices` that knows of a GPU."""

        def listed(device_type: Any = None) -> Any:
            return [FakeGpu()] if device_type == "GPU" else real(device_type)

        return listed

    def recorder(self, name: str, real: Any) -> Any:
        """A stand-in for a cuDNN operation: lets the real one check its arguments, and returns zeros."""

        def op(*args: Any, **kwargs: Any) -> Any:
            arguments = inspect.signature(real).bind(*args, **kwargs).arguments
            self.complain(real, arguments)
            self.hits.append(name)
            return self.zeros(arguments["input"], arguments["input_h"], OPS[name])

        return op

    def complain(self, real: Any, arguments: Json) -> None:
        """Let the real operation check its arguments; that it has no kernel on a CPU is no complaint."""
        tf = self.tf
        if tf.executing_eagerly():
            try:
                real(**arguments)
            except tf.errors.NotFoundError:
                pass
            except tf.errors.InvalidArgumentError as error:
                if "OpKernel" not in str(error):
                    raise
            return
        stand_ins = {key: (item.dtype, item.shape) for key, item in arguments.items() if tf.is_tensor(item)}
        with tf.Graph().as_default():
            real(**dict(arguments, **{key: tf.compat.v1.placeholder(*item) for key, item in stand_ins.items()}))

    def zeros(self, sequence: Any, state: Any, count: int) -> Any:
        """What a cuDNN operation returns, in shape and dtype."""
        tf, units = self.tf, state.shape[-1]
        outputs = tf.zeros(tf.concat([tf.shape(sequence)[:2], [units]], 0), sequence.dtype)
        outputs.set_shape((*tuple(sequence.shape)[:2], units))
        rest = [tf.zeros([1], sequence.dtype)] * (count - 3)
        return (outputs, tf.zeros_like(state), tf.zeros_like(state), *rest)

    def register(self, function: Any, *args: Any, **kwargs: Any) -> None:
        """A stand-in for Keras 2's registration of the cuDNN version: traces it, and keeps the number it returns."""
        hits = list(self.hits)
        self.runtimes.append(function.python_function(*args, **kwargs)[-1])
        self.hits = hits  # a branch of a condition that is merely traced is no hit

    # ---- asking

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        if mode == "eager":
            return self.called(subject, training)

        def step(inputs: Any, more: Any) -> Any:
            self.hits, self.runtimes = [], []
            subject.layer(inputs, training=training, **more)
            return list(self.runtimes)

        traced = self.tf.function(step, autograph=False)  # once for all paddings

        def run(padding: str) -> Json:
            numbers = traced(*self.inputs(subject, padding))  # on the CPU, so that Keras's own assertions speak
            if numbers:
                return seen("cudnn" if all(float(number) == RUNTIME_GPU for number in numbers) else "fallback")
            return seen(self.hit())

        return run

    def step(self, subject: Subject, mode: str, training: bool) -> Any:
        """A step as `fit` or `predict` makes it: with gradients in training."""
        tf, layer = self.tf, subject.layer

        def step(inputs: Any, more: Any) -> Any:
            with tf.GradientTape() as tape:
                outputs = tf.nest.flatten(layer(inputs, training=training, **more))
                loss = tf.add_n([tf.reduce_sum(tf.cast(output, tf.float32)) for output in outputs])
            if not training:
                return loss
            gradients = tape.gradient(loss, layer.trainable_weights)
            return [loss] + [tf.reduce_sum(tf.cast(gradient, tf.float32)) for gradient in gradients]

        return tf.function(step, autograph=False) if mode == "graph" else step

    def executing(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        step = self.step(subject, mode, training)

        def run(padding: str) -> Json:
            inputs, more = self.inputs(subject, padding)
            self.wait(step(inputs, more))  # traced outside the profile
            return observed(*self.profile(lambda: self.wait(step(inputs, more))))

        return run

    def wait(self, results: Any) -> None:
        """Wait for the device."""
        for result in self.tf.nest.flatten(results):
            result.numpy()

    def profile(self, step: Callable[[], None]) -> Any:
        """The names of the operations and of the GPU's kernels that a step executes."""
        with tempfile.TemporaryDirectory() as folder:
            self.tf.profiler.experimental.start(folder)
            try:
                step()
            finally:
                self.tf.profiler.experimental.stop()
            return names_in(folder)

    def seconds(self, subject: Subject, repeats: int) -> Any:
        step = self.step(subject, "graph", True)
        inputs, more = self.inputs(subject, "right")
        return timed(lambda: self.wait(step(inputs, more)), repeats)


def names_in(folder: str) -> Any:
    """The names of operations and kernels in the profiles below a folder, whatever the release calls their format.

    A profile holds its names as plain bytes, operations as "layer/node:Op" or "EagerLocalExecute: Op".
    """
    ops, kernels = set(), set()
    for root, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(root, name), "rb") as file:
                data = file.read()
            ops |= {item.decode() for item in re.findall(rb":\s?([A-Za-z_]\w+)", data)}
            kernels |= {item.decode().strip() for item in GPU_KERNEL.findall(data)}
    return ops, kernels


# ---------------------------------------------------------------- JAX


class JaxSide(Side):
    """Keras 3 on JAX. Keras looks only at whether there is a mask, so one padding does."""

    paddings = ("right",)

    def __init__(self, keras: Any, dry: bool) -> None:
        super().__init__(keras, dry)
        self.jax = importlib.import_module("jax")
        self.refused = None  # type: str | None
        if not dry:
            self.modes = ("graph",)  # the compiled program is the evidence; eager calls leave none

    def gpus(self) -> Any:
        return [device.device_kind for device in self.jax.devices() if device.platform in ("gpu", "cuda")]

    def ones(self, shape: Any, dtype: str) -> Any:
        return self.jax.numpy.ones(shape, dtype)

    def booleans(self, rows: Any) -> Any:
        return self.jax.numpy.asarray(rows)

    def replacements(self) -> Iterator[Any]:
        rnn = importlib.import_module("jax.experimental.rnn")
        yield self.jax, "default_backend", lambda: "gpu"
        yield rnn, "lstm", self.recorder(rnn.lstm)
        with contextlib.suppress(ImportError):  # the CPU's jaxlib lacks it; only the size of a buffer hangs on it
            gpu = importlib.import_module("jaxlib.gpu_rnn")
            yield gpu, "compute_rnn_workspace_reserve_space_sizes", lambda *_: (1, 1)

    def recorder(self, real: Any) -> Any:
        """A stand-in for JAX's cuDNN LSTM: the real one is evaluated abstractly, and zeros of its shapes return."""
        jax = self.jax

        def lstm(*tensors: Any, **options: Any) -> Any:
            shapes = jax.eval_shape(lambda *given: real(*given, **options), *tensors)
            dtype = str(shapes[0].dtype)
            if dtype not in ("float32", "float64"):  # jaxlib/gpu_rnn.py lowers no other type
                if not isinstance(tensors[0], jax.core.Tracer):
                    raise ValueError("Unknown output type " + dtype)
                self.refused = dtype
            self.hits.append("lstm")
            return jax.tree_util.tree_map(lambda shape: jax.numpy.zeros(shape.shape, shape.dtype), shapes)

        return lstm

    def step(self, subject: Subject, training: bool) -> Any:
        """A step as a pure function, and what it is called with."""
        layer = subject.layer
        trainable = [item.value for item in layer.trainable_variables]
        others = [item.value for item in layer.non_trainable_variables]

        variables = [*layer.trainable_variables, *layer.non_trainable_variables]

        def call(trainable: Any, others: Any, inputs: Any, more: Any) -> Any:
            # Not stateless_call: that leaves out what a call does with dtypes.
            values = [*trainable, *others]
            with self.keras.StatelessScope([(one, values[index]) for index, one in enumerate(variables)]):
                outputs = layer(inputs, training=training, **more)
            leaves = self.jax.tree_util.tree_leaves(outputs)
            return sum(leaf.astype("float32").sum() for leaf in leaves)

        return (self.jax.grad(call) if training and not self.dry else call), trainable, others

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        if mode == "eager":
            return self.called(subject, training)

        def run(padding: str) -> Json:
            self.hits, self.refused = [], None
            step, trainable, others = self.step(subject, training)
            self.jax.eval_shape(step, trainable, others, *self.inputs(subject, padding))
            if self.refused:
                raise ValueError("Unknown output type " + self.refused)
            return seen(self.hit())

        return run

    def executing(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        def run(padding: str) -> Json:
            step, trainable, others = self.step(subject, training)
            given = (trainable, others, *self.inputs(subject, padding))
            compiled = self.jax.jit(step).lower(*given).compile()
            self.jax.block_until_ready(compiled(*given))
            return observed(targets_in(compiled.as_text()))

        return run

    def seconds(self, subject: Subject, repeats: int) -> Any:
        step, trainable, others = self.step(subject, True)
        inputs, more = self.inputs(subject, "right")
        run = self.jax.jit(step)
        return timed(lambda: self.jax.block_until_ready(run(trainable, others, inputs, more)), repeats)


def targets_in(program: str) -> Any:
    """The custom calls and the loops of a compiled program."""
    ops = set(re.findall(r'custom_call_target="([^"]+)"', program))
    return ops | set(re.findall(r"\b(while|dot)\(", program))


# ---------------------------------------------------------------- torch


class TorchSide(Side):
    """Keras 3 on torch, which always runs eagerly. Keras looks only at whether there is a mask."""

    modes = ("eager",)
    paddings = ("right",)

    def __init__(self, keras: Any, dry: bool) -> None:
        super().__init__(keras, dry)
        self.torch = importlib.import_module("torch")
        self.device = "cuda" if self.torch.cuda.is_available() and not dry else "cpu"

    def gpus(self) -> Any:
        count = self.torch.cuda.device_count() if self.torch.cuda.is_available() else 0
        return [self.torch.cuda.get_device_name(index) for index in range(count)]

    def ones(self, shape: Any, dtype: str) -> Any:
        return self.torch.ones(tuple(shape), dtype=getattr(self.torch, dtype), device=self.device)

    def booleans(self, rows: Any) -> Any:
        return self.torch.tensor(rows, device=self.device)

    def replacements(self) -> Iterator[Any]:
        torch = self.torch
        yield torch.cuda, "is_available", lambda: True
        yield torch.backends.cudnn, "is_available", lambda: True
        yield torch._VF, "lstm", self.recorder("lstm", 2)
        yield torch._VF, "gru", self.recorder("gru", 1)

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        with super().believing(), self.disguise():
            yield

    def disguise(self) -> Any:
        """Within, every tensor says that it is on a GPU, and whoever sends one there is let through."""
        torch = self.torch
        base = importlib.import_module("torch.overrides").TorchFunctionMode  # type: Any
        said_device = torch.Tensor.device.__get__

        def here(value: Any) -> Any:
            return torch.device("cpu") if isinstance(value, torch.device) and value.type == "cuda" else value

        class Disguise(base):  # type: ignore[misc]
            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                if func == said_device:
                    return torch.device("cuda", 0)
                if func is torch.Tensor.__array__ and not getattr(args[0], "landed", False):
                    raise TypeError("can't convert cuda:0 device type tensor to numpy")  # as a real one does
                result = func(*[here(value) for value in args], **{key: here(kwargs[key]) for key in kwargs or {}})
                if func is torch.Tensor.cpu:
                    result.landed = True
                return result

        return Disguise()

    def recorder(self, name: str, states: int) -> Any:
        """A stand-in for torch's own LSTM or GRU, which takes cuDNN for these dtypes; bfloat16 hangs on its release."""

        def run(inputs: Any, state: Any, params: Any, *options: Any) -> Any:
            torch = self.torch
            if any(item.dtype != inputs.dtype for item in params):
                raise ValueError("parameter types mismatch")  # as torch does
            ours = state if isinstance(state, (tuple, list)) else [state]
            self.hits.append(None if inputs.dtype == torch.bfloat16 else name)
            width = ours[0].shape[-1] * (2 if options[4] else 1)  # the fifth option is `bidirectional`
            outputs = torch.zeros((*inputs.shape[:2], width), dtype=inputs.dtype)
            return (outputs, *[torch.zeros_like(item) for item in ours[:states]])

        return run

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        return self.called(subject, training)

    def step(self, subject: Subject, training: bool, padding: str) -> Any:
        """A step: with gradients in training."""
        inputs, more = self.inputs(subject, padding)

        def step() -> None:
            with contextlib.nullcontext() if training else self.torch.no_grad():
                outputs = as_list(subject.layer(inputs, training=training, **more))
                if training:
                    sum(output.float().sum() for output in outputs).backward()
            if self.device == "cuda":
                self.torch.cuda.synchronize()

        return step

    def executing(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        profiler = self.torch.profiler
        kinds = [profiler.ProfilerActivity.CPU]
        if self.device == "cuda":
            kinds.append(profiler.ProfilerActivity.CUDA)

        def run(padding: str) -> Json:
            step = self.step(subject, training, padding)
            with profiler.profile(activities=kinds) as profile:
                step()
            names = [event.key for event in profile.key_averages()]
            seen = observed(names, [name for name in names if GPU_KERNEL.search(name.encode())])
            # Keras 3.14 runs the kernel, stumbles over what it returns, and loops: signs in both directions are none.
            return dict(seen, route=None) if seen["route"] == "cudnn" and any(map(LOOP.search, names)) else seen

        return run

    def seconds(self, subject: Subject, repeats: int) -> Any:
        return timed(self.step(subject, True, "right"), repeats)


# ---------------------------------------------------------------- asking


class Asker:
    """Works through work items in one framework."""

    def __init__(self, job: Json) -> None:
        self.job = job
        self.dry = bool(job["dry"])
        self.stage = "build"  # what is being done with an item: build, call, ask
        batch, *others = (BATCH, STEPS, SIZE) if self.dry else WORKLOAD
        self.sizes = (job.get("batch_size") or batch, *others)
        self.known = {}  # type: dict[str, Json]  # what equal layers were seen to run, in a dry run
        self.keras = keras_of(job["framework"])
        sides = {"tensorflow": TensorFlowSide, "jax": JaxSide, "torch": TorchSide}
        self.side = sides[self.backend()](self.keras, self.dry)

    def backend(self) -> str:
        """Which backend Keras runs on."""
        version = str(getattr(self.keras, "__version__", "2"))
        return str(self.keras.backend.backend()) if int(version.partition(".")[0]) >= 3 else "tensorflow"

    def about(self) -> Json:
        """What is asked: framework, backend, releases, GPUs."""
        return {
            "framework": self.job["framework"],
            "keras": str(getattr(self.keras, "__version__", "")) or None,
            "backend": self.backend(),
            "releases": releases(PACKAGES),
            "python": sys.version.split()[0],
            "gpus": [] if self.dry else self.side.gpus(),
        }

    def work(self, item: Json) -> Json:
        """What the recurrent layers of one work item run."""
        self.stage = "build"
        self.side.fresh()
        if "model" in item:
            model = self.load(item["model"])
            feed = self.feed_model(model)
        else:
            self.side.set_policy(item["layer"]["policy"] or "float32")
            model = Builder(self.keras).build(item["layer"])
            feed = self.feed_layer(model, item["layer"])
        places = list(walk(model)) if not is_recurrent(model) else [(model, (model.name,))]
        self.stage = "call"
        subjects = self.note(places, feed)
        self.stage = "ask"
        answers = [self.answer(layer, path, subjects, item) for layer, path in places]
        whole = self.whole(feed) if "model" in item and not self.dry else None
        return {"layers": answers, "whole": whole}

    # ---- getting a model to run

    def load(self, path: str) -> Any:
        """Load a saved model without running code that it carries."""
        if path.endswith(".json"):
            with open(path, encoding="utf-8") as file:
                return self.keras.models.model_from_json(file.read())
        options = {"compile": False}  # type: dict[str, Any]
        if zipfile.is_zipfile(path) and "safe_mode" in inspect.signature(self.keras.models.load_model).parameters:
            options["safe_mode"] = True
        return self.keras.models.load_model(path, **options)

    def feed_model(self, model: Any) -> Callable[[bool], Any]:
        """A call of a model with tensors of its inputs' shapes."""
        tensors = [self.side.ones(self.closed(item.shape), dtype_of(item)) for item in as_list(model.inputs)]
        inputs = tensors[0] if len(tensors) == 1 else tensors
        return lambda training: model(inputs, training=training)

    def feed_layer(self, layer: Any, spec: Json) -> Callable[[bool], Any]:
        """A call of a layer with what reached it in the source."""
        shape = self.shape_for(spec)
        more = {}  # type: dict[str, Any]
        if spec["masked"]:
            more["mask"] = self.side.booleans([[True] * shape[1]] * shape[0])
        if spec["initial_state"]:
            # as they come from another layer; Keras 2 casts nothing but the first argument
            dtype = getattr(layer, "compute_dtype", None) or getattr(layer, "_compute_dtype", None) or "float32"
            more["initial_state"] = [self.side.ones(size, dtype) for size in self.state_shapes(spec, shape[0])]
        inputs = self.side.ones(shape, spec["input_dtype"] or "float32")
        return lambda training: layer(inputs, training=training, **more)

    def shape_for(self, spec: Json) -> Any:
        """The input shape of a layer: of the rank that its class takes."""
        name = spec["class_name"]
        rank = 3 + int(name[8]) if name.startswith("ConvLSTM") else 3
        times = any(wrapper["kind"] == "TimeDistributed" for wrapper in spec["wrappers"])
        given = self.job.get("input_shape") or []
        batch, steps, size = self.sizes
        if len(given) == rank - 1 + times:
            return (batch, *given)
        return (batch, *[steps] * (1 + times), *[8] * (rank - 3), size)

    def state_shapes(self, spec: Json, batch: int) -> Any:
        """The shapes of an LSTM's or a GRU's states, for each direction."""
        units = spec["arguments"].get("units", SIZE)
        count = 2 if spec["class_name"] == "LSTM" else 1
        both = 2 if any(wrapper["kind"] == "Bidirectional" for wrapper in spec["wrappers"]) else 1
        return [(batch, units)] * count * both

    def closed(self, shape: Any) -> Any:
        """A shape with numbers for what is open."""
        batch, steps, size = self.sizes
        given = [batch, *(self.job.get("input_shape") or [])]
        numbers = given + [batch, steps, *[size] * 8][len(given) :]
        return tuple(numbers[place] if size is None else int(size) for place, size in enumerate(tuple(shape)))

    def note(self, places: Any, feed: Any) -> Any:
        """Run once, and note what reaches each recurrent layer."""
        notes = Notes(self.side)
        with notes.watching([layer for layer, _ in places]):
            feed(False)
        return notes.subjects

    # ---- asking a layer

    def answer(self, layer: Any, path: Any, subjects: Any, item: Json) -> Json:
        """All that one layer runs."""
        asked = item.get("paddings") or PADDINGS
        wanted = [padding for padding in ("none", *self.side.paddings) if padding in asked]
        own = subjects.get(id(layer), [])
        answer = {
            "layer_path": "/".join(path),
            "name": layer.name,
            "class_name": type(layer).__name__,
            "masked": any(subject.masked for subject in own),
            "ragged": any(subject.ragged for subject in own),
            "calls": [self.modes(subject, wanted) for subject in distinct(own)],
            "seconds": None,
        }
        if not self.dry and own:
            answer["seconds"] = self.times(layer, own[0])
        return answer

    def modes(self, subject: Subject, wanted: Any) -> Json:
        """What a subject runs, by mode, phase and padding; in a dry run equal layers are asked once."""
        key = fingerprint(subject, wanted) if self.dry else None
        if key is not None and key in self.known:
            return self.known[key]
        found = {
            mode: {phase: self.side.ask(subject, mode, training, wanted) for phase, training in PHASES}
            for mode in self.side.modes
        }
        if key is not None:
            self.known[key] = found
        return found

    def whole(self, feed: Any) -> Json:
        """The whole model, run once in training and at inference: an error, or None."""
        try:
            for _, training in PHASES:
                feed(training)
        except Exception as error:
            return said(error)
        return None

    # ---- timing

    def times(self, layer: Any, subject: Subject) -> Json:
        """Seconds of a training step: as it is, in the loop, and in cuDNN (None where that cannot be had)."""
        repeats = int(self.job.get("repeats") or 10)
        found = {"route": None, "generic": None, "kernel": None}  # type: dict[str, Any]
        with contextlib.suppress(Exception):
            found["route"] = self.side.seconds(subject, repeats)
        with contextlib.suppress(Exception), refusing(layer):
            found["generic"] = self.side.seconds(subject, repeats)
        with contextlib.suppress(Exception):
            plain = type(layer)(layer.units)
            like = Subject(plain, subject.shape, "float32", False, [])
            plain(self.side.ones(like.shape, "float32"))
            found["kernel"] = self.side.seconds(like, repeats)
        return found


@contextlib.contextmanager
def refusing(layer: Any) -> Iterator[None]:
    """Within, a layer does without cuDNN. Raises AttributeError where its Keras has no switch for that."""
    name = next(name for name in ("use_cudnn", "_could_use_gpu_kernel", "could_use_cudnn") if hasattr(layer, name))
    before = getattr(layer, name)
    setattr(layer, name, False)
    try:
        yield
    finally:
        setattr(layer, name, before)


def distinct(subjects: Any) -> Any:
    """Subjects of one layer that differ in what decides a route."""
    kept = {}  # type: dict[Any, Subject]
    for subject in subjects:
        if not subject.ragged:
            kept.setdefault(subject.kind, subject)
    return list(kept.values())


def fingerprint(subject: Subject, wanted: Any) -> Any:
    """Equal for two layers that differ in name only; None for a layer that cannot be told apart so."""
    layer = subject.layer
    try:
        config = dict(layer.get_config(), name=None)
        insists = getattr(layer, "use_cudnn", None)
        return repr((type(layer), insists, subject.kind, wanted, json.dumps(config, sort_keys=True, default=repr)))
    except (NotImplementedError, TypeError, ValueError):
        return None


def ask(job: Json, answers: Answers) -> None:
    """Work through the items. What goes wrong in one is its answer, and the others go on."""
    try:
        asker = Asker(job)
    except (Exception, SystemExit) as error:
        answers.send(fault=said(error))
        return
    answers.send(about=asker.about())
    for item in job["items"]:
        answers.send(begin=item["id"])
        try:
            answers.send(end=item["id"], error=None, **asker.work(item))
        except (Exception, SystemExit) as error:
            answers.send(end=item["id"], error=said(error), stage=asker.stage, layers=[], whole=None)


# ---------------------------------------------------------------- verify


def verify(job: Json, answers: Answers) -> None:
    """Run a saved model once. The inputs come from the file `given`, which is made to its shapes if there is none."""
    try:
        numpy = importlib.import_module("numpy")
        keras = keras_that_wrote(job["model"])
        if isinstance(keras, str):
            answers.send(error=keras)
            return
        model = load_legacy(keras, job["model"])
        if not os.path.exists(job["given"]):
            numpy.savez(job["given"], *made_for(model, numpy.random.RandomState(job["seed"])))
        with numpy.load(job["given"]) as file:
            given = [file[name] for name in file.files]
        outputs = model.predict(given[0] if len(given) == 1 else given, batch_size=len(given[0]), verbose=0)
        numpy.savez(job["outputs"], *flattened(outputs))
    except (Exception, SystemExit) as error:
        answers.send(error=said(error))
        return
    answers.send(error=None, keras="{} {}".format(keras.__name__.split(".")[0], keras.__version__))


def keras_that_wrote(path: str) -> Any:
    """The installed Keras of the generation that the file is for, or a sentence that says what to install."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            version = json.loads(archive.read("metadata.json").decode("utf-8"))["keras_version"]
    else:
        with importlib.import_module("h5py").File(path, "r") as file:
            version = file.attrs["keras_version"]
    generation = str(version).partition(".")[0]
    names = ("keras", "tensorflow") if generation == "3" else ("tf_keras", "keras", "tensorflow")
    for name in names:
        if importlib.util.find_spec(name) is None:
            continue
        keras = keras_of(name)
        if generation == str(keras.__version__).partition(".")[0]:
            return keras
    package = "keras" if generation == "3" else "tf_keras"
    return f"it is for Keras {generation}, which is not installed; pip install {package}"


def load_legacy(keras: Any, path: str) -> Any:
    """Load without compiling; in an .h5 file LSTM and GRU stand in for CuDNN layers (Keras converts the weights)."""
    stand_ins = {"CuDNNLSTM": keras.layers.LSTM, "CuDNNGRU": keras.layers.GRU}
    return keras.models.load_model(path, custom_objects=stand_ins, compile=False)


def made_for(model: Any, draw: Any) -> Json:
    """Random inputs of two rows; ids where the model looks anything up, and the last row padded with zeros."""
    words = [layer.input_dim for layer in all_layers(model) if type(layer).__name__ == "Embedding"]
    made = []
    for item in as_list(model.inputs):
        open_size = 5 if len(item.shape) < 4 else 32
        shape = [size or (open_size if axis else 2) for axis, size in enumerate(item.shape)]
        if words or "int" in dtype_of(item):
            array = draw.randint(1, max(2, min(words or [2])), shape).astype(dtype_of(item))
        else:
            array = draw.normal(0.0, 1.0, shape).astype(dtype_of(item))
        if len(shape) > 1 and shape[1] > 2:
            array[-1, -2:] = 0
        made.append(array)
    return made


def all_layers(model: Any) -> Iterator[Any]:
    """Every layer, those of nested models and in wrappers too."""
    for layer in [*getattr(model, "layers", []), getattr(model, "layer", None)]:
        if layer is not None:
            yield layer
            yield from all_layers(layer)


def flattened(outputs: Any) -> Json:
    """The arrays in what predict returned."""
    if isinstance(outputs, dict):
        outputs = list(outputs.values())
    return [part for item in outputs for part in flattened(item)] if isinstance(outputs, (list, tuple)) else [outputs]


def main() -> None:
    """Read the job, do it, and leave without the framework's own farewell, which may crash."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != os.path.dirname(__file__)]
    answers = Answers()
    job = json.loads(sys.stdin.buffer.readline().decode("utf-8"))
    leave_with_parent()
    kinds = {"installed": installed, "about": about, "libraries": libraries, "ask": ask, "verify": verify}
    kinds[job["kind"]](job, answers)
    answers.send(bye=True)
    os._exit(0)


if __name__ == "__main__":
    main()
