"""What a positional argument of a Keras constructor means.

Read from the signatures of keras 3.15.1 and tf_keras 2.21 as far as both agree: behind the last name
a position means something else in each (`seed` stands before `return_sequences` in Keras 3).
"""

from __future__ import annotations

from collections.abc import Mapping

_WEIGHTS = (
    "kernel_initializer recurrent_initializer bias_initializer {forget}kernel_regularizer recurrent_regularizer "
    "bias_regularizer {activity}kernel_constraint recurrent_constraint bias_constraint"
)
_GATED = "units activation recurrent_activation use_bias "
_CONV = (
    "filters kernel_size strides padding data_format dilation_rate activation recurrent_activation use_bias "
    + _WEIGHTS.format(forget="unit_forget_bias ", activity="activity_regularizer ")
)
_ENDING = " return_sequences return_state go_backwards stateful"

#: Class name -> argument names in order.
POSITIONAL: Mapping[str, tuple[str, ...]] = {
    name: tuple(text.split())
    for name, text in {
        "LSTM": _GATED
        + _WEIGHTS.format(forget="unit_forget_bias ", activity="activity_regularizer ")
        + " dropout recurrent_dropout",
        "GRU": _GATED + _WEIGHTS.format(forget="", activity="activity_regularizer ") + " dropout recurrent_dropout",
        "SimpleRNN": "units activation use_bias "
        + _WEIGHTS.format(forget="", activity="activity_regularizer ")
        + " dropout recurrent_dropout"
        + _ENDING
        + " unroll",
        "CuDNNLSTM": "units " + _WEIGHTS.format(forget="unit_forget_bias ", activity="activity_regularizer ") + _ENDING,
        "CuDNNGRU": "units " + _WEIGHTS.format(forget="", activity="activity_regularizer ") + _ENDING,
        "RNN": "cell" + _ENDING + " unroll",
        "ConvLSTM1D": _CONV,
        "ConvLSTM2D": _CONV,
        "ConvLSTM3D": _CONV,
        "LSTMCell": _GATED + _WEIGHTS.format(forget="unit_forget_bias ", activity="") + " dropout recurrent_dropout",
        "GRUCell": _GATED + _WEIGHTS.format(forget="", activity="") + " dropout recurrent_dropout",
        "SimpleRNNCell": "units activation use_bias "
        + _WEIGHTS.format(forget="", activity="")
        + " dropout recurrent_dropout",
        "StackedRNNCells": "cells",
        "Bidirectional": "layer merge_mode weights backward_layer",
        "TimeDistributed": "layer",
        "SpectralNormalization": "layer",
        "Embedding": "input_dim output_dim embeddings_initializer embeddings_regularizer",
        "Masking": "mask_value",
        "Permute": "dims",
        "Reshape": "target_shape",
        "Activation": "activation",
        "Lambda": "function output_shape mask arguments",
        **dict.fromkeys(("DTypePolicy", "FloatDTypePolicy", "Policy"), "name"),
        "Sequential": "layers",
        "Model": "inputs outputs",
        "Functional": "inputs outputs",
        "Dense": "units activation use_bias",
    }.items()
}
