"""What a wide model is put together from: every layer class of Keras with its arguments, operations, inputs.

The texts are filled in for the tensor that they are applied to. Imports no framework; whether a text works on a tensor
is found out by trying it (`wide.py`).
"""

from __future__ import annotations

from typing import Dict, Tuple

from mask_cases import LEFT_OUT, RECIPES

Menu = Dict[str, Tuple[str, ...]]

#: Inputs: shape and dtype. The names of the steps and features that most layers fit on are 6 and 4.
SHAPES = (
    *(["(6, 4)"] * 5), *(["(None, 4)"] * 2), "(6, 3)", "(4, 6, 4)", "(6, 4, 1)",
)  # fmt: skip
DTYPES = ("float32",) * 14 + ("float16", "float64", "int32", "int32", "int64", "uint8", "bool", "bool")
TOKENS = ("(6,)", "(6,)", "(None,)", "(4, 6)")
WHOLE = ("int32", "int32", "int64", "uint8", "float32")
#: Classes whose arguments are drawn; of the others the recipes of the mask table are taken.
ARGUMENTS: Menu = {
    "Activation": ('"relu"', '"tanh"', '"linear"', '"softmax"', '"gelu"', "keras.activations.relu", '"sigmoid"'),
    "BatchNormalization": ("", "axis=1", "trainable=False"), "Dense": ("4", "3", '4, activation="relu"'),
    "Dropout": ("0.1", "0.0"), "SpatialDropout1D": ("0.1",), "Masking": ("", "mask_value=-1.0", "0.0"),
    "Conv1D": ("4, 1", '4, 2, padding="same"', '4, 2, padding="causal"', '3, 2, strides=2'),
    "Embedding": ("9, 4, mask_zero=True", "9, 4, mask_zero=True", "9, 4", "9, 3, mask_zero=False"),
    "ReversibleEmbedding": ("9, 4, mask_zero=True", "9, 4"),
    "Permute": ("(1, 2)", "(2, 1)", "(2, 1, 3)", "(1, 3, 2)"), "RepeatVector": ("3",), "Flatten": ("",),
    "Reshape": ("(6, 4)", "(-1, 4)", "(6, 2, 2)", "(3, 2, 4)", "(-1, 2)", "(2, -1)", "(4, 6)", "(-1,)"),
    "Softmax": ("", "axis=1"), "ReLU": ("", "max_value=6.0"), "LeakyReLU": ("",), "ELU": ("",), "PReLU": ("",),
    "GlobalAveragePooling1D": ("", "keepdims=True"), "GlobalMaxPooling1D": ("", "keepdims=True"),
    "MaxPooling1D": ("2", "1", '2, padding="same"'), "AveragePooling1D": ("2", "1"), "UpSampling1D": ("2", "1"),
    "Cropping1D": ("1", "0", "(0, 1)"), "ZeroPadding1D": ("1", "0", "(0, 1)"),
    "CategoryEncoding": (
        "4", '4, output_mode="one_hot"', '4, output_mode="count"', '4, output_mode="one_hot", dtype="int32"',
        '4, output_mode="one_hot", dtype="float16"',
    ),
    "IntegerLookup": (
        "vocabulary=[1, 2, 3]", 'vocabulary=[1, 2, 3], output_mode="one_hot"',
        'vocabulary=[1, 2, 3], output_mode="multi_hot"', 'vocabulary=[1, 2, 3], output_mode="one_hot", dtype="float32"',
    ),
    "Hashing": ("9", '9, output_mode="one_hot"', '9, output_mode="one_hot", dtype="int32"', '9, output_mode="count"'),
    "Discretization": (
        "bin_boundaries=[0.25, 0.5]", 'bin_boundaries=[0.25, 0.5], output_mode="one_hot"',
        'bin_boundaries=[0.25, 0.5], output_mode="one_hot", dtype="int32"',
    ),
    "StringLookup": ('vocabulary=["a", "b"]', 'vocabulary=["a", "b"], output_mode="one_hot"'),
    "TextVectorization": ('vocabulary=["a", "b"]', 'vocabulary=["a", "b"], output_sequence_length=6'),
    "Normalization": ("mean=0.0, variance=1.0", "axis=None, mean=0.0, variance=1.0"),
    "Rescaling": ("0.5", "1.0, offset=1.0", "2"),
    "Lambda": (
        "lambda t: t * 2", "lambda t: t", "lambda t: t > 0", 'lambda t: keras.ops.cast(t, "int32")',
        "lambda t: tf.one_hot(t, 4)", "lambda t: tf.cast(t, tf.float32)", "lambda t: tf.expand_dims(t, -1)",
        "lambda t: t[:, 1:]", "lambda t, mask=None: t + 1", "lambda t: tf.reduce_sum(t, -1)", "keras.activations.relu",
        "lambda t: t * 2, mask=lambda t, mask: mask", "lambda t: t * 2.0, mask=lambda t, mask: None",
        "lambda t: tf.argmax(t, -1)", "lambda t: tf.math.sign(t)", "lambda t: tf.identity(t)",
    ),
    "GroupNormalization": ("2", "-1"), "LayerNormalization": ("", "axis=1"), "GaussianNoise": ("0.1",),
    "EinsumDense": ('"abc,cd->abd", output_shape=(None, 4)',), "Identity": ("",), "ActivityRegularization": ("l2=0.1",),
}  # fmt: skip
#: Classes of the program's own: how they may be written, and how they are made. Those in RECURRENT are a loop.
Written = Tuple[Tuple[str, ...], Tuple[str, ...]]
OWN: dict[str, Written] = {
    "Masked": (
        (
            """\
class Masked(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True

    def call(self, inputs):
        return inputs * 2.0
""",
            """\
class Masked(layers.Layer):
    def compute_mask(self, inputs, mask=None):
        return None

    def call(self, inputs):
        return inputs * 2.0
""",
            """\
class Masked(layers.Layer):
    supports_masking = True

    def __init__(self):
        super().__init__()
        self.supports_masking = False

    def call(self, inputs, mask=None):
        return inputs + 1.0
""",
            """\
class Masked(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True

    def compute_mask(self, inputs, mask=None):
        return mask

    def call(self, inputs, mask=None):
        return inputs
""",
        ),
        ("Masked()",),
    ),
    "Loop": (
        (
            """\
class Loop(layers.LSTM):
    def call(self, sequences, initial_state=None, mask=None, training=False):
        return super().call(sequences, mask=mask, training=training)
""",
            """\
class Loop(layers.LSTM):
    def call(self, sequences, initial_state=None, mask=None, training=False):
        return super().call(sequences, training=training)
""",
            """\
class Loop(layers.GRU):
    def __init__(self, units, **kwargs):
        super().__init__(units, **kwargs)
""",
        ),
        ("Loop(3, return_sequences=True)", "Loop(2)", "layers.Bidirectional(layers.LSTM(3, return_sequences=True))"),
    ),
    "Cell": (
        (
            """\
class Cell(layers.LSTMCell):
    def call(self, inputs, states, training=False):
        return super().call(inputs, states, training=training)
""",
        ),
        ("layers.RNN(Cell(3), return_sequences=True)",),
    ),
}
RECURRENT = ("Loop", "Cell")
#: Wrappers and what they are put around ("{inner}" is a layer drawn for the purpose).
WRAPPED = ("TimeDistributed", "TimeDistributed", "SpectralNormalization", "OwnWrapper")
MERGES = ("Add", "Average", "Concatenate", "Maximum", "Minimum", "Multiply", "Subtract", "Dot")
ATTENTIONS = ("Attention", "AdditiveAttention", "MultiHeadAttention", "GroupQueryAttention", "GroupedQueryAttention")
#: Arguments that any layer takes, and how often they are given.
ANY = ('dtype="float64"', 'dtype="float16"', 'dtype="mixed_float16"', 'dtype="float32"', 'dtype="mixed_bfloat16"')
ANY += ("trainable=False", "autocast=False", "dtype=keras.mixed_precision.Policy(\"mixed_float16\")")
#: Operators on one tensor and on two.
ONE = ("{x} * 2", "{x} * 2.0", "{x} + 1", "-{x}", "{x} / 2", "{x} > 0", "{x}[:, ::-1]", "{x}[:, 1:]", "{x}[:, :]")
ONE += ("{x}[..., :2]", "abs({x})", "{x} ** 2", "{x} // 2", "{x} % 2", "1 - {x}", "{x} == 1", "{x} != 0", "~{x}")
ONE += ("{x} * True", "{x}[:, :, None]", "{x}[:, 0]", "2.0 * {x}", "{x} >= 0.5", "{x}[:, -1]")
TWO = ("{x} + {y}", "{x} * {y}", "{x} - {y}", "{x} > {y}", "{x} / {y}", "{x} & {y}", "{x} | {y}", "{x} @ {y}")
TWO += ("{x} // {y}", "{x} == {y}", "{x} ** {y}", "{x} % {y}")
#: Functions of keras.ops that take more than a tensor, as their arguments.
MORE: Menu = {
    "cast": ('{x}, "float32"', '{x}, "int32"', '{x}, "float16"', '{x}, "float64"', '{x}, "bool"', '{x}, "bfloat16"'),
    "expand_dims": ("{x}, -1", "{x}, 1", "{x}, axis=2"), "squeeze": ("{x}, -1", "{x}, 1"), "argsort": ("{x}", "{x}, 1"),
    "reshape": ("{x}, (-1, 6, 4)", "{x}, (-1, 4, 6)"), "transpose": ("{x}, (0, 2, 1)", "{x}, (0, 1, 2)"),
    "concatenate": ("[{x}, {y}], axis=-1", "[{x}, {y}], axis=1", "[{x}, {x}], axis=1"),
    "stack": ("[{x}, {y}], axis=-1", "[{x}, {x}], axis=1"), "one_hot": ("{x}, 4", '{x}, 4, dtype="int32"'),
    "where": ("{x} > 0, {x}, {y}", "{x}, 1, 0", "{x} > 0, 1.0, 0.0", "{y} > 0, {x}, 0"), "clip": ("{x}, 0, 1",),
    "sum": ("{x}, -1", "{x}, axis=1, keepdims=True", "{x}, axis=-1, keepdims=True"), "repeat": ("{x}, 2, axis=1",),
    "mean": ("{x}, -1", "{x}, axis=-1, keepdims=True"), "max": ("{x}, -1", "{x}, axis=-1, keepdims=True"),
    "min": ("{x}, -1",), "prod": ("{x}, -1",), "argmax": ("{x}, -1", "{x}, axis=-1, keepdims=True"),
    "all": ("{x}, -1",),
    "any": ("{x}, -1", "{x}, axis=-1, keepdims=True"), "flip": ("{x}, 1", "{x}, axis=-1"), "roll": ("{x}, 1, axis=1",),
    "take": ("{x}, [0, 1], axis=1", "{x}, 0, axis=-1"), "pad": ("{x}, [[0, 0], [1, 0], [0, 0]]",),
    "tile": ("{x}, [1, 2, 1]",), "einsum": ('"abc,abc->abc", {x}, {x}',), "cumsum": ("{x}, 1",),
    "count_nonzero": ("{x}, -1",), "multi_hot": ("{x}, 4",), "split": ("{x}, 2, axis=-1",), "norm": ("{x}, axis=-1",),
    "full_like": ("{x}, 1", "{x}, 1.0"), "zeros_like": ("{x}", '{x}, dtype="int32"'), "ones_like": ("{x}",),
    "add": ("{x}, {y}", "{x}, 1", "{x}, 1.0"), "multiply": ("{x}, {y}", "{x}, 2", "{x}, 2.0"), "power": ("{x}, 2",),
    "subtract": ("{x}, {y}",), "divide": ("{x}, 2", "{x}, {y}"), "maximum": ("{x}, {y}", "{x}, 0", "{x}, 0.0"),
    "minimum": ("{x}, {y}",), "mod": ("{x}, 2",), "floor_divide": ("{x}, 2",), "matmul": ("{x}, {y}",),
    "greater": ("{x}, 0", "{x}, {y}"), "not_equal": ("{x}, 0",), "equal": ("{x}, {y}",), "less": ("{x}, 1",),
    "logical_and": ("{x}, {y}",), "logical_or": ("{x}, {y}",), "logical_xor": ("{x}, {y}",), "swapaxes": ("{x}, 1, 2",),
    "moveaxis": ("{x}, 1, 2",), "broadcast_to": ("{x}, (3, 6, 4)",), "top_k": ("{x}, 2",), "in_top_k": (), "cond": (),
    "digitize": ("{x}, [0.5, 1.5]",), "convert_to_tensor": ("{x}", '{x}, dtype="float32"'), "average": ("{x}, -1",),
    "var": ("{x}, -1",), "std": ("{x}, -1",), "median": ("{x}, -1",), "bitwise_and": ("{x}, 1",),
    "diff": ("{x}, axis=1",),
    "searchsorted": (), "normalize": ("{x}, axis=-1",), "arange": (), "fori_loop": (), "while_loop": (), "scan": (),
}  # fmt: skip
#: The same for functions of TensorFlow on the symbolic tensors of Keras 2.
OF_TENSORFLOW = (
    "tf.cast({x}, tf.float32)", 'tf.cast({x}, "int32")', "tf.cast({x}, tf.float64)", "tf.expand_dims({x}, -1)",
    "tf.one_hot({x}, 4)", "tf.identity({x})", "tf.reverse({x}, [1])", "tf.concat([{x}, {y}], -1)", "tf.nn.relu({x})",
    "tf.reduce_sum({x}, -1)", "tf.transpose({x}, [0, 2, 1])", "tf.math.abs({x})", "tf.stop_gradient({x})",
    "tf.convert_to_tensor({x})", "tf.where({x} > 0, {x}, {y})", "tf.math.greater({x}, 0)", "tf.not_equal({x}, 0)",
    "tf.math.multiply({x}, {y})", "tf.argmax({x}, -1)", "tf.squeeze({x}, -1)", "tf.reduce_any({x} > 0, -1)",
    "tf.pad({x}, [[0, 0], [1, 0], [0, 0]])", "tf.zeros_like({x})", "tf.math.reduce_max({x}, -1)", "tf.sign({x})",
)  # fmt: skip
#: Names in keras.ops that are no function on a tensor, or draw numbers, or cannot be stored.
NO_OPERATIONS = {"map", "associative_scan", "vectorized_map", "custom_gradient", "unravel_index", "slice_update"}
NO_OPERATIONS |= {"shape", "dtype", "is_tensor", "convert_to_numpy", "saturate_cast", "device", "unstack", "eigh"}


def recipe(name: str) -> tuple[str, ...]:
    """The arguments that a class may be given."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    return (RECIPES[name][0],) if name in RECIPES else ("",)


#: No layers to draw as they are: bases, cells, wrappers and what takes several tensors has methods of its own.
NOT_PLAIN = {*LEFT_OUT, *MERGES, *ATTENTIONS, "Bidirectional", "LSTM", "GRU", "SimpleRNN", "RNN", "Wrapper", "Pipeline"}
NOT_PLAIN |= {"TimeDistributed", "SpectralNormalization", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D", "Lambda", "Input"}
NOT_PLAIN |= {"AugMix", "CutMix", "MixUp", "RandAugment", "RandomFourierFeatures", "DynamicEmbedding"}
