"""Masks must reach the same layers in Keras 3 as in Keras 2. Where they do not, numbers differ: refused.

Keras 2 merges masks by "and" and passes over inputs without one; Keras 3 drops the mask if any input has
none, and merges by "or" (tf_keras 2.21 and keras 3.15.1 `base_merge.py`, `concatenate.py`); Identity,
Rescaling and Normalization keep a mask in Keras 3 only. So the lifted model is called once as each generation does
(cudnnlint.keras), and the masks that reach each user of one are compared by what they are computed from.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Union

from cudnnlint.core.errors import Refused
from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.tree import Node
from cudnnlint.keras.lattice import CallInputs, Kind, Masks, TensorTraits
from cudnnlint.keras.masks import effective
from cudnnlint.rewriters.saved.layer_tree import LayerPart, words
from cudnnlint.rewriters.saved.traced import TracedModel

Seen = Union[tuple[Hashable, ...], None]

_USERS = words(
    """
    LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D GlobalAveragePooling1D Softmax Attention
    AdditiveAttention MultiHeadAttention TimeDistributed
    """
)


def compare_masks(root: LayerPart, version: str, names: Names) -> list[str]:
    """Refuse the first layer that would see another mask; sentences for what a reader must know.

    `version` is the keras_version of the file.
    """
    before, after = (_Run(TracedModel(root, names, major)) for major in (2, 3))
    for (node, was), (_, now) in zip(before.uses, after.uses, strict=True):
        if was != now:
            raise Refused(before.path(node), "Keras 2 and Keras 3 pass on the masks before it differently")
    reported = []
    if before.outputs != after.outputs:
        reported.append("the masks of the outputs differ: Keras 3 would mask a loss differently")
    for node, masks in after.uses:
        path = after.path(node)
        for old in names.masks.once if any(masks) else ():
            if old.of == _matters(node) and old.holds(version):
                said = old.says.format(version=version)
                if not old.converts:
                    raise Refused(path, said)
                reported.append(f"{path}: {said}")
    return reported


class _Run:
    """One generation's call of the model: the masks that each user of one is given, and those of the outputs."""

    def __init__(self, traced: TracedModel) -> None:
        self.traced = traced
        self.outputs = [_seen(tensor.masks) for tensor in traced.outputs.listed]
        calls = ((node, given) for node, given in traced.tracer.calls if node.keras in _USERS)
        self.uses = [
            (node, (_seen(effective(given, traced.epoch)), *(_seen(other.masks) for other in _besides(given))))
            for node, given in calls
        ]

    def path(self, node: Node) -> str:
        """Return the layer path of a node."""
        return self.traced.places[node].layer_path


def _besides(given: CallInputs) -> Iterator[TensorTraits]:
    yield from given.inputs[1:]
    yield from given.others


def _seen(masks: Masks) -> Seen:
    """Return what a mask is computed from; None for no mask."""
    (mask, *more) = masks.options
    if more or mask.kind is Kind.UNKNOWN:
        return ("not followed", *(option.origin for option in masks.options))
    return None if mask.kind is Kind.NONE else (mask.origin,)


def _matters(node: Node) -> str:
    """Return what matters of a user of masks: the `of` of tables/masks.toml."""
    if node.keras == "Bidirectional":
        whole = node.children[0].entry.config.get("return_sequences")
        return "sequences of a Bidirectional" if whole else "last output of a Bidirectional"
    return "attention heads" if node.keras == "MultiHeadAttention" else ""
