"""The packages that hold a Keras of their own: a layer of one is none for another."""

from __future__ import annotations

#: What TensorFlow takes for yes in TF_USE_LEGACY_KERAS, which makes tf_keras of its `tf.keras`.
YES = ("1", "true", "True")
#: Dotted names below which each package lies, longest first, and the package.
_BEGINNINGS = (
    ("tensorflow.python.", "tensorflow.python.keras"),
    ("tensorflow.", "tensorflow.keras"),
    ("tf_keras.", "tf_keras"),
    ("keras.", "keras"),
)


def package_of(dotted: str) -> str:
    """Return the package of a class of Keras by its dotted name, "tf_keras" for "tf_keras.layers.LSTM"; "" for others.

    `tensorflow.keras` has the classes of another package in most releases: which, the tables say.
    """
    return next((package for begins, package in _BEGINNINGS if dotted.startswith(begins)), "")
