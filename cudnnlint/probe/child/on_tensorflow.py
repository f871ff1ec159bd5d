"""Keras 2 in all its packages, and Keras 3 on TensorFlow."""

from __future__ import annotations

import importlib
import inspect
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from .channel import Json
from .side import Side, timed
from .signs import names_in, observed, seen
from .subject import Subject

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


def registrars() -> Iterator[Any]:
    """Yield the module and name of each registrar of the Keras that is asked: another one is not loaded for it."""
    for module, name in REGISTRARS:
        if hasattr(sys.modules.get(module), name):
            yield sys.modules[module], name


class FakeGpu:
    """What a list of logical devices holds."""

    name = "/device:GPU:0"
    device_type = "GPU"


class TensorFlowSide(Side):
    """Keras 2 in all its packages, and Keras 3 on TensorFlow.

    Keras 2 traces the loop and registers its cuDNN function beside it; Grappler swaps them on a GPU. In a dry run the
    registered function is traced instead, and the number that it returns shows what ran.
    """

    def __init__(self, keras: Any, dry: bool) -> None:
        super().__init__(keras, dry)
        self.tf = importlib.import_module("tensorflow")
        self.runtimes = []  # type: list[Any]
        for owner, name in registrars() if dry else ():  # with gradients, which is half of what building takes
            setattr(owner, name, lambda *_, **__: None)

    def gpus(self) -> Any:
        return [device.name for device in self.tf.config.list_logical_devices("GPU")]

    def unconverted(self, function: Any) -> Any:
        return self.tf.autograph.experimental.do_not_convert(function)

    def ones(self, shape: Any, dtype: str) -> Any:
        if dtype == "string":
            return self.tf.fill(shape, "word")
        return self.tf.ones(shape, dtype)

    def ragged(self, shape: Any, dtype: str) -> Any:
        lengths = [max(shape[1] - row % 2, 1) for row in range(shape[0])]
        return self.tf.RaggedTensor.from_tensor(self.ones(shape, dtype), lengths=lengths)

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
        """Yield what Keras up to TensorFlow 2.5 uses past the public names, and the registrars."""
        yield importlib.import_module("tensorflow.python.eager.context"), "num_gpus", lambda: 1
        config = importlib.import_module("tensorflow.python.framework.config")
        yield config, "list_logical_devices", self.devices(config.list_logical_devices)
        generated = importlib.import_module("tensorflow.python.ops.gen_cudnn_rnn_ops")
        for name, op in [*GENERATED.items(), *((name, name) for name in OPS)]:
            if hasattr(generated, name):
                yield generated, name, self.recorder(op, getattr(generated, name))
        for owner, name in registrars():
            yield owner, name, self.register

    def devices(self, real: Any) -> Any:
        """Return a `list_logical_devices` that knows of a GPU."""

        def listed(device_type: Any = None) -> Any:
            return [FakeGpu()] if device_type == "GPU" else real(device_type)

        return listed

    def recorder(self, name: str, real: Any) -> Any:
        """Return a stand-in for a cuDNN operation: it lets the real one check its arguments, and returns zeros."""

        def op(*args: Any, **kwargs: Any) -> Any:
            arguments = inspect.signature(real).bind(*args, **kwargs).arguments
            self.complain(real, arguments)
            self.hits.append(name)
            return self.zeros(arguments["input"], arguments["input_h"], OPS[name])

        return op

    def complain(self, real: Any, arguments: Json) -> None:
        """Let the real operation check its arguments, in a graph: eagerly the want of a GPU stops it before."""
        tf = self.tf
        stand_ins = {key: (item.dtype, item.shape) for key, item in arguments.items() if tf.is_tensor(item)}
        with tf.Graph().as_default():
            real(**dict(arguments, **{key: tf.compat.v1.placeholder(*item) for key, item in stand_ins.items()}))

    def zeros(self, sequence: Any, state: Any, count: int) -> Any:
        """Return what a cuDNN operation returns, in shape and dtype."""
        tf, units = self.tf, state.shape[-1]
        outputs = tf.zeros(tf.concat([tf.shape(sequence)[:2], [units]], 0), sequence.dtype)
        outputs.set_shape((*tuple(sequence.shape)[:2], units))
        rest = [tf.zeros([1], sequence.dtype)] * (count - 3)
        return (outputs, tf.zeros_like(state), tf.zeros_like(state), *rest)

    def register(self, function: Any, *args: Any, **kwargs: Any) -> None:
        """Trace the cuDNN version in the place of Keras 2's registration of it, and keep the number that it returns."""
        hits = list(self.hits)
        self.runtimes.append(function.python_function(*args, **kwargs)[-1])
        self.hits = hits  # a branch of a condition that is merely traced is no hit

    # ---- asking

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        if mode == "eager":
            return self.called(subject, training)

        def step(inputs: Any, more: Any) -> Any:
            self.hits, self.runtimes = [], []
            subject.call(inputs, training=training, **more)
            return list(self.runtimes)

        traced = self.tf.function(step, autograph=False)  # once for all paddings

        def run(padding: str) -> Json:
            numbers = traced(*self.inputs(subject, padding))  # on the CPU, so that Keras's own assertions speak
            if numbers:
                return seen("cudnn" if all(float(number) == RUNTIME_GPU for number in numbers) else "fallback")
            return seen(self.hit())

        return run

    def step(self, subject: Subject, mode: str, training: bool) -> Any:
        """Return a step as `fit` or `predict` makes it: with gradients in training."""
        tf, layer = self.tf, subject.layer

        def step(inputs: Any, more: Any) -> Any:
            with tf.GradientTape() as tape:
                outputs = tf.nest.flatten(subject.call(inputs, training=training, **more))
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
            return observed(*profiled(self.tf, lambda: self.wait(step(inputs, more))))

        return run

    def wait(self, results: Any) -> None:
        """Wait for the device."""
        for result in self.tf.nest.flatten(results):
            result.numpy()

    def seconds(self, subject: Subject, repeats: int) -> Any:
        step = self.step(subject, "graph", True)
        inputs, more = self.inputs(subject, "right")
        return timed(lambda: self.wait(step(inputs, more)), repeats)


def profiled(tf: Any, step: Callable[[], Any]) -> Any:
    """Return the names of the operations and of the GPU's kernels that a step executes."""
    with tempfile.TemporaryDirectory() as folder:
        tf.profiler.experimental.start(folder)
        try:
            step()
        finally:
            tf.profiler.experimental.stop()
        return names_in(folder)
