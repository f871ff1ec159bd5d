"""The JAX side of the oracle: Keras 3 on JAX.

JAX's default backend claims to be a GPU, and the only cuDNN function that Keras reaches, `jax.experimental.rnn.lstm`,
becomes a recorder: the real one is evaluated abstractly (its complaints count), and zeros of its shapes return.
The model is traced as `fit` does; eager execution takes the same route and is not tried (it compiles every loop),
unless JAX has no such kernel for the dtype: then a traced step stops when it is compiled, behind Keras's back, and an
eager call at once, where Keras catches it.
Keras looks only at whether there is a mask, never into it, so no masks are tried.
"""

from __future__ import annotations

import contextlib
import inspect
from typing import Any, Callable, Iterator

import jax
import jax.numpy as jnp

from watch import Watch, entry, known, phase, structured

#: What jaxlib lowers for a GPU (jaxlib/gpu_rnn.py:_rnn_fwd_lowering), and what it says of anything else.
LOWERED, REFUSED = ("float32", "float64"), "ValueError: Unknown output type "


class Side:
    """JAX, believing in a GPU."""

    def __init__(self, keras: Any) -> None:
        self.keras = keras
        self.watch = Watch(self)
        self.gpu = False
        self.traced = True
        self.refused = False

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        """Within, Keras sees a GPU and the cuDNN function is a recorder."""
        with contextlib.ExitStack() as undo:
            for owner, name, value in self.replacements():
                undo.callback(restorer(owner, name))
                setattr(owner, name, value)
            self.gpu = True
            undo.callback(setattr, self, "gpu", False)
            yield

    def replacements(self) -> Iterator[tuple[Any, str, Any]]:
        """Every attribute to replace: (owner, name, value)."""
        from jax.experimental import rnn
        from jaxlib import gpu_rnn

        backend = jax.default_backend
        yield jax, "default_backend", lambda: "gpu" if self.gpu else backend()
        yield rnn, "lstm", self.recorder(rnn.lstm)
        # jaxlib for CPUs lacks it; only the size of a buffer that nobody sees hangs on it.
        yield gpu_rnn, "compute_rnn_workspace_reserve_space_sizes", lambda *_: (1, 1)

    @contextlib.contextmanager
    def without_gpu(self) -> Iterator[None]:
        """Within, the GPU is gone again."""
        before, self.gpu = self.gpu, False
        try:
            yield
        finally:
            self.gpu = before

    def recorder(self, real: Any) -> Any:
        """A stand-in for the cuDNN function."""

        def lstm(*tensors: Any, **options: Any) -> Any:
            shapes = jax.eval_shape(lambda *given: real(*given, **options), *tensors)
            dtype = str(shapes[0].dtype)
            if dtype in LOWERED:
                self.watch.hit()
            elif self.traced:
                self.refused = True
                self.watch.refuse(REFUSED + dtype)
            else:
                raise ValueError(REFUSED + dtype)
            return jax.tree_util.tree_map(lambda shape: jnp.zeros(shape.shape, shape.dtype), shapes)

        return lstm

    def unconverted(self, function: Any) -> Any:
        """Nothing rewrites functions here."""
        return function

    def choose_mask(self, layer: Any, original: Any, args: Any, kwargs: Any) -> tuple[Any, Any, bool]:
        """The call's arguments as they are, and whether a mask arrived."""
        given = inspect.signature(original).bind(*args, **kwargs).arguments.get("mask")
        return args, kwargs, given is not None

    def ask(self, model: Any, layers: list[Any], training: bool) -> dict[str, list[dict[str, Any]]]:
        """One dict (layer, masked, routes, error, ...) for each call, in graph and in eager mode."""
        self.traced, self.refused = True, False
        graph = self.calls_of(model, training)
        self.traced = not self.refused
        return {"graph": graph, "eager": graph if self.traced else self.calls_of(model, training)}

    def calls_of(self, model: Any, training: bool) -> list[dict[str, Any]]:
        """The calls of a model."""
        self.watch.calls.clear()
        state = [[item.value for item in part] for part in (model.trainable_variables, model.non_trainable_variables)]
        args, kwargs = self.inputs(model)
        kwargs.update(phase(model, training))
        with self.believing():
            jax.eval_shape(lambda *given: model.stateless_call(*given[:2], *given[2], **kwargs), *state, args)
        return [entry(call, {"any": call.route}) for call in self.watch.calls]

    def inputs(self, model: Any) -> tuple[list[Any], dict[str, Any]]:
        """Arguments for a model: ones, or what the script called it with."""
        if not getattr(model, "inputs", None):
            args, kwargs = self.watch.fed_to(model)
            return list(args), kwargs
        tensors = [jnp.ones(known(item.shape), item.dtype) for item in model.inputs]
        return [structured(model, tensors)], {}


def restorer(owner: Any, name: str) -> Callable[[], None]:
    """What puts an attribute back as it was, or takes it away again."""
    if hasattr(owner, name):
        before = getattr(owner, name)
        return lambda: setattr(owner, name, before)
    return lambda: delattr(owner, name)
