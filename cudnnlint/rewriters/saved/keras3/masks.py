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
from cudnnlint.core.place import SavedPlace
from cudnnlint.frontends.serialized.trace import Tracer
from cudnnlint.frontends.serialized.tree import Node, grow
from cudnnlint.keras.lattice import Given, Kind, Masks, Tensor
from cudnnlint.keras.masks import effective
from cudnnlint.rewriters.saved.layer_tree import Part, words

Seen = Union[tuple[Hashable, ...], None]

_USERS = words(
    """
    LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D GlobalAveragePooling1D Softmax Attention
    AdditiveAttention MultiHeadAttention TimeDistributed
    """
)


def compare_masks(root: Part, version: str, names: Names) -> list[str]:
    """Refuse the first layer that would see another mask; sentences for what a reader must know.

    `version` is the keras_version of the file.
    """
    tree = grow(root.entry, names)
    places = dict(_places(tree, ()))
    runs = [_Run(tree, names, places, major) for major in (2, 3)]
    for (node, before), (_, after) in zip(runs[0].uses, runs[1].uses, strict=True):
        if before != after:
            raise Refused(places[node].layer_path, "Keras 2 and Keras 3 pass on the masks before it differently")
    reported = []
    if runs[0].outputs != runs[1].outputs:
        reported.append("the masks of the outputs differ: Keras 3 would mask a loss differently")
    for node, masks in runs[1].uses:
        path = places[node].layer_path
        for old in names.masks.once if any(masks) else ():
            if old.of == _matters(node) and old.holds(version):
                said = old.says.format(version=version)
                if not old.converts:
                    raise Refused(path, said)
                reported.append(f"{path}: {said}")
    return reported


class _Run:
    """One generation's call of the model: the masks that each user of one is given, and those of the outputs."""

    def __init__(self, tree: Node, names: Names, places: dict[Node, SavedPlace], major: int) -> None:
        epoch = names.masks.newest(major)
        tracer = Tracer(names, epoch, places)
        made = tracer.call(tree, Given())
        self.outputs = [_seen(tensor.masks) for tensor in made.listed]
        calls = ((node, given) for node, given in tracer.calls if node.keras in _USERS)
        self.uses = [
            (node, (_seen(effective(given, epoch)), *(_seen(other.masks) for other in _besides(given))))
            for node, given in calls
        ]


def _besides(given: Given) -> Iterator[Tensor]:
    yield from given.inputs[1:]
    yield from given.others


def _seen(masks: Masks) -> Seen:
    """Return what a mask is computed from; None for no mask."""
    (mask, *more) = masks.options
    if more or mask.kind is Kind.UNKNOWN:
        return ("not followed", *(option.origin for option in masks.options))
    return None if mask.kind is Kind.NONE else (mask.origin,)


def _places(node: Node, above: tuple[str, ...]) -> Iterator[tuple[Node, SavedPlace]]:
    """Yield every node with its layer path: names from the root, without the root's own."""
    yield node, SavedPlace("", "/".join(above))
    for child in node.children:
        yield from _places(child, (*above, child.name))


def _matters(node: Node) -> str:
    """Return what matters of a user of masks: the `of` of tables/masks.toml."""
    if node.keras == "Bidirectional":
        whole = node.children[0].entry.config.get("return_sequences")
        return "sequences of a Bidirectional" if whole else "last output of a Bidirectional"
    return "attention heads" if node.keras == "MultiHeadAttention" else ""
