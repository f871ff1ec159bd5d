"""What stops.py asks: lines of a program, and texts for the arguments of an LSTM."""

from __future__ import annotations

from entry_lines import ENTRIES

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
STATELESS = ("LSTM(4)", 2), ("GRU(4)", 1), ("SimpleRNN(4)", 1), ("RNN(layers.LSTMCell(4))", 2)
LINES += tuple(
    f"y = layers.{layer}({X}, initial_state=[{', '.join(['None'] * count)}])" for layer, count in STATELESS
)
LINES += tuple(
    f"y = layers.LSTM(4)({X}, initial_state={states})"
    for states in ("[keras.Input((4,)), None]", "(None, None)", "None")
)
#: Names of another layer in the model, and of the model.
LINES += (
    *(
        f"x = {X}; y = keras.Model(x, layers.LSTM(4)(layers.Dense(3, name={name!r})(x)))"
        for name in ("a b", "a/b", "a.b", "d")
    ),
    f"x = {X}; y = keras.Model(x, layers.Dense(3, name='a b')(layers.LSTM(4)(x)))",
    f"x = {X}; y = keras.Model(x, layers.LSTM(4)(layers.Dropout(0.1, name='a b')(x)))",
    *(f"x = {X}; y = keras.Model(x, layers.LSTM(4)(x), name={name!r})" for name in ("a b", "a/b")),
)
#: Cells that an RNN is given: what is none, and one alone in a list.
GIVEN = (
    "[layers.GRUCell(4)]", "[layers.SimpleRNNCell(4)]", "[layers.LSTMCell(4)], unroll=True",
    "[layers.GRUCell(4)], unroll=True", "[layers.LSTMCell(4), layers.LSTMCell(3)], unroll=True",
    "[layers.LSTMCell(4), layers.GRUCell(3)]", "layers.LSTMCell(4), unroll=True", "layers.Dense(4)",
    "layers.Dense(4), unroll=True", "layers.StackedRNNCells([])",
    "layers.StackedRNNCells([layers.LSTMCell(4)]), unroll=True", "layers.StackedRNNCells([layers.GRUCell(4)])",
    "layers.StackedRNNCells([layers.GRUCell(4), layers.GRUCell(3)]), unroll=True",
    "[layers.LSTMCell(4)], return_sequences=True", "[layers.SimpleRNNCell(4)], return_sequences=True, unroll=True",
    "[layers.GRUCell(4)], go_backwards=True", "[layers.Dense(4)]", "layers.Activation('relu')",
    "layers.Embedding(4, 4)", "layers.Dropout(0.1)", "",
)  # fmt: skip
LINES += (
    *(f"y = layers.RNN({cells})({X})" for cells in GIVEN),
    *(f"y = layers.Bidirectional(layers.RNN([layers.LSTMCell(4)]{more}))({X})" for more in ("", ", unroll=True")),
)
#: Two directions of different sizes, and how their outputs are merged.
SIZES = tuple(
    f"y = layers.Bidirectional(layers.LSTM(4), backward_layer=layers.{kind}({units}, go_backwards=True), "
    f"merge_mode={mode!r})({X})"
    for kind in ("LSTM", "GRU")
    for units in (5, 1)
    for mode in ("sum", "mul", "ave", "concat", None)
)
LINES += SIZES
WRAPPED = {
    f"layers.Bidirectional(layers.LSTM(4), GIVEN)({X})": (
        "merge_mode='foo'", "backward_layer=None", "weights=None", "input_dim=4", "dtype='float32'",
    ),
    "layers.TimeDistributed(layers.LSTM(4), GIVEN)(keras.Input((3, 5, 4)))": (
        "merge_mode='foo'", "backward_layer=None",
    ),
}  # fmt: skip
TO_WRAPPERS = (
    "foo=1", "input_shape=(5, 4)", "batch_input_shape=(2, 5, 4)", "weights=None", "trainable=False", "trainable=1",
    "batch_size=2", "units=4", "activity_regularizer=None", "dynamic=False", "autocast=True", "input_dim=4",
    "input_length=5", "return_sequences=True", "go_backwards=True", "stateful=False", "unroll=False",
    "time_major=False", "implementation=1", "return_state=True", "zero_output_for_mask=True", "use_cudnn='auto'",
    "seed=1", *(f"name={name}" for name in ("1", "None", "1.5", "True", "b'a'", "len")),
)  # fmt: skip
VALUES = ("None", "True", "False", "0", "1", "-1", "0.01", "0.0", "b'l2'", "[]", "[0.1]", "(1, 2)")
ARGUMENTS = (
    ("LSTM", "kernel_initializer"), ("LSTM", "bias_initializer"), ("LSTM", "kernel_regularizer"),
    ("LSTM", "activity_regularizer"), ("LSTM", "kernel_constraint"),
)  # fmt: skip
WITH_TEXTS = (
    ("kernel_initializer", "he"), ("kernel_regularizer", "l1_l2"), ("recurrent_regularizer", "l1_l2"),
    ("bias_constraint", "maxnorm"), ("activity_regularizer", "l1_l2"), ("activity_regularizer", "ridge"),
    ("kernel_initializer", "Normal"), ("recurrent_initializer", "identity"), ("bias_initializer", "glorot_uniform"),
    ("bias_initializer", "VarianceScaling"),
)  # fmt: skip
IN_A_CELL = (
    "kernel_initializer='he'", "kernel_regularizer='l1_l2'", "kernel_initializer='zeros'",
    "bias_initializer='orthogonal'", "bias_initializer=None",
)  # fmt: skip
#: Lines of which the model is built, with the losses of its regularizers, and not run.
BUILT = (
    *ENTRIES,
    *(f"y = {call.replace('GIVEN', given)}" for call, own in WRAPPED.items() for given in (*TO_WRAPPERS, *own)),
    *(
        f"y = layers.{kind}(4, bias_initializer=None{more})({X})"
        for kind in ("LSTM", "GRU", "SimpleRNN")
        for more in ("", ", use_bias=False")
    ),
    f"y = layers.LSTM(4, bias_initializer=None, unit_forget_bias=False)({X})",
    *(f"y = layers.{kind}(4, {name}={value})({X})" for kind, name in ARGUMENTS for value in VALUES),
    *(
        f"y = layers.{kind}(4, use_bias=False, bias_initializer={word!r})({X})"
        for kind in ("LSTM", "GRU")
        for word in ("orthogonal", "identity", "he", "zeros")
    ),
    *(f"y = layers.RNN(layers.LSTMCell(4, {given}))({X})" for given in IN_A_CELL),
    *(
        f"y = layers.GRU(4, bias_initializer={word!r}{more})({X})"
        for word in ("orthogonal", "identity", "Orthogonal")
        for more in ("", ", reset_after=False")
    ),
    *(f"y = layers.{kind}(4, {name}={word!r})({X})" for kind in ("SimpleRNN", "GRU") for name, word in WITH_TEXTS),
    "y = layers.LSTM(4)(keras.Input(10))",
    *(f"y = layers.LSTM(4)(layers.RepeatVector(3)(keras.Input({shape})))" for shape in ("5", "shape=5", "(5,)")),
)
#: A class, a cell, a model or a plain value where a layer, a cell or a list of cells is wanted.
KINDS = ("layers.LSTM", "layers.GRU", "layers.SimpleRNN")
STACKED = (
    "layers.LSTMCell(4)", "layers.LSTMCell", "[layers.LSTMCell]", "4", "None", "'LSTMCell'", "[layers.Dense(4)]", "",
    "(layers.LSTMCell(4), layers.GRUCell(4))",
)  # fmt: skip
MODELS = ("[layers.Dense(4)]", "[layers.LSTMCell(4)]", "")
BACKWARD = (
    "layers.LSTM(4)", *(f"layers.LSTM(4, go_backwards=True{more})" for more in ("", ", return_sequences=True")),
    *(f"layers.LSTM(4, go_backwards=True, {name}=True)" for name in ("stateful", "return_state")), "layers.LSTM",
    "layers.GRU(4, go_backwards=True)", "layers.LSTM(3, go_backwards=True)", "layers.LSTMCell(4)", "layers.Dense(4)",
    "4", "'LSTM'", "True", "keras.Sequential([layers.LSTM(4, go_backwards=True)])", "layers.Conv1D(4, 3)",
    "layers.TimeDistributed(layers.LSTM(4))", "layers.RNN(layers.LSTMCell(4), go_backwards=True)",
)  # fmt: skip
PLACED = (
    *(f"y = layers.Bidirectional({kind})({X})" for kind in KINDS),
    *(f"y = layers.TimeDistributed({kind})(keras.Input((3, 5, 4)))" for kind in KINDS),
    f"y = layers.Bidirectional(keras.Sequential([layers.LSTM(4)]))({X})",
    f"x = {X}; m = keras.Model(x, layers.LSTM(4)(x)); y = layers.Bidirectional(m)({X})",
    *(f"y = layers.RNN(layers.StackedRNNCells({cells}))({X})" for cells in STACKED),
    *(f"y = layers.RNN(keras.Sequential({given}))({X})" for given in MODELS),
    f"y = layers.RNN(layers.LSTM)({X})",
    *(f"y = layers.Bidirectional(layers.LSTM(4), backward_layer={layer})({X})" for layer in BACKWARD),
)
BUILT += PLACED
#: A list or tuple of tensors that has a name, or is put together.
BUILT += (
    *(f"x = {X}; h = keras.Input((4,)); c = keras.Input((4,)); s = {states}; y = layers.LSTM(4)(s)"
      for states in ("[x, h, c]", "(x, h, c)")),
    *(f"x = {X}; s = [x]; y = layers.{layer}(s)" for layer in ("LSTM(4)", "GRU(4)", "RNN(layers.GRUCell(4))")),
    f"x = {X}; s = (x,); y = layers.GRU(4)(s)",
    f"x = {X}; h = keras.Input((4,)); s = [x]; s.append(h); y = layers.GRU(4)(s)",
    f"x = {X}; h = keras.Input((4,)); y = layers.GRU(4)([x] + [h])",
    f"x = {X}; h = keras.Input((4,)); s = [x, h, h]; y = layers.Bidirectional(layers.GRU(4))(s)",
    "x = keras.Input((3, 5, 4)); s = [x]; y = layers.TimeDistributed(layers.GRU(4))(s)",
)  # fmt: skip
#: Arguments of an Input, and how it is put in front of a layer.
OF_INPUTS = (
    "batch_input_shape=(2, 5, 4)", "shape=5", "5, 4", "shape=(5, 4), batch_size=2", "batch_shape=(2, 5, 4)",
    "input_shape=(5, 4)", "input_dim=4", "[5, 4]",
    *(
        f"(5, 4), {given}"
        for given in (
            "foo=1", "ragged=False", "sparse=False", "tensor=None", "optional=True", "type_spec=None", "units=4",
            "input_dtype='float32'", "trainable=False", "dtype=None",
        )
    ),
)  # fmt: skip
BUILT += tuple(f"y = layers.LSTM(4)(keras.Input({given}))" for given in OF_INPUTS)
BUILT += tuple(
    f"y = keras.Sequential([{module}.Input({given}), layers.LSTM(4)])"
    for module in ("keras", "layers")
    for given in ("batch_input_shape=(2, 5, 4)", "shape=5", "(5, 4), foo=1")
)
#: Parts of an input. Standalone Keras 2 takes none of them: there a part has to be made in a Lambda.
PARTS = tuple(
    f"y = layers.LSTM(4)(keras.Input({shape})[{part}])"
    for shape, parts in (
        ("(5, 4)", (":, 0", ":, 1:", "..., 0", ":, :, None", ":, -1:, :", ":, ::2", "0")),
        ("(6, 5, 4)", (":, 0", ":, :, 0", ":, 0, :, :", "..., -1", ":, 0:1, :, :", "0", "-1")),
        ("(5,)", (":, :, None",)),
    )
    for part in parts
)
WORDS = {
    "kernel_initializer": (
        "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "IdentityInitializer", "LecunNormal",
        "LecunUniform", "Ones", "Orthogonal", "OrthogonalInitializer", "RandomNormal", "RandomUniform",
        "TruncatedNormal", "VarianceScaling", "Zeros", "glorot", "glorot_normal", "glorot_uniform", "he",
        "he_normal", "he_uniform", "identity", "lecun", "lecun_normal", "lecun_uniform", "normal", "one", "ones",
        "orthogonal", "random", "random_normal", "random_uniform", "truncated_normal", "uniform",
        "variance_scaling", "xavier", "zero", "zeros", "Glorot_Uniform", "glorotuniform", "glorot-uniform",
        "kaiming", "xavier_uniform", "none", "None", "", "Normal", "Uniform", "One", "Zero", "Random", "Xavier",
        "glorotNormal", "glorot_norm", "he_norm", "he_initializer", "Constant", "constant", "Glorot_normal",
        "xavier_normal", "he-normal", "kaiming_normal", "kaiming_uniform", "orthogonal_initializer", "HE_NORMAL",
        "random_initializer", "eye", "lecununiform",
    ),
    "kernel_regularizer": (
        "L1", "L1L2", "L2", "OrthogonalRegularizer", "l1", "l1_l2", "l1l2", "l2", "l3", "orthogonal_regularizer",
        "none", "None", "", "ridge", "L1_L2", "l1_l2 ", "L1l2", "lasso", "elasticnet", "l2_regularizer", "weight_decay",
    ),
    "kernel_constraint": (
        "MaxNorm", "MinMaxNorm", "NonNeg", "RadialConstraint", "UnitNorm", "max_norm", "maxnorm", "min_max_norm",
        "non_neg", "nonneg", "radial_constraint", "unit_norm", "unitnorm", "none", "None", "", "clip",
        "maxNorm", "MaxNorm ", "max_norm_constraint", "non_negative", "positive", "minmaxnorm", "min_max", "Non_Neg",
        "clip_norm", "MAX_NORM",
    ),
    "activation": (
        "celu", "elu", "exponential", "gelu", "glu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish",
        "hard_tanh", "leaky_relu", "linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu",
        "sigmoid", "silu", "softmax", "soft_shrink", "softplus", "softsign", "sparse_plus", "sparse_sigmoid",
        "sparsemax", "squareplus", "swish", "tanh", "tanh_shrink", "threshold", "Tanh", "TANH", "ELU", "ReLU",
        "Softmax", "LeakyReLU", "PReLU", "prelu", "lrelu", "leakyrelu", "LeakyRelu", "sin", "cos", "identity",
        "none", "None", "", "snake", "hardsigmoid", "softsine", "quick_gelu", "gelu_new", "sparsemax ", "tanh ",
        "leaky-relu", "Sigmoid", "Linear", "softMax", "Elu", "Gelu", "GELU", "Selu", "SELU", "SeLU", "Swish", "SiLU",
        "Mish", "ThresholdedReLU", "logsigmoid", "logsoftmax", "softshrink", "hardtanh", "hardswish", "hardshrink",
        "hard-sigmoid", "Relu", "RELU", "Softplus", "hard_swish ",
    ),
}  # fmt: skip
WORDS["bias_initializer"] = WORDS["kernel_initializer"]
#: Names of dtypes that are none, or not in every release; what a layer does with a real one hangs on its kernels.
WORDS["dtype"] = (
    "float32", "float64", "mixed_float16", "float99", "fp16", "fp32", "fp64", "f32", "f16", "Float32",
    "FLOAT32", "float_32", "float-32", "mixed", "mixed_precision", "auto", "none", "None", "float128",
    "tf.float32", "float32 ", "np.float32", "bf16", "mixed_fp16", "default", "float24", "Float16",
    "MIXED_FLOAT16", "mixed float16", "mixed-float16", "single", "mixed_float32", "mixed_float64", "double",
    "half", "float", "",
)
