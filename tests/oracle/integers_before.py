"""What the installed Keras does with integers and booleans in layers before a recurrent one: one line of JSON.

    python integers_before.py --framework keras            or tf_keras

    {"framework", "keras", "tensorflow", "backend", "found": {layer: a letter for each of DTYPES}}

r: a functional model of an Input of that dtype and this layer ran on a CPU, traced, in training and at inference. s: it
stopped, while it was built or when it ran. t: in training alone. n: this release has no such class or activation. The
answers of several releases are in fixtures/evidence/integers_before.json, one a line; rules/tables/defaults.toml has
them as the traits "stops-before", and `integers_before.py --rows` prints these.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

DTYPES = ("int32", "int64", "uint8", "bool")
#: The arguments of classes that do not do without; the others are made with none.
ARGUMENTS = {
    "Conv1D": "2, 1", "Conv1DTranspose": "2, 1", "SeparableConv1D": "2, 1", "DepthwiseConv1D": "1", "Dense": "2",
    "EinsumDense": "'abc,cd->abd', (None, 2)", "Rescaling": "0.5", "Normalization": "mean=1.0, variance=2.0",
    "Dropout": "0.2", "SpatialDropout1D": "0.2", "GaussianDropout": "0.2", "GaussianNoise": "0.2",
    "AlphaDropout": "0.2", "AveragePooling1D": "2", "GroupNormalization": "2", "Permute": "(2, 1)",
    "Reshape": "(2, 12)",
}  # fmt: skip
PLAIN = (
    "Conv1D", "Conv1DTranspose", "SeparableConv1D", "DepthwiseConv1D", "AveragePooling1D", "MaxPooling1D",
    "UnitNormalization", "LayerNormalization", "BatchNormalization", "GroupNormalization", "RMSNormalization", "Dense",
    "EinsumDense", "Dropout", "SpatialDropout1D", "GaussianNoise", "GaussianDropout", "AlphaDropout", "ReLU",
    "LeakyReLU", "PReLU", "ELU", "Softmax", "UpSampling1D", "ZeroPadding1D", "Cropping1D", "Masking", "Permute",
    "Reshape", "Rescaling", "Normalization", "ActivityRegularization", "Identity",
)  # fmt: skip
MERGES = (
    "Add", "Average", "Concatenate", "Maximum", "Minimum", "Multiply", "Subtract", "Attention", "AdditiveAttention",
)  # fmt: skip
ACTIVATIONS = (
    "celu", "elu", "exponential", "gelu", "glu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh",
    "leaky_relu", "linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "softmax",
    "soft_shrink", "softplus", "softsign", "sparse_plus", "sparse_sigmoid", "squareplus", "swish", "tanh",
    "tanh_shrink", "threshold",
)  # fmt: skip
LAYERS = {
    **{name: f"layers.{name}({ARGUMENTS.get(name, '')})(x)" for name in PLAIN},
    **{name: f"layers.{name}()([x, x])" for name in MERGES},
    "MultiHeadAttention": "layers.MultiHeadAttention(1, 2)(x, x)",
    **{f"Activation({name!r})": f"layers.Activation({name!r})(x)" for name in ACTIVATIONS},
}


def answer(keras: Any, text: str, dtype: str) -> str:
    """Build a model with one layer, and run it."""
    import numpy as np
    import tensorflow as tf

    keras.backend.clear_session()
    given = keras.Input((6, 4), dtype=dtype)
    letter = "s"
    try:
        model = keras.Model(given, eval(text, {"layers": keras.layers, "x": given}))
        data = tf.constant(np.ones((2, 6, 4), dtype))
        tf.function(lambda x: model(x, training=False))(data)
        letter = "t"
        tf.function(lambda x: model(x, training=True))(data)
    except AttributeError as error:
        return "n" if "has no attribute" in str(error) and "layers" in str(error) else letter
    except Exception as error:
        return "n" if "nknown" in str(error) or "Could not interpret" in str(error) else letter
    return "r"


def rows(path: str) -> None:
    """Print what stops, one line for each class, by release."""
    with open(path, encoding="utf-8") as stream:
        answers = [json.loads(line) for line in stream]
    for layer in LAYERS:
        print(layer, *(f"{one['keras']}: {one['found'].get(layer)}" for one in answers), sep="   ")


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    found = {name: "".join(answer(keras, text, dtype) for dtype in DTYPES) for name, text in LAYERS.items()}
    print(json.dumps({**asked_of(framework, keras), "found": found}))


if __name__ == "__main__":
    rows(sys.argv[2]) if sys.argv[1:2] == ["--rows"] else main()
