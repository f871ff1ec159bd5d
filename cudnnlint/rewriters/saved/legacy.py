"""CuDNNLSTM and CuDNNGRU become LSTM and GRU(reset_after=True), with the same numbers."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.arithmetic import GATES, cudnn_bias, cudnn_kernel, cudnn_recurrent_kernel
from cudnnlint.rewriters.saved.layer_tree import Part, paths
from cudnnlint.rewriters.saved.weights import Box

CUDNN = {"CuDNNLSTM": "LSTM", "CuDNNGRU": "GRU"}

#: What a CuDNN layer computes without saying so, in the words of LSTM and GRU.
_IMPLIED: dict[str, Any] = {
    "unroll": False,
    "activation": "tanh",
    "recurrent_activation": "sigmoid",
    "use_bias": True,
    "dropout": 0.0,
    "recurrent_dropout": 0.0,
    "implementation": 2,
}


def replace_cudnn(root: Part) -> list[str]:
    """Replace every CuDNN layer in the tree; one sentence for each."""
    reported = []
    for path, part in list(paths(root)):
        if part.class_name in CUDNN:
            old = part.class_name
            replace_class(path, part)
            if not part.derived:
                reported.append(f"{path}: {old} is now {CUDNN[old]}, its weights carried over exactly")
    return reported


def replace_class(path: str, part: Part) -> None:
    """Replace one CuDNN layer by the layer that computes the same, weights included."""
    new = CUDNN.get(part.class_name)
    if new is None:
        raise Refused(path, f"{part.class_name} is not a CuDNN layer")
    _convert_weights(path, part, new)
    as_layer(part, reset_after=True)


def as_cudnn(part: Part) -> None:
    """Make the record of an LSTM or GRU that of the CuDNN layer whose weights it has."""
    part.entry["config"] = {name: found for name, found in part.config.items() if name not in _IMPLIED}
    part.entry["class_name"] = f"CuDNN{part.class_name}"


def as_layer(part: Part, reset_after: bool) -> None:
    """Make the record of a CuDNN layer that of the LSTM or GRU whose weights it has."""
    new = CUDNN[part.class_name]
    part.entry["config"] = {**_IMPLIED, **part.config, **({"reset_after": reset_after} if new == "GRU" else {})}
    part.entry["class_name"] = new
    if "module" in part.entry:
        part.entry["module"], part.entry["registered_name"] = "keras.layers", None


def _convert_weights(path: str, part: Part, new: str) -> None:
    gates = GATES[new]
    steps = {"0": cudnn_kernel(gates), "1": cudnn_recurrent_kernel(gates), "2": cudnn_bias(new)}
    box = part.boxes.pop("", None)
    if box is None or set(box.weights) != set(steps):
        if part.twin is None:
            raise Refused(path, part.unread or "the file does not hold the three weights of a CuDNN layer")
        return
    weights = {key: weight.changed(steps[key]) for key, weight in box.weights.items()}
    part.boxes["cell"] = Box(box.source, weights)
