"""Which arguments a Keras 3 layer takes, of those that a Keras 2 file can hold, and which may be left behind.

Read off the signatures of keras 3.15.1 and the files of tf_keras 2.21, TensorFlow 1.15 and Keras 2.2/2.3;
a test compares this table with the installed Keras.
"""

from __future__ import annotations

from typing import Any

from cudnnlint.rewriters.saved.layer_tree import words

_KERNEL = "kernel_initializer kernel_regularizer kernel_constraint"
_BIAS = "use_bias bias_initializer bias_regularizer bias_constraint"
_RECURRENT = f"units activation {_KERNEL} {_BIAS} recurrent_initializer recurrent_regularizer recurrent_constraint"
_DROPS = "dropout recurrent_dropout seed"
_LOOP = "return_sequences return_state go_backwards stateful unroll zero_output_for_mask"
_WINDOW = "kernel_size strides padding data_format dilation_rate activation"
_CONV = f"filters {_WINDOW} {_KERNEL} {_BIAS}"
_CONV_LSTM = (
    f"{_CONV} recurrent_activation recurrent_initializer recurrent_regularizer recurrent_constraint "
    f"unit_forget_bias {_DROPS} {_LOOP}"
)
_DEPTHWISE = "depth_multiplier depthwise_initializer depthwise_regularizer depthwise_constraint"
_POINTWISE = "pointwise_initializer pointwise_regularizer pointwise_constraint"
_NORM = (
    "axis epsilon center scale beta_initializer gamma_initializer beta_regularizer gamma_regularizer "
    "beta_constraint gamma_constraint"
)


def _dimensions(stem: str, arguments: str, ranks: str = "123") -> dict[str, str]:
    return {f"{stem}{rank}D": arguments for rank in ranks}


_TAKES: dict[str, str] = {
    **dict.fromkeys(("Add", "Average", "Identity", "Maximum", "Minimum", "Multiply", "Subtract"), ""),
    **_dimensions("AveragePooling", "pool_size strides padding data_format"),
    **_dimensions("MaxPooling", "pool_size strides padding data_format"),
    **_dimensions("GlobalAveragePooling", "data_format keepdims"),
    **_dimensions("GlobalMaxPooling", "data_format keepdims"),
    **{f"Conv{rank}D": f"{_CONV} groups" for rank in "123"},
    **{f"Conv{rank}DTranspose": f"{_CONV} output_padding" for rank in "123"},
    **{f"ConvLSTM{rank}D": _CONV_LSTM for rank in "123"},
    **{f"Cropping{rank}D": "cropping" + " data_format" * (rank != "1") for rank in "123"},
    **{f"ZeroPadding{rank}D": "padding data_format" for rank in "123"},
    **{f"DepthwiseConv{rank}D": f"{_WINDOW} {_BIAS} {_DEPTHWISE}" for rank in "12"},
    **{f"SeparableConv{rank}D": f"filters {_WINDOW} {_BIAS} {_DEPTHWISE} {_POINTWISE}" for rank in "12"},
    **{f"SpatialDropout{rank}D": "rate seed" + " data_format" * (rank != "1") for rank in "123"},
    "Activation": "activation",
    "ActivityRegularization": "l1 l2",
    "AdditiveAttention": "use_scale dropout seed",
    "AlphaDropout": "rate noise_shape seed",
    "Attention": "use_scale score_mode dropout seed",
    "BatchNormalization": f"{_NORM} momentum moving_mean_initializer moving_variance_initializer synchronized",
    "Bidirectional": "merge_mode layer backward_layer",
    "CategoryEncoding": "num_tokens output_mode sparse",
    "CenterCrop": "height width data_format",
    "Concatenate": "axis",
    "Dense": f"units activation {_KERNEL} {_BIAS}",
    "Dot": "axes normalize",
    "Dropout": "rate noise_shape seed",
    "ELU": "alpha",
    "EinsumDense": f"equation output_shape activation bias_axes {_KERNEL} {_BIAS.replace('use_bias ', '')}",
    "Embedding": "input_dim output_dim embeddings_initializer embeddings_regularizer embeddings_constraint mask_zero",
    "Flatten": "data_format",
    "GRU": f"{_RECURRENT} recurrent_activation {_DROPS} {_LOOP} reset_after",
    "GRUCell": f"{_RECURRENT} recurrent_activation {_DROPS} reset_after",
    "GaussianDropout": "rate seed",
    "GaussianNoise": "stddev seed",
    "GroupNormalization": f"groups {_NORM}",
    "InputLayer": "batch_shape sparse",
    "LSTM": f"{_RECURRENT} recurrent_activation unit_forget_bias {_DROPS} {_LOOP}",
    "LSTMCell": f"{_RECURRENT} recurrent_activation unit_forget_bias {_DROPS}",
    "LayerNormalization": _NORM,
    "LeakyReLU": "negative_slope",
    "Masking": "mask_value",
    "MultiHeadAttention": f"num_heads key_dim value_dim dropout use_bias output_shape attention_axes {_KERNEL} {_BIAS}",
    "Normalization": "axis mean variance invert",
    "PReLU": "alpha_initializer alpha_regularizer alpha_constraint shared_axes",
    "Permute": "dims",
    "RNN": f"cell {_LOOP}",
    "ReLU": "max_value negative_slope threshold",
    "RandomBrightness": "factor value_range seed",
    "RandomContrast": "factor seed",
    "RandomFlip": "mode seed",
    "RandomRotation": "factor fill_mode interpolation seed fill_value",
    "RandomTranslation": "height_factor width_factor fill_mode interpolation seed fill_value",
    "RandomZoom": "height_factor width_factor fill_mode interpolation seed fill_value",
    "RepeatVector": "n",
    "Rescaling": "scale offset",
    "Reshape": "target_shape",
    "Resizing": "height width interpolation crop_to_aspect_ratio",
    "SimpleRNN": f"{_RECURRENT} {_DROPS} {_LOOP}",
    "SimpleRNNCell": f"{_RECURRENT} {_DROPS}",
    "Softmax": "axis",
    "StackedRNNCells": "cells",
    "TimeDistributed": "layer",
    "UnitNormalization": "axis",
    "UpSampling1D": "size",
    "UpSampling2D": "size data_format interpolation",
    "UpSampling3D": "size data_format",
}

