"""CuDNNLSTM and CuDNNGRU become LSTM and GRU(reset_after=True), with the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.arithmetic import GATES, cudnn_bias, cudnn_kernel, cudnn_recurrent_kernel
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths
from cudnnlint.rewriters.saved.weights import WeightGroup

CUDNN = {"CuDNNLSTM": "LSTM", "CuDNNGRU": "GRU"}

#: Arguments of LSTM and GRU that a CuDNN layer does not have: it computes what their defaults say.
_IMPLIED = (
    "unroll", "activation", "recurrent_activation", "use_bias", "dropout", "recurrent_dropout", "implementation",
)  # fmt: skip


def replace_cudnn(root: LayerPart, left_out: Mapping[str, Any]) -> list[str]:
    """Replace every CuDNN layer in the tree; one sentence for each."""
    reported = []
    for path, part in list(paths(root)):
        if part.class_name in CUDNN:
            old = part.class_name
            replace_class(path, part, left_out)
            if not part.derived:
                reported.append(f"{path}: {old} is now {CUDNN[old]}, its weights carried over exactly")
    return reported


def replace_class(path: str, part: LayerPart, left_out: Mapping[str, Any]) -> None:
    """Replace one CuDNN layer by the layer that computes the same, weights included.

    `left_out` is what an argument is that is not written.
    """
    new = CUDNN.get(part.class_name)
    if new is None:
        raise Refused(path, f"{part.class_name} is not a CuDNN layer")
    _convert_weights(path, part, new)
    as_layer(part, left_out, reset_after=True)


def as_cudnn(part: LayerPart) -> None:
    """Make the record of an LSTM or GRU that of the CuDNN layer whose weights it has."""
    part.record["config"] = {name: found for name, found in part.config.items() if name not in _IMPLIED}
    part.record["class_name"] = f"CuDNN{part.class_name}"


def as_layer(part: LayerPart, left_out: Mapping[str, Any], reset_after: bool) -> None:
    """Make the record of a CuDNN layer that of the LSTM or GRU whose weights it has.

    `left_out` is what an argument is that is not written.
    """
    new = CUDNN[part.class_name]
    after = {"reset_after": reset_after} if new == "GRU" else {}
    part.record["config"] = {**{name: left_out[name] for name in _IMPLIED}, **part.config, **after}
    part.record["class_name"] = new
    if "module" in part.record:
        part.record["module"], part.record["registered_name"] = "keras.layers", None


def _convert_weights(path: str, part: LayerPart, new: str) -> None:
    gates = GATES[new]
    steps = {"0": cudnn_kernel(gates), "1": cudnn_recurrent_kernel(gates), "2": cudnn_bias(new)}
    group = part.groups.pop("", None)
    if group is None or set(group.weights) != set(steps):
        if part.twin is None:
            raise Refused(path, part.unread or "the file does not hold the three weights of a CuDNN layer")
        return
    weights = {key: weight.changed(steps[key]) for key, weight in group.weights.items()}
    part.groups["cell"] = WeightGroup(group.source, weights)
