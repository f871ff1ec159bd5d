"""The layers in a saved file that have weights, and what keeps releases from loading these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.entry import Entry, held, is_entry
from cudnnlint.frontends.serialized.tree import FUNCTIONAL, Node

#: Classes of Keras that have weights whatever their arguments are.
WEIGHTED = frozenset({
    "BatchNormalization", "Bidirectional", "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D",
    "Conv3DTranspose", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D", "Dense", "DepthwiseConv1D", "DepthwiseConv2D",
    "EinsumDense", "Embedding", "GRU", "GRUCell", "LSTM", "LSTMCell", "LayerNormalization", "MultiHeadAttention",
    "PReLU", "RNN", "SeparableConv1D", "SeparableConv2D", "SimpleRNN", "SimpleRNNCell",
})  # fmt: skip


def shared_apart(nodes: Sequence[Node], names: Names) -> str | None:
    """Return a layer with weights of which the file has a copy that is not known to be the same layer."""
    every = [found for _, found in nodes[0].entry.within]
    times = Counter(found.shared for found in every)
    once = (found for found in every if found.shared is not None and times[found.shared] == 1)
    return next((found.name or found.own_name for found in once if has_weights(found)), None)


def shared_anyhow(nodes: Sequence[Node], names: Names) -> str | None:
    """Return a layer with weights that is in the file more than once; a Bidirectional makes its layers anew."""
    every = [found for _, found in nodes[0].entry.within]
    wrappers = (found for found in every if found.class_name == "Bidirectional")
    anew = {id(part["config"]) for one in wrappers for _, part in held(one) if is_entry(part)}
    times = Counter(found.shared for found in every)
    kept = Counter(found.shared for found in every if id(found.config) not in anew)
    found = (one for one in every if one.shared is not None and (times[one.shared] == 1 or kept[one.shared] > 1))
    return next((one.name or one.own_name for one in found if has_weights(one)), None)


def weighted(nodes: Sequence[Node], names: Names) -> str | None:
    """Return the first layer that has weights."""
    return next((node.name for node in nodes[1:] if not node.children and has_weights(node.entry)), None)


def weighted_functional(nodes: Sequence[Node], names: Names) -> str | None:
    """Return the first layer that has weights, where the model itself is a functional one."""
    return weighted(nodes, names) if nodes[0].keras in FUNCTIONAL else None


def has_weights(entry: Entry) -> bool:
    """Return whether a layer, or one that it holds, has weights that a file must have; those of seeds it need not."""
    inside = [found for _, found in entry.within]
    return any(found.class_name in WEIGHTED for found in inside or [entry])
