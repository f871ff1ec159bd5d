"""Finds the name of a layer in what TensorFlow and Keras print about an error: graph nodes and call sites."""

from __future__ import annotations

import re

_NODE = re.compile(r"\{\{node (?P<node>[^\s{}]+?)\}\}|(?:\[\[(?:Node: )?|used by node )(?P<bare>[^\s{}\[\]]+)")
_BEFORE = re.compile(
    r"Exception encountered when calling (?:layer )?['\"](?P<layer>[^'\"]+)['\"]"
    r"|^\s*Node: ['\"](?P<node>[^'\"]+)['\"]|Detected at node ['\"]?(?P<at>[\w./]+)"
)
_LAYERS_NODE = re.compile(r"Cudnn|PartitionedCall|Assert|lstm|gru|rnn|bidirectional", re.IGNORECASE)
#: Parts of a node's path that are no layer: what control flow, tf.function, gradients and Keras's own loop add.
_NO_LAYER = re.compile(
    r"(?:cond|then|else|while|body|case|branch|gradients?|gradient_tape|training|loss|metrics|cudnn_rnn|concat|split"
    r"|strided_slice|transpose|zeros|zeros_like|add|mul|sub|stack|unstack|expand_dims|reshape|squeeze|assert\w*"
    r"|save|saver|switch|switch_[tf]|pred_id|kernel|recurrent_kernel|bias|\w+_grad|\w*_?loss|\w*_crossentropy|weighted_loss)(?:_\d+)?|[A-Z_]\w*|\d+"
)
#: A scope of this kind is a model and no layer, unless nothing else is there.
_MODEL = re.compile(r"(?:model|sequential|functional)(?:_\d+)?")


def node_layers(text: str) -> tuple[str, ...]:
    """Return the layers in the path of the first graph node in `text` that belongs to a layer, or none."""
    for match in _NODE.finditer(text):
        if path := layers_in(match["node"] or match["bare"]):
            return path
    return ()


def spoken_layers(text: str) -> tuple[str, ...]:
    """Return the layers that a line names before the message of an error comes."""
    match = _BEFORE.search(text)
    if match is None:
        return ()
    return (match["layer"],) if match["layer"] else layers_in(match["node"] or match["at"])


def layers_in(node: str) -> tuple[str, ...]:
    """Return the layers in a graph node's path ("model/lstm_1/CudnnRNNV3"); none if it is not a layer's node."""
    if not _LAYERS_NODE.search(node):
        return ()
    path = tuple(part for part in node.split("/") if not _NO_LAYER.fullmatch(part))
    return () if path and _MODEL.fullmatch(path[-1]) else path
