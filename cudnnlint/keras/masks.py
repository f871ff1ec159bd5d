"""What each Keras layer does with the mask of its input, in Keras 2 and in Keras 3.

Measured with tf_keras 2.21 and keras 3.15.1 by looking at the mask that reaches an LSTM when
`predict` runs. What decides is the run, not the symbolic graph: Keras 3 warns that a
nested model destroys the mask while the graph is built, yet at run time the mask rides on the tensor
through the nested model's own layers, as in Keras 2. So a nested Sequential or Functional, or a user's
layer, is transparent: follow the layers inside it.
"""

from __future__ import annotations

from enum import Enum


class OnMask(Enum):
    """What a layer does with the masks of its inputs."""

    KEEPS = "its output has the mask of its (first) input"
    DROPS = "its output has no mask"
    MAKES = "its output has a mask of its own: Masking always, Embedding with mask_zero=True"
    SEQUENCES = "keeps the mask if return_sequences=True, else drops it; states never have one"
    ANY = "its output has a mask if any input has one"
    ALL = "its output has a mask if every input has one"
    OWN = "its output has a mask only if mask= is given to the constructor"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEEPS = _words(
    """
    Activation ActivityRegularization AlphaDropout BatchNormalization Dense Dropout ELU GaussianDropout
    GaussianNoise GroupNormalization LayerNormalization LeakyReLU MultiHeadAttention PReLU ReLU Softmax
    SpatialDropout1D SpatialDropout2D SpatialDropout3D SyncBatchNormalization ThresholdedReLU TimeDistributed
    UnitNormalization Attention AdditiveAttention InputLayer
    """
)
_KEEPS_FROM_3 = _words("GroupQueryAttention GroupedQueryAttention Identity Normalization Rescaling")
_MAKES = frozenset({"Embedding", "Masking", "ReversibleEmbedding"})
_SEQUENCES = _words(
    """
    LSTM GRU SimpleRNN RNN ConvLSTM1D ConvLSTM2D ConvLSTM3D CuDNNLSTM CuDNNGRU Bidirectional
    """
)
_MERGES = _words("Add Average Maximum Minimum Multiply Subtract")
_DROPS = _words(
    """
    CategoryEncoding CenterCrop Discretization Dot EinsumDense Flatten Hashing HashedCrossing IntegerLookup Permute
    RMSNormalization RepeatVector Reshape Resizing StringLookup TextVectorization MelSpectrogram STFTSpectrogram
    LocallyConnected1D LocallyConnected2D DenseFeatures SpectralNormalization
    Conv1D Conv2D Conv3D Convolution1D Convolution2D Convolution3D
    Conv1DTranspose Conv2DTranspose Conv3DTranspose Convolution1DTranspose Convolution2DTranspose Deconvolution2D
    SeparableConv1D SeparableConv2D SeparableConvolution1D SeparableConvolution2D DepthwiseConv1D DepthwiseConv2D
    MaxPool1D MaxPool2D MaxPool3D MaxPooling1D MaxPooling2D MaxPooling3D
    AvgPool1D AvgPool2D AvgPool3D AveragePooling1D AveragePooling2D AveragePooling3D
    GlobalMaxPool1D GlobalMaxPool2D GlobalMaxPool3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D
    GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D
    GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D
    AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D
    AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D
    Cropping1D Cropping2D Cropping3D UpSampling1D UpSampling2D UpSampling3D
    ZeroPadding1D ZeroPadding2D ZeroPadding3D
    RandomBrightness RandomContrast RandomCrop RandomFlip RandomHeight RandomRotation RandomTranslation RandomWidth
    RandomZoom
    """
)


def on_mask(class_name: str, keras: int) -> OnMask | None:
    """What `class_name` does with a mask in Keras 2 or 3; None for a class that is not Keras's own."""
    if class_name in _KEEPS:
        return OnMask.KEEPS
    if class_name in _KEEPS_FROM_3:
        return OnMask.KEEPS if keras >= 3 else OnMask.DROPS
    if class_name in _MERGES:
        return OnMask.ALL if keras >= 3 else OnMask.ANY
    table = {
        OnMask.MAKES: _MAKES,
        OnMask.SEQUENCES: _SEQUENCES,
        OnMask.ANY: frozenset({"Concatenate"}),
        OnMask.OWN: frozenset({"Lambda"}),
        OnMask.DROPS: _DROPS,
    }
    return next((effect for effect, names in table.items() if class_name in names), None)
