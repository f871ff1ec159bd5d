"""Lines that stops.py asks, too: how a call gets its input, what an Input is given, and settings that are set later."""

from __future__ import annotations

X = "keras.Input((5, 4))"
STEPS = "keras.Input((3, 5, 4))"
LISTED = (
    f"y = keras.Sequential([layers.LSTM(4)])([{X}])",
    f"y = keras.Sequential([layers.LSTM(4)])(({X},))",
    f"y = keras.Sequential([layers.LSTM(4)])({{'a': {X}}})",
    f"y = keras.Sequential([{X}, layers.LSTM(4)])([{X}])",
    f"y = keras.Sequential([{X}, layers.LSTM(4)])(({X},))",
    f"y = keras.Sequential([layers.LSTM(4, input_shape=(5, 4))])([{X}])",
    f"y = layers.LSTM(4)({{'a': {X}}})",
    f"y = layers.Bidirectional(layers.LSTM(4))({{'a': {X}}})",
    f"y = layers.RNN(layers.LSTMCell(4))({{'a': {X}}})",
    f"y = layers.TimeDistributed(layers.LSTM(4))({{'a': {STEPS}}})",
)
NAMED = (f"y = layers.Bidirectional('LSTM')({X})", f"y = layers.TimeDistributed('GRU')({STEPS})")
INPUTS = (
    "", "dtype='float32'", "batch_size=2", "shape=None", "(5, 4), batch_shape=(2, 5, 4)", "batch_shape=(2, 5, 4)",
    "shape=(5, 4), batch_size=2, batch_shape=(2, 5, 4)", "(5, 4), dtype='float99'", "(5, 4), dtype=None",
    "(5, 4), None",
)  # fmt: skip
ONE_INPUT = ("[a], h", "a, [h]", "a, [h, layers.Dense(2)(h)]", "a, {'h': h}")
TWO_INPUTS = "[a, b], layers.Concatenate()([h, layers.Flatten()(b)])"
IN_TIME = (
    *(
        f"a = {X}; h = layers.LSTM(4)(a); m = keras.Model({model}); x = {STEPS}; "
        "y = keras.Model(x, layers.TimeDistributed(m)(x))"
        for model in ONE_INPUT
    ),
    f"a = {X}; b = {X}; h = layers.LSTM(4)(a); m = keras.Model({TWO_INPUTS}); x = [{STEPS}, {STEPS}]; "
    "y = keras.Model(x, layers.TimeDistributed(m)(x))",
)
SET = {
    "LSTM": (
        "units", "activation", "recurrent_activation", "use_bias", "dropout", "recurrent_dropout", "kernel_initializer",
        "unit_forget_bias", "unroll", "return_sequences", "cell.dropout",
    ),
    "GRU": ("units", "dropout", "recurrent_dropout", "reset_after", "stateful"),
    "SimpleRNN": ("units", "dropout"),
}  # fmt: skip
ENTRIES = (
    *LISTED,
    *NAMED,
    *(f"y = layers.LSTM(4)(keras.Input({given}))" for given in INPUTS),
    *IN_TIME,
    *(
        f"one = layers.{kind}(4); one.{name} = one.{name}; y = one({X})"
        for kind, names in SET.items()
        for name in names
    ),
)
