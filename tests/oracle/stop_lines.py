"""What stops.py asks: lines of a program, and texts for the arguments of an LSTM."""

from __future__ import annotations

X = "keras.Input((5, 4))"
NAMES = ("a/b", "a.b", "a>b", "_a", "-a", ".a", "a-b")
CELLS = (
    "layers.LSTMCell", "[]", "[layers.LSTMCell]", "[layers.LSTMCell(4), layers.GRUCell]", "layers.GRUCell", "None",
    "(layers.LSTMCell(4), layers.GRUCell(4))", "[layers.LSTMCell(4)]",
    "layers.StackedRNNCells([layers.LSTMCell(4)])", "4", "'LSTMCell'",
)  # fmt: skip
LINES = (
    *(
        f"y = layers.Bidirectional(layers.{kind}(4))({X}, initial_state=[{'keras.Input((4,)), ' * count}])"
        for kind in ("GRU", "SimpleRNN")
        for count in (1, 2, 3, 4)
    ),
    f"y = layers.GRU(4)({X}, initial_state=keras.Input((4,)))",
    f"y = layers.LSTM(4)({X}, initial_state=keras.Input((4,)))",
    *(f"y = layers.RNN({cell})({X})" for cell in CELLS),
    *(f"y = layers.LSTM(4, name={name!r})({X})" for name in NAMES),
    *(f"y = layers.Bidirectional(layers.LSTM(4), name={name!r})({X})" for name in NAMES),
    *(f"y = layers.Bidirectional(layers.LSTM(4, name={name!r}))({X})" for name in (*NAMES, "a b")),
)
WORDS = {
    "kernel_initializer": (
        "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "IdentityInitializer", "LecunNormal",
        "LecunUniform", "Ones", "Orthogonal", "OrthogonalInitializer", "RandomNormal", "RandomUniform",
        "TruncatedNormal", "VarianceScaling", "Zeros", "glorot", "glorot_normal", "glorot_uniform", "he",
        "he_normal", "he_uniform", "identity", "lecun", "lecun_normal", "lecun_uniform", "normal", "one", "ones",
        "orthogonal", "random", "random_normal", "random_uniform", "truncated_normal", "uniform",
        "variance_scaling", "xavier", "zero", "zeros", "Glorot_Uniform", "glorotuniform", "glorot-uniform",
        "kaiming", "xavier_uniform", "none", "None", "",
    ),
    "kernel_regularizer": (
        "L1", "L1L2", "L2", "OrthogonalRegularizer", "l1", "l1_l2", "l1l2", "l2", "l3", "orthogonal_regularizer",
        "none", "None", "", "ridge", "L1_L2",
    ),
    "kernel_constraint": (
        "MaxNorm", "MinMaxNorm", "NonNeg", "RadialConstraint", "UnitNorm", "max_norm", "maxnorm", "min_max_norm",
        "non_neg", "nonneg", "radial_constraint", "unit_norm", "unitnorm", "none", "None", "", "clip",
    ),
    "activation": (
        "celu", "elu", "exponential", "gelu", "glu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish",
        "hard_tanh", "leaky_relu", "linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu",
        "sigmoid", "silu", "softmax", "soft_shrink", "softplus", "softsign", "sparse_plus", "sparse_sigmoid",
        "sparsemax", "squareplus", "swish", "tanh", "tanh_shrink", "threshold", "Tanh", "TANH", "ELU", "ReLU",
        "Softmax", "LeakyReLU", "PReLU", "prelu", "lrelu", "leakyrelu", "LeakyRelu", "sin", "cos", "identity",
        "none", "None", "", "snake", "hardsigmoid", "softsine", "quick_gelu", "gelu_new", "sparsemax ", "tanh ",
    ),
}  # fmt: skip
