"""Masks must reach the same layers in Keras 3 as in Keras 2. Where they would not, they are carried, or it is refused.

Keras 2 merges masks by "and" and passes over inputs without one; Keras 3 drops the mask if any input has
none, and merges by "or" (tf_keras 2.21 and keras 3.15.1 `base_merge.py`, `concatenate.py`); Identity,
Rescaling and Normalization keep a mask in Keras 3 only, and Keras 3 hides it from a layer that is called with states.
So the lifted model is called once as each generation does (cudnnlint.keras), and the masks that reach each user of
one are compared by what they are computed from.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Union

from cudnnlint.core.errors import Refused
from cudnnlint.core.masking import Epoch
from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.keras.lattice import CallInputs, Kind, Masks
from cudnnlint.keras.masks import JOINED, MERGED, arriving, effective
from cudnnlint.rewriters.saved.keras3.carried_masks import DIFFERS, Carrier
from cudnnlint.rewriters.saved.layer_tree import LayerPart, words
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rewriters.saved.traced import TracedModel

Seen = Union[tuple[Hashable, ...], None]
NOT_FOLLOWED = "not followed"
#: Axes of a Concatenate along which tensors of rank 3 have their steps, or their features.
_STEPS_OR_FEATURES = (1, -2, 2, -1)

_USERS = words(
    """
    LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D GlobalAveragePooling1D Softmax Attention
    AdditiveAttention MultiHeadAttention TimeDistributed
    """
)


def settle_masks(root: LayerPart, version: str, names: Names, summary: Summary) -> None:
    """Give every layer the mask that it had, or refuse the first that would see another one; report what must be known.

    `version` is the keras_version of the file.
    """
    before, after = (_Run(TracedModel(root, names, major)) for major in (2, 3))
    carrier, given = Carrier(root, before.calls), set[str]()
    while unlike := [path for path, was in before.uses.items() if path not in given and was != after.uses[path]]:
        for path in unlike:
            was, now = before.uses[path][0], after.uses[path][0]
            if any(NOT_FOLLOWED in (mask or ()) for mask in (*was, *now)):
                raise Refused(path, DIFFERS)
            wanted, given_now = ([None if mask is None else mask[0] for mask in masks] for masks in (was, now))
            summary.changes.append(carrier.settle(path, wanted, given_now))
            given.add(path)
        after = _Run(TracedModel(root, names, 3))
    if before.outputs != after.outputs:
        summary.warnings.append("the masks of the outputs differ: Keras 3 would mask a loss differently")
    for path, calls in before.uses.items():
        for old in names.masks.once if any(map(any, calls)) else ():
            if old.of == _matters(before.nodes[path]) and old.holds(version):
                said = old.says.format(version=version)
                if not old.converts:
                    raise Refused(path, said)
                summary.warnings.append(f"{path}: {said}")


class _Run:
    """One generation's call of the model: the masks that each user of one is given, and those of the outputs."""

    def __init__(self, traced: TracedModel) -> None:
        self.traced = traced
        self.by_steps = all(
            node.entry.config.get("axis", -1) in _STEPS_OR_FEATURES
            for node in traced.tree.walk()
            if node.keras == "Concatenate"
        )
        self.calls = [traced.places[node].layer_path for node, _ in traced.tracer.calls]
        self.outputs = [self._seen(tensor.masks) for tensor in traced.outputs.listed]
        self.nodes: dict[str, Node] = {}
        self.uses: dict[str, list[tuple[Seen, ...]]] = {}
        for path, (node, given) in zip(self.calls, traced.tracer.calls, strict=True):
            if _uses_masks(node):
                masks = _reaching(node, given, traced.epoch)
                self.nodes[path] = node
                self.uses.setdefault(path, []).append(tuple(map(self._seen, masks)))

    def _seen(self, masks: Masks) -> Seen:
        """Return what a mask is computed from; None for no mask."""
        (mask, *more) = masks.options
        if more or mask.kind is Kind.UNKNOWN:
            return (NOT_FOLLOWED, *(self._stable(option.origin) for option in masks.options))
        return None if mask.kind is Kind.NONE else (self._stable(mask.origin),)

    def _stable(self, origin: Any) -> Hashable:
        """Return an origin with the tensors in it by their layers: the numbers of calls differ from run to run."""
        if not isinstance(origin, tuple):
            return None
        kind, *rest = origin
        if kind in ("Embedding", "Masking") and isinstance(rest[1], tuple):
            number, index = rest[1]
            return (kind, rest[0], (self.calls[number], self.calls[:number].count(self.calls[number]), index))
        if kind in (MERGED, JOINED):
            inner = tuple(map(self._stable, rest[1:]))
            same = kind == JOINED and self.by_steps and None not in inner
            return (kind, "both" if same else rest[0], *inner)  # both put masks of all inputs one behind the other
        return (kind, self._stable(rest[0])) if kind == "step" else origin


def _uses_masks(node: Node) -> bool:
    """Return whether what a layer computes depends on its mask; a wrapper hands it to the layer inside."""
    if node.keras == "TimeDistributed" and not node.children[0].own:
        inner = node.children[0]
        return inner.role is Role.MODEL or _uses_masks(inner)
    return node.keras in _USERS


def _reaching(node: Node, given: CallInputs, epoch: Epoch) -> tuple[Masks, ...]:
    """Return the masks of the inputs of a call. Keras 3 hides that of the first from a layer called with states.

    What states carry is no matter: a recurrent layer looks at the mask of its sequence alone, in both.
    """
    if node.role in (Role.RECURRENT, Role.BIDIRECTIONAL):
        return (arriving(given, epoch),)
    return (effective(given, epoch), *(other.masks for other in (*given.inputs[1:], *given.others)))


def _matters(node: Node) -> str:
    """Return what matters of a user of masks: the `of` of tables/masks.toml."""
    if node.keras == "Bidirectional":
        whole = node.children[0].entry.config.get("return_sequences")
        return "sequences of a Bidirectional" if whole else "last output of a Bidirectional"
    return "attention heads" if node.keras == "MultiHeadAttention" else ""
