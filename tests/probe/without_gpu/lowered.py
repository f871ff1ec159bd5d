"""Keras 3 on JAX, lowered for CUDA: what is in the program that a GPU would get?

JAX lowers for a platform that is not there. Two answers stand for its CUDA plugin: how much memory cuDNN wants, and the
bytes that describe the layer to it. Keras asks `jax.default_backend` and is told "gpu".
"""

from __future__ import annotations

import importlib
import re
from functools import partial
from typing import Any
from unittest import mock

CALL = r"stablehlo\.custom_call @(\w+)"
LOOP = r"stablehlo\.(while|dot)(?:_general)?\b"


def side(child: str) -> Any:
    """Return the side, made of the child's own for JAX. `child` is the name of the child's package."""
    signs = importlib.import_module(child + ".signs")
    jax_side: Any = importlib.import_module(child + ".on_jax").JaxSide

    class LoweredSide(jax_side):  # type: ignore[misc]
        """Lowers each step, and runs nothing."""

        def __init__(self, keras: Any, dry: bool) -> None:
            super().__init__(keras, dry)
            plug_in()

        def gpus(self) -> Any:
            return ["none: programs lowered for CUDA"]

        def executing(self, subject: Any, mode: str, training: bool) -> Any:
            def run(padding: str) -> Any:
                step, trainable, others = self.step(subject, training)
                given = (trainable, others, *self.inputs(subject, padding))
                with mock.patch.object(self.jax, "default_backend", return_value="gpu"):
                    lowered = self.jax.jit(step).trace(*given).lower(lowering_platforms=("cuda",))
                return signs.observed(calls_in(lowered.as_text()))

            return run

        def seconds(self, subject: Any, repeats: int) -> Any:
            raise NotImplementedError("nothing is computed here")

    return LoweredSide


def calls_in(program: str) -> set[str]:
    """Return the custom calls and the loops of a program that is not compiled."""
    return set(re.findall(CALL, program)) | set(re.findall(LOOP, program))


class Plugin:
    """What JAX asks of its CUDA plugin to lower cuDNN's RNN."""

    @staticmethod
    def build_rnn_descriptor(*settings: Any) -> bytes:
        """Return what describes a layer to the kernel."""
        return repr(settings).encode()


def plug_in() -> None:
    """Let JAX lower its RNN for CUDA without the plugin."""
    gpu_rnn: Any = importlib.import_module("jaxlib.gpu_rnn")
    rnn: Any = importlib.import_module("jax.experimental.rnn")
    mlir: Any = importlib.import_module("jax.interpreters.mlir")
    gpu_rnn.compute_rnn_workspace_reserve_space_sizes = lambda *_: (1, 1)
    mlir.register_lowering(rnn.rnn_fwd_p, partial(gpu_rnn._rnn_fwd_lowering, Plugin, "cu"), platform="cuda")
    mlir.register_lowering(rnn.rnn_bwd_p, partial(gpu_rnn._rnn_bwd_lowering, Plugin, "cu"), platform="cuda")
