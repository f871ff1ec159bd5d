"""Layers with a vocabulary: StringLookup, IntegerLookup and TextVectorization of Keras 2 as those of Keras 3.

Both look words up in the same way (`index_lookup.py`, `text_vectorization.py` of tf_keras 2.21 and keras 3.15.1), as
long as the vocabulary is in the file, and no function of the user's own cuts the text up.
"""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.layer_tree import LayerPart

#: Arguments that may name a function of the user's own, and the values that are Keras's.
_KERAS = {
    "standardize": ("lower_and_strip_punctuation", "lower", "strip_punctuation", None),
    "split": ("whitespace", "character", None),
}


def settle_vocabulary(path: str, class_name: str, config: dict[str, Any]) -> None:
    """Write the arguments of such a layer as Keras 3 takes them; raise Refused where something is not in the file."""
    for argument, known in _KERAS.items():
        if config.get(argument) not in known:
            raise Refused(path, f"{argument} is a function of your own, whose code is not in the file")
    for argument in ("sparse", "ragged"):
        if config.get(argument):
            raise Refused(path, f"{argument}=True gives a tensor that the layers of Keras 3 do not all take")
    vocabulary = config.get("vocabulary")
    if isinstance(vocabulary, str):
        said = f"its vocabulary is in a file of its own, {vocabulary!r}"
        raise Refused(path, f"{said}: give the layer the list of its words, and save the model again")
    if not isinstance(vocabulary, list) or not vocabulary:
        raise Refused(
            path,
            "its vocabulary is not in the file: give it to the layer with set_vocabulary(), save the model as .keras "
            "with tf_keras, which writes it, and convert that file",
        )
    if config.get("output_mode") in ("tf_idf", "tf-idf") and not config.get("idf_weights"):
        raise Refused(path, "the weights of its words (idf_weights) are not in the file")
    config.pop("dtype", None)  # that of its output, which Keras 3 takes from output_mode


def taken_by(part: LayerPart) -> str:
    """Return the dtype of the input of such a layer."""
    words = part.class_name == "TextVectorization" or part.class_name == "StringLookup"
    return "string" if words and not part.config.get("invert") else "int64"
