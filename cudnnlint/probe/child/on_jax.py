"""Keras 3 on JAX."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from .channel import Json
from .side import Side, timed
from .signs import observed, seen, targets_in
from .subject import Subject


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
        """Return a stand-in for JAX's cuDNN LSTM.

        It evaluates the real one abstractly, and returns zeros of the resulting shapes.
        """
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
        """Return a step as a pure function, and what it is called with."""
        layer = subject.layer
        trainable = [item.value for item in layer.trainable_variables]
        others = [item.value for item in layer.non_trainable_variables]

        variables = [*layer.trainable_variables, *layer.non_trainable_variables]

        def call(trainable: Any, others: Any, inputs: Any, more: Any) -> Any:
            # Not stateless_call: that leaves out what a call does with dtypes.
            values = [*trainable, *others]
            with self.keras.StatelessScope([(one, values[index]) for index, one in enumerate(variables)]):
                outputs = subject.call(inputs, training=training, **more)
            leaves = self.jax.tree_util.tree_leaves(outputs)
            return sum(leaf.astype("float32").sum() for leaf in leaves)

        return (self.jax.value_and_grad(call) if training and not self.dry else call), trainable, others

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