_UNTRAINABLE = frozenset({"SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"})

_ANY = object()

#: Arguments that Keras 3 does not have, and the values at which they say nothing.
_SAYS_NOTHING: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(
        words(
            """
        batch_input_shape input_shape input_dim input_length input_dtype trainable implementation rng_type
        vocabulary_size query_shape key_shape value_shape fused experimental_autocast autocast
        renorm_clipping renorm_momentum build_input_shape
        """
        ),
        (_ANY,),
    ),
    **dict.fromkeys(
        words("time_major dynamic renorm softmax_robust_masking causal ragged optional reverse_state_order"),
        (False, None),
    ),
    **dict.fromkeys(words("noise_shape virtual_batch_size adjustment weights"), (None,)),
    "num_constants": (0, None),
    "groups": (1,),
}
#: What Separable and Depthwise layers inherit in Keras 2 and do not use.
_UNUSED = frozenset(_KERNEL.split())


def takes(class_name: str) -> frozenset[str] | None:
    """Return the arguments of a Keras 3 class; None for a class that Keras 3 does not have, or that is not Keras's."""
    own = _TAKES.get(class_name)
    if own is None:
        return None
    common = {"name", "dtype"} if class_name in _UNTRAINABLE else {"name", "dtype", "trainable", "activity_regularizer"}
    return frozenset(own.split()) | common


def classes() -> tuple[str, ...]:
    """Return all classes of the table."""
    return tuple(_TAKES)


def may_go(class_name: str, argument: str, value: Any) -> bool:
    """Return whether an argument that the Keras 3 class does not take can be left out without changing any number."""
    if argument in _UNUSED and class_name.startswith(("Separable", "Depthwise")):
        return True
    if argument == "activity_regularizer" and value is None:
        return True
    nothing = _SAYS_NOTHING.get(argument, ())
    return _ANY in nothing or value in nothing
