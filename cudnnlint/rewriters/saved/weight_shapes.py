"""The shapes that a layer's weights have by its arguments, held against those that are stored. Reads no numbers.

Shapes as keras 3.15.1 and tf_keras 2.21 build them (`layers/rnn/*.py`, `layers/core/*.py`, `layers/convolutional`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import h5py

from cudnnlint.core.errors import Refused
from cudnnlint.keras.recurrent_weights import GATES_OF, Shape, agree, weight_shape
from cudnnlint.rewriters.saved.arithmetic import GATES
from cudnnlint.rewriters.saved.guards import dataset
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths
from cudnnlint.rewriters.saved.layout import own_places
from cudnnlint.rewriters.saved.legacy import CUDNN, as_cudnn, as_layer


def must_have_its_shapes(root: LayerPart, weights: h5py.Group) -> None:
    """Refuse unless every stored weight has the shape that its layer's arguments, and the layer before it, ask for."""
    features = dict(_features(root))
    for path, part in paths(root):
        for name, stored in _stored(part, weights):
            wanted = _wanted(part, name, features.get(id(part)))
            if wanted is not None and not agree(stored, wanted):
                needed = ", ".join("any" if size is None else str(size) for size in wanted)
                raise Refused(
                    path,
                    f"its {name} in the weights file has the shape {stored}, but its configuration needs ({needed}): "
                    "weights and configuration are not of the same model",
                )


def spell_as_stored(root: LayerPart, weights: h5py.Group, left_out: Mapping[str, Any]) -> list[str]:
    """Turn LSTM and GRU layers into the class and `reset_after` that their bias was stored for; return what changed.

    A CuDNN layer stores both of its biases in one row of 2 n u, which LSTM and GRU cannot load (Keras turns these
    weights when it loads them, `preprocess_weights_for_loading`), and GRU's `reset_after` decides whether its bias is
    (3u,) or (2, 3u). `left_out` is what an argument is that is not written.
    """
    return [
        sentence
        for path, part in paths(root)
        for name, stored in _stored(part, weights)
        if name == "bias" and (sentence := _spelled(path, part, stored, left_out))
    ]


def _spelled(path: str, part: LayerPart, stored: Shape, left_out: Mapping[str, Any]) -> str:
    name, units = part.class_name, part.config.get("units")
    plain = CUDNN.get(name, name)
    if plain not in GATES or not isinstance(units, int) or part.derived:
        return ""
    row = GATES[plain] * units
    if name != plain and stored in ((row,), (2, row)):
        as_layer(part, left_out, reset_after=len(stored) == 2)
        return f"{path}: its weights are those of {plain}, not of {name}"
    if name == plain and stored == (2 * row,):
        as_cudnn(part)
        return f"{path}: its weights are those of CuDNN{plain}, not of {plain}"
    after = len(stored) == 2
    if name == "GRU" and stored in ((row,), (2, row)) and bool(part.config.get("reset_after")) is not after:
        part.config["reset_after"] = after
        return f"{path}: its weights are those of GRU(reset_after={after})"
    return ""


def _stored(part: LayerPart, weights: h5py.Group) -> Iterator[tuple[str, Shape]]:
    """Yield the stored weights of the part itself: name and shape."""
    for place in own_places(part) or []:
        group = part.stored(place.below)
        if group is not None and place.key in group.weights:
            yield place.name, tuple(dataset(weights, group.weights[place.key].source).shape)


def _wanted(part: LayerPart, name: str, features: int | None) -> Shape | None:
    """Return the shape that a weight of a layer has; None for a layer whose arguments do not show it."""
    config, class_name = part.config, part.class_name.removesuffix("Cell")
    plain = CUDNN.get(class_name, class_name)
    if plain in GATES_OF:
        return _of_rnn(config, class_name, name, features)
    if plain == "Dense":
        return {"kernel": (features, config.get("units")), "bias": (config.get("units"),)}.get(name)
    if plain == "Embedding":
        return config.get("input_dim"), config.get("output_dim")
    if plain in ("Conv1D", "Conv2D", "Conv3D"):
        sizes = config.get("kernel_size")
        grouped = config.get("groups", 1) != 1
        window = tuple(sizes) if isinstance(sizes, (list, tuple)) else (None,) * int(plain[4])
        kernel = (*window, None if grouped else features, config.get("filters"))
        return {"kernel": kernel, "bias": (config.get("filters"),)}.get(name)
    return None


def _of_rnn(config: dict[str, Any], class_name: str, name: str, features: int | None) -> Shape | None:
    plain = CUDNN.get(class_name, class_name)
    shape = weight_shape(plain, config, name, features)
    return shape if shape is None or name != "bias" or class_name == plain else (2 * GATES_OF[plain] * config["units"],)


#: Layers of a Sequential that hand on as many features as they get.
_KEEP = frozenset({
    "Activation", "ActivityRegularization", "BatchNormalization", "Dropout", "GaussianDropout", "GaussianNoise",
    "LayerNormalization", "LeakyReLU", "Masking", "PReLU", "ReLU", "Softmax", "SpatialDropout1D",
    "AveragePooling1D", "MaxPooling1D", "GlobalAveragePooling1D", "GlobalMaxPooling1D", "RepeatVector",
})  # fmt: skip


def _features(root: LayerPart) -> Iterator[tuple[int, int | None]]:
    """Yield how many features the input of each layer in a Sequential has, as far as the layers before it show it."""
    for model in [root, *(part for _, part in paths(root))]:
        size: int | None = None
        for part in model.parts if model.class_name == "Sequential" else ():
            given = part.config.get("batch_input_shape") or part.config.get("batch_shape")
            size = given[-1] if isinstance(given, list) and given and isinstance(given[-1], int) else size
            for inner in _wrapped(part):
                yield id(inner), size
            size = _handed_on(part, size)


def _wrapped(part: LayerPart) -> list[LayerPart]:
    """Return the layer, or the layers that a wrapper hands its input to as it is."""
    if part.class_name in ("Bidirectional", "TimeDistributed", "RNN"):
        return [inner for child in part.parts[:2] for inner in _wrapped(child)]
    return [part]


def _handed_on(part: LayerPart, size: int | None) -> int | None:
    """Return how many features the layer's output has; None where that is not known here."""
    config, plain = part.config, CUDNN.get(part.class_name, part.class_name)
    if plain == "Embedding":
        found = config.get("output_dim")
    elif plain == "Dense" or plain in GATES_OF:
        found = config.get("units")
    elif plain == "Conv1D":
        found = config.get("filters")
    elif plain == "InputLayer" or plain in _KEEP:
        found = size
    elif plain == "TimeDistributed" and part.parts:
        found = _handed_on(part.parts[0], size)
    elif plain == "Bidirectional" and part.parts:
        one = _handed_on(part.parts[0], None)
        found = None if one is None else one * 2 if config.get("merge_mode") == "concat" else one
    else:
        found = None
    return found if isinstance(found, int) else None
