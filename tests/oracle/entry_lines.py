"""Lines that stops.py asks, too: how a call gets its input, what an Input is given, and settings that are set later."""

from __future__ import annotations

X = "keras.Input((5, 4))"
STEPS = "keras.Input((3, 5, 4))"
LISTED = (
    f"y = keras.Sequential([layers.LSTM(4)])([{X}])",
    f"y = keras.Sequential([layers.LSTM(4)])(({X},))",
    f"y = keras.Sequential([layers.LSTM(4)])({{'a': {X}}})",
    f"y = keras.Sequential([layers.InputLayer((5, 4)), layers.LSTM(4)])([{X}])",
    f"y = keras.Sequential([layers.LSTM(4, input_shape=(5, 4))])([{X}])",
    f"y = layers.LSTM(4)({{'a': {X}}})",
    f"y = layers.Bidirectional(layers.LSTM(4))({{'a': {X}}})",
    f"y = layers.RNN(layers.LSTMCell(4))({{'a': {X}}})",
    f"y = layers.TimeDistributed(layers.LSTM(4))({{'a': {STEPS}}})",
)
NAMED = (f"y = layers.Bidirectional('LSTM')({X})", f"y = layers.TimeDistributed('GRU')({STEPS})")
INPUTS = (
    "", "dtype='float32'", "batch_size=2", "shape=None", "(5, 4), batch_shape=(2, 5, 4)", "batch_shape=(2, 5, 4)",
    "shape=(5, 4), batch_size=2, batch_shape=(2, 5, 4)", "(5, 4), dtype=None",
    "(5, 4), None",
)  # fmt: skip
#: What is set on a finished layer. TensorFlow passes over a value that is the very object that was there.
SET = {
    "LSTM": (
        "units = 3", "activation = 'relu'", "recurrent_activation = 'relu'", "use_bias = False", "dropout = 0.25",
        "recurrent_dropout = 0.25", "kernel_initializer = 'zeros'", "unit_forget_bias = False", "unroll = True",
        "return_sequences = True", "cell.dropout = 0.25",
    ),
    "GRU": ("units = 3", "dropout = 0.25", "recurrent_dropout = 0.25", "reset_after = False"),
    "SimpleRNN": ("units = 3", "dropout = 0.25"),
}  # fmt: skip
ENTRIES = (
    *LISTED,
    *NAMED,
    *(f"y = layers.LSTM(4)(keras.Input({given}))" for given in INPUTS),
    *(
        f"one = layers.{kind}(4); one.{setting}; y = one({X})"
        for kind, settings in SET.items()
        for setting in settings
    ),
)
