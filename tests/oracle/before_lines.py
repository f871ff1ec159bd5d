"""Lines that wrapped_stops.py asks, too: what stops a program before its recurrent layer, while the graph is built."""

from __future__ import annotations

X = "keras.Input((5, 4))"
STEPS = "keras.Input((3, 5, 4))"
#: Layers that take one tensor. Reshape, Permute and others like them know the shape that they give.
ONE_TENSOR = (
    "Dense(3)", "Dropout(0.1)", "Masking()", "Conv1D(3, 1)", "Activation('relu')", "BatchNormalization()",
    "LayerNormalization()", "TimeDistributed(layers.Dense(3))", "SpatialDropout1D(0.1)", "GaussianNoise(0.1)",
    "ReLU()", "LeakyReLU()", "Permute((2, 1))", "Reshape((5, 4))", "ZeroPadding1D(1)", "Cropping1D(1)",
    "UpSampling1D(2)", "MaxPooling1D(1)", "AveragePooling1D(1)", "SeparableConv1D(3, 1)",
)  # fmt: skip
LISTS = {"list": f"[{X}]", "tuple": f"({X},)", "dict": f"{{'a': {X}}}"}
INTO_LAYERS = tuple(f"y = layers.LSTM(4)(layers.{layer}({given}))" for layer in ONE_TENSOR for given in LISTS.values())
INTO_SEQUENTIAL = tuple(
    f"y = keras.Sequential([layers.{layer}, layers.LSTM(4)])({given})"
    for layer in ONE_TENSOR[1:]
    for given in LISTS.values()
)
#: Models whose Inputs have a name or none, and what they are called with.
FUNCTIONAL = "i = keras.Input((5, 4){name}); m = keras.Model({inputs}, layers.LSTM(4)(i)); y = m({given})"
CALLED = (f"{{'a': {X}}}", f"{{'a': {X}, 'b': {X}}}", f"({X},)", f"[{X}]")
TWO = (
    "i = keras.Input((5, 4), name='a'); j = keras.Input((5, 4), name='b'); "
    "m = keras.Model([i, j], layers.LSTM(4)(layers.Add()([i, j]))); y = m({given})"
)
PAIRS = (
    f"{{'a': {X}, 'b': {X}}}", f"{{'a': {X}, 'c': {X}}}", f"{{'a': {X}, 'b': {X}, 'c': {X}}}", f"{{'a': {X}}}",
    f"({X}, {X})", f"[{X}, {X}]",
)  # fmt: skip
BY_NAME = (
    *(
        FUNCTIONAL.format(name=name, inputs=inputs, given=given)
        for name in ("", ", name='a'", ", name='z'")
        for inputs in ("i", "[i]")
        for given in CALLED
    ),
    *(TWO.format(given=given) for given in PAIRS),
    *(
        f"y = keras.Sequential([layers.InputLayer({shape}={(5, 4)}), layers.LSTM(4)])({given})"
        for shape in ("input_shape", "shape")
        for given in CALLED
    ),
)
ONE = f"a = {X}; h = layers.LSTM(4)(a); "
HELD = (
    "m = keras.Model(a, h)", "m = keras.Model([a], h)", "m = keras.Model(a, [h])",
    "m = keras.Model(a, [h, layers.Dense(2)(h)])", "m = keras.Model(a, (h, layers.Dense(2)(h)))",
    "m = keras.Model(a, {'h': h})", "m = keras.Model(a, {'h': h, 'g': layers.Dense(2)(h)})",
    "m = keras.Sequential([layers.LSTM(4)])", "m = keras.Sequential([a, layers.LSTM(4)])",
)  # fmt: skip
PAIR = f"a = {X}; b = {X}; m = keras.Model([a, b], layers.LSTM(4)(layers.Add()([a, b]))); "
IN_TIME = (
    *(f"{ONE}{held}; x = {STEPS}; y = keras.Model(x, layers.TimeDistributed(m)(x))" for held in HELD),
    f"{PAIR}x = [{STEPS}, {STEPS}]; y = keras.Model(x, layers.TimeDistributed(m)(x))",
    *(
        f"x = {STEPS}; y = keras.Model(x, layers.TimeDistributed(layers.{layer}(4, return_state=True))(x))"
        for layer in ("LSTM", "GRU", "SimpleRNN")
    ),
    f"x = {STEPS}; h = layers.Bidirectional(layers.LSTM(4, return_state=True)); y = layers.TimeDistributed(h)(x)",
    f"x = {STEPS}; y = keras.Model(x, layers.TimeDistributed(layers.LSTM(4, return_sequences=True))(x))",
)
DTYPES = (
    "float99", "fp16", "fp32", "fp64", "f32", "f16", "Float32", "FLOAT32", "float_32", "float-32", "mixed",
    "mixed_precision", "auto", "none", "None", "float128", "tf.float32", "float32 ", "np.float32", "bf16",
    "mixed_fp16", "default", "float24", "Float16", "MIXED_FLOAT16", "mixed float16", "mixed-float16", "single",
    "mixed_float32", "mixed_float64", "mixed_float16", "double", "half", "float", "",
)  # fmt: skip
OF_INPUTS = (
    *(f"y = layers.LSTM(4)(layers.Dense(3)(keras.Input((5, 4), dtype={name!r})))" for name in DTYPES),
    *(
        f"y = layers.LSTM(4)(keras.Input({given}))"
        for given in ("batch_size=2, batch_shape=(2, 5, 4)", "batch_size=None, batch_shape=(2, 5, 4)")
    ),
)
#: What is set on a finished layer: before it is called, on one of a subclass, and before a Bidirectional takes it.
LOCKED = (
    "kernel_regularizer = keras.regularizers.l2(0.1)", "kernel_constraint = keras.constraints.NonNeg()",
    "bias_initializer = 'ones'", "recurrent_initializer = 'zeros'", "implementation = 1",
    "activation = keras.activations.relu", "units = 3",
)  # fmt: skip
SET_LATER = (
    *(f"one = layers.{kind}(4); one.{setting}; y = one({X})" for kind in ("LSTM", "GRU") for setting in LOCKED),
    *(
        f"one = layers.SimpleRNN(4); one.{setting}; y = one({X})"
        for setting in LOCKED
        if setting != "implementation = 1"
    ),
    f"one = layers.LSTM(4); one.units = 3; y = layers.Bidirectional(one)({X})",
    f"one = layers.LSTM(4); one.dropout = 0.25; y = layers.Bidirectional(one)({X})",
    f"one = layers.GRU(4); one.use_bias = False; y = layers.TimeDistributed(one)({STEPS})",
)
#: An input of each rank for layers that take some, in front of what makes three dimensions of any others.
RANKED = (
    "Conv1D(3, 1)", "SeparableConv1D(3, 1)", "Conv1DTranspose(3, 1)", "DepthwiseConv1D(1)", "Conv2D(3, 1)",
    "SeparableConv2D(3, 1)", "Conv2DTranspose(3, 1)", "DepthwiseConv2D(1)", "Conv3D(3, 1)", "MaxPooling1D(1)",
    "AveragePooling1D(1)", "MaxPooling2D(1)", "AveragePooling2D(1)", "MaxPooling3D(1)", "GlobalMaxPooling1D()",
    "GlobalAveragePooling1D()", "GlobalMaxPooling2D()", "GlobalAveragePooling2D()", "RepeatVector(2)",
    "UpSampling1D(2)", "UpSampling2D(2)", "ZeroPadding1D(1)", "ZeroPadding2D(1)", "Cropping1D(1)", "Cropping2D(1)",
    "SpatialDropout1D(0.1)", "SpatialDropout2D(0.1)", "TimeDistributed(layers.Dense(3))", "Dense(3)",
    "Dropout(0.1)", "BatchNormalization()", "LayerNormalization()", "Activation('relu')",
)  # fmt: skip
RANKS = {2: (6,), 3: (6, 5), 4: (6, 5, 4), 5: (6, 5, 4, 3)}
OF_RANKS = tuple(
    f"y = layers.LSTM(4)(layers.Reshape((-1, 1))(layers.{layer}(keras.Input({shape}))))"
    for layer in RANKED
    for shape in RANKS.values()
)
#: What leaves no step of the four that it gets, and what leaves some.
SHORT = (
    "Conv1D(3, 5)", "Conv1D(3, 4)", "Conv1D(3, 5, padding='same')", "Conv1D(3, 5, padding='causal')",
    "Conv1D(3, 3, dilation_rate=2)", "Conv1D(3, 2, dilation_rate=2)", "Conv1D(3, 5, strides=2)",
    "Conv1D(3, 4, strides=2)", "SeparableConv1D(3, 5)", "SeparableConv1D(3, 4)", "MaxPooling1D(5)", "MaxPooling1D(4)",
    "MaxPooling1D(5, padding='same')", "MaxPooling1D(5, strides=1)", "AveragePooling1D(5)", "AveragePooling1D(4)",
    "Cropping1D(2)", "Cropping1D(1)", "Cropping1D((3, 1))", "Cropping1D((0, 3))", "Cropping1D(3)",
)  # fmt: skip
OF_LENGTHS = (
    *(f"y = layers.LSTM(4)(layers.{layer}(keras.Input((4, 4))))" for layer in SHORT),
    "y = layers.LSTM(4)(layers.MaxPooling1D(2)(layers.Conv1D(3, 4)(keras.Input((4, 4)))))",
    "y = layers.LSTM(4)(layers.MaxPooling1D(2)(layers.Conv1D(3, 3)(keras.Input((4, 4)))))",
    "y = layers.LSTM(4)(layers.Conv1D(3, 9)(keras.Input((None, 4))))",
)
#: One tensor for layers that join several, by itself, in a list, and once where they take two arguments.
JOINING = (
    "Attention()", "AdditiveAttention()", "Add()", "Concatenate()", "Multiply()", "Average()", "Maximum()",
    "Minimum()", "Subtract()", "Dot(1)",
)  # fmt: skip
OF_ONE = tuple(
    f"x = {X}; y = layers.LSTM(4)(layers.Reshape((-1, 1))(layers.{layer}({given})))"
    for layer in JOINING
    for given in ("x", "[x]", "[x, x]", "x, x")
)
#: What is built and run.
DATA = "__import__('numpy').ones((2, 5, 4), 'float32')"
IN_SEQUENTIAL = (
    *(f"{ONE}{held}; y = keras.Sequential([{STEPS}, layers.TimeDistributed(m)])" for held in HELD),
    f"y = keras.Sequential([{STEPS}, layers.TimeDistributed(layers.LSTM(4, return_state=True))])",
    f"y = keras.Sequential([{X}, layers.Dense(3), layers.LSTM(4)])",
    "y = keras.Sequential([layers.InputLayer((5, 4)), layers.Dense(3), layers.LSTM(4)])",
)
MASKED = (
    *(f"{kind}()([{given}])" for kind in ("Attention", "AdditiveAttention") for given in ("e, e", "e, x", "x, e")),
    "Concatenate()([e, e])", "Concatenate()([e, x])", "Softmax()(e)", "TimeDistributed(layers.Dense(3))(e)",
    "Add()([e, e])", "Attention()([x, x])",
)  # fmt: skip
RUN = (
    *(
        f"x = {X}; y = keras.Sequential([layers.Dense(3), layers.LSTM(4)])({given.replace(X, 'x')})"
        for given in LISTS.values()
    ),
    *IN_SEQUENTIAL,
    *(f"x = {X}; e = layers.Masking()(x); y = layers.LSTM(4)(layers.{call})" for call in MASKED),
    f"y = layers.LSTM(4)([{DATA}])",
    f"y = layers.LSTM(4)({{'a': {DATA}}})",
    f"y = keras.Sequential([layers.LSTM(4)])([{DATA}])",
)
BEFORE = (*INTO_LAYERS, *INTO_SEQUENTIAL, *BY_NAME, *IN_TIME, *OF_INPUTS, *SET_LATER, *OF_RANKS, *OF_LENGTHS, *OF_ONE)
