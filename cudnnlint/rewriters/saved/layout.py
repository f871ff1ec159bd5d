"""Which weights a layer has, in which order, and where a `.keras` file keeps them.

Read off files that tf_keras 2.21 and keras 3.15.1 wrote of every layer (tests/rewriters/saved measures it
again): the order inside one layer is the same in both containers and in both generations of Keras.
A word is `[folder/]name`, with `?flag` where the argument `flag` decides whether it exists and `!` where
it is never trained.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.serialized.saved_layer import is_op
from cudnnlint.rewriters.saved.layer_tree import LayerPart, words

_KERNEL = "kernel bias?use_bias"
_RECURRENT = "cell/kernel cell/recurrent_kernel cell/bias?use_bias"
_CELL = "kernel recurrent_kernel bias?use_bias"
_NORM = "gamma?scale beta?center"

_WEIGHTS: dict[str, str] = {
    **dict.fromkeys(("Dense", "Conv1D", "Conv2D", "Conv3D", "LocallyConnected1D", "LocallyConnected2D"), _KERNEL),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), _KERNEL),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), "depthwise_kernel bias?use_bias"),
    **dict.fromkeys(("SeparableConv1D", "SeparableConv2D"), "depthwise_kernel pointwise_kernel bias?use_bias"),
    **dict.fromkeys(("LSTM", "GRU", "SimpleRNN", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"), _RECURRENT),
    **dict.fromkeys(("LSTMCell", "GRUCell", "SimpleRNNCell"), _CELL),
    **dict.fromkeys(("CuDNNLSTM", "CuDNNGRU"), "kernel recurrent_kernel bias"),
    **dict.fromkeys(("BatchNormalization", "SyncBatchNormalization"), f"{_NORM} moving_mean! moving_variance!"),
    **dict.fromkeys(("LayerNormalization", "GroupNormalization"), _NORM),
    "RMSNormalization": "scale",
    "EinsumDense": "kernel bias?bias_axes",
    "Embedding": "embeddings",
    "PReLU": "alpha",
    "Attention": "scale?use_scale concat_score_weight?score_mode=concat",
    "AdditiveAttention": "scale?use_scale",
    "MultiHeadAttention": " ".join(
        f"{part}_dense/kernel {part}_dense/bias?use_bias" for part in ("query", "key", "value", "output")
    ),
    "Normalization": "mean!?mean=None variance!?mean=None count!?mean=None",
}

#: Layers without weights. Those that draw random numbers have a seed state in `.keras` files, which may be missing.
_NONE = words(
    """
    Activation ActivityRegularization Add AlphaDropout Average AveragePooling1D AveragePooling2D AveragePooling3D
    CategoryEncoding CenterCrop Concatenate Cropping1D Cropping2D Cropping3D Discretization Dot Dropout ELU Flatten
    GaussianDropout GaussianNoise GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D
    GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D HashedCrossing Hashing Identity InputLayer IntegerLookup
    LeakyReLU Masking MaxPooling1D MaxPooling2D MaxPooling3D Maximum Minimum Multiply Permute RandomBrightness
    RandomContrast RandomCrop RandomFlip RandomHeight RandomRotation RandomTranslation RandomWidth RandomZoom ReLU
    RepeatVector Rescaling Reshape Resizing Softmax SpatialDropout1D SpatialDropout2D SpatialDropout3D StringLookup
    Subtract TextVectorization ThresholdedReLU UnitNormalization UpSampling1D UpSampling2D UpSampling3D
    ZeroPadding1D ZeroPadding2D ZeroPadding3D
    """
)
#: Layers that look words up. With output_mode="tf_idf" they hold a weight for each word, under a name of its own.
LOOKUPS = words("StringLookup IntegerLookup TextVectorization")
IDF = "idf_weights"
_HOLDERS = words("Sequential Functional Model Bidirectional TimeDistributed RNN StackedRNNCells")

#: Arguments that an older Keras does not write, because it had none: what their absence means.
_ABSENT: dict[str, Any] = {"use_bias": True, "scale": True, "center": True}


@dataclass(frozen=True)
class WeightPlace:
    """The place of one weight: the part, the folder below it, the key in that folder's `vars`, and its name."""

    part: LayerPart
    below: str
    key: str
    name: str
    trained: bool


def weight_places(part: LayerPart, trained: bool = True) -> list[WeightPlace] | None:
    """Return all weights under `part` in the order of the layers; None if the class of some part is not known."""
    trained = trained and part.trainable
    own = own_places(part, trained)
    if own is None:
        return None
    for child in part.parts:
        below = weight_places(child, trained)
        if below is None:
            return None
        own.extend(below)
    return own


def weighs_words(part: LayerPart) -> bool:
    """Return whether it is a layer that looks words up and holds a weight for each."""
    return part.class_name in LOOKUPS and part.config.get("output_mode") in ("tf_idf", "tf-idf")


def in_h5_order(found: list[WeightPlace]) -> list[WeightPlace]:
    """Return all trained weights, then all others (`_legacy_weights` in keras 3.15.1, `legacy` in tf_keras 2.21)."""
    return [place for place in found if place.trained] + [place for place in found if not place.trained]


def unknown_parts(part: LayerPart) -> Iterator[LayerPart]:
    """Yield the parts under `part`, itself included, whose weights are not known."""
    if own_places(part) is None:
        yield part
    for child in part.parts:
        yield from unknown_parts(child)


def is_keras(part: LayerPart) -> bool:
    """Return whether it is one of Keras's own layers or cells."""
    return part.class_name in _WEIGHTS or part.class_name in _NONE or part.class_name in _HOLDERS


def own_places(part: LayerPart, trained: bool = True) -> list[WeightPlace] | None:
    """Return the places of the part alone, without those of what it holds."""
    name = part.class_name
    if part.is_model or name in _NONE or name in _HOLDERS or is_op(part.entry):
        return []
    if name not in _WEIGHTS or part.config.get("renorm"):
        return None
    found: list[WeightPlace] = []
    keys: dict[str, int] = {}
    for word in _WEIGHTS[name].split():
        where, _, flag = word.partition("?")
        if not _holds(part.config, flag):
            continue
        below, _, weight = where.rstrip("!").rpartition("/")
        keys[below] = keys.get(below, -1) + 1
        found.append(WeightPlace(part, below, str(keys[below]), weight, trained and not where.endswith("!")))
    return found


def _holds(config: dict[str, Any], flag: str) -> bool:
    if not flag:
        return True
    argument, _, value = flag.partition("=")
    found = config.get(argument, _ABSENT.get(argument))
    return str(found) == value if value else bool(found)
