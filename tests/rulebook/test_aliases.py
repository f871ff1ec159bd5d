"""By which names a function is taken for tanh or sigmoid: every path to one object, and no other function.

The lists are from the sources that the table names; no Keras was asked for them.
"""

from __future__ import annotations

import pytest
from test_find import CUDNN, FALLBACK, JAX, K2, K3, TORCH, ask

from cudnnlint.core.fact import Ref

#: The paths to one function each; {} is tanh or sigmoid.
OF_TENSORFLOW = [
    f"tensorflow.{module}{{}}" for module in ("", "nn.", "math.", "compat.v1.", "compat.v2.", "compat.v2.nn.",
                                              "compat.v2.math.")
]  # fmt: skip
ONCE_THE_SAME = [f"tensorflow.compat.v1.{module}.{{}}" for module in ("nn", "math")]
BUNDLED = [f"tensorflow.{module}keras.activations.{{}}" for module in ("", "compat.v1.", "compat.v2.")]
KERAS, TF_KERAS = ["keras.activations.{}"], ["tf_keras.activations.{}"]
OPS = ["keras.ops.{}", "tensorflow.keras.ops.{}"]
TORCH_S, JAX_NUMPY, JAX_NN = ["torch.{}"], ["jax.numpy.{}"], ["jax.nn.{}"]
EVERY = {*OF_TENSORFLOW, *ONCE_THE_SAME, *BUNDLED, *KERAS, *TF_KERAS, *OPS, *TORCH_S, *JAX_NUMPY, *JAX_NN}
TAKEN = {
    K3: [*KERAS, *OPS, *BUNDLED, *OF_TENSORFLOW], TORCH: [*KERAS, *OPS, *BUNDLED, *TORCH_S],
    JAX: [*KERAS, *OPS, *BUNDLED], "keras 3.14.0 jax": [*KERAS, *OPS, *BUNDLED],
    K2: [*TF_KERAS, *BUNDLED, *OF_TENSORFLOW],
    "keras 3.0.1 tensorflow": [*KERAS, *OPS, *BUNDLED, *OF_TENSORFLOW],
    "keras 2.15.0": [*KERAS, *BUNDLED, *OF_TENSORFLOW],
    "keras 2.14.0": [*KERAS, *BUNDLED, *OF_TENSORFLOW, *ONCE_THE_SAME],
    "keras 2.6.0": [*KERAS, *BUNDLED, *OF_TENSORFLOW, *ONCE_THE_SAME],
    "tensorflow 2.5.0": [*BUNDLED, *OF_TENSORFLOW, *ONCE_THE_SAME],
    "tensorflow 2.2.0": [*BUNDLED, *OF_TENSORFLOW, *ONCE_THE_SAME], "tensorflow 2.1.0": [],
}  # fmt: skip


@pytest.mark.parametrize("argument", ["activation", "recurrent_activation"])
@pytest.mark.parametrize("where", TAKEN)
def test_a_function_is_taken_by_each_path_to_it(where: str, argument: str) -> None:
    means = {"activation": "tanh", "recurrent_activation": "sigmoid"}[argument]
    taken = {*TAKEN[where], *(JAX_NUMPY + JAX_NN if where.endswith("jax") and means == "tanh" else ())}
    found = {path: ask(where, **{argument: Ref(path.format(means))})[0] for path in EVERY}
    assert {path for path, verdict in found.items() if verdict is CUDNN} == taken
    assert {verdict for path, verdict in found.items() if path not in taken} == {FALLBACK}


@pytest.mark.parametrize(
    ("argument", "means", "code"), [("activation", "tanh", "CDN101"), ("recurrent_activation", "sigmoid", "CDN102")]
)
def test_keras_3_0_0_takes_its_own_functions_alone(argument: str, means: str, code: str) -> None:
    """It compiles the model, so that nothing runs in cuDNN on TensorFlow; the code tells what it takes."""
    found = {path: ask("keras 3.0.0 tensorflow", **{argument: Ref(path.format(means))})[1] for path in EVERY}
    assert {path for path, codes in found.items() if code not in codes} == {*KERAS, *OPS, *BUNDLED}
