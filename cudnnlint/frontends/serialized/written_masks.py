"""Masks that reach a layer and that its file does not write, although it writes others.

Keras 3 writes the masks of a functional model as the operations that make them. Where a release hands on a mask that
the one which wrote the file did not, it makes these operations a second time, by the same names, and stops. From 3.10
on a mask that is handed on is in the graph only where a layer is called with one tensor, of its own dtype, and nothing
else: any other call is converted first, and the graph has it as it was.
Source: keras/src/layers/layer.py:Layer.__call__, keras/src/ops/function.py:map_graph (all names should be unique);
files with changed calls, asked of 3.4.1, 3.8.0, 3.9.2, 3.10.0, 3.14.1 and 3.15.1.
"""

from __future__ import annotations

from cudnnlint.core.masking import Epoch
from cudnnlint.frontends.serialized.connections import LayerCall
from cudnnlint.frontends.serialized.saved_layer import is_op
from cudnnlint.frontends.serialized.tree import FUNCTIONAL, Node, Role
from cudnnlint.keras import deep_masks
from cudnnlint.keras.lattice import CallInputs, Dtype

UNWRITTEN = "a mask that the file does not have, beside others that it has"
UNWRITTEN_HEADS = "a mask of a MultiHeadAttention that the file does not have, beside others that it has"
#: What an Embedding and a Masking compare their inputs with.
COMPARES = "NotEqual"
#: The masks that a MultiHeadAttention takes by name in all releases that take one.
OF_HEADS = ("query_mask", "value_mask", "key_mask")


def is_in_graph(epoch: Epoch, site: LayerCall, computes: Dtype) -> bool:
    """Return whether a mask that a release hands to a layer, which computes in a dtype, is in the graph of its call."""
    return epoch.graph_casts or (site.bare and all(ref.dtype in (None, computes.name) for ref in site.first))


def unwritten_mask(model: Node, node: Node, site: LayerCall, given: CallInputs) -> list[str]:
    """Return the kind of stop, in a list, where a mask may reach a layer that the call in the file does not name.

    A model inside another one says nothing of the masks that leave it.
    """
    if not given.inputs or given.first.masks.none or not _writes_masks(model):
        return []
    if node.keras == "MultiHeadAttention":
        written = [name in site.others for name in OF_HEADS]
        return [UNWRITTEN_HEADS] if any(written) and not all(written) else []
    takes = node.role in (Role.RECURRENT, Role.BIDIRECTIONAL)
    return [UNWRITTEN] if takes and site.mask in (None, "none") and not site.others else []


def deep_mask(node: Node, site: LayerCall) -> list[str]:
    """Return the kind of stop, in a list, where a call gives a recurrent layer a mask of three dimensions."""
    if node.role not in (Role.RECURRENT, Role.BIDIRECTIONAL):
        return []
    written = (value for part in (node, *node.children) for key, value in part.written if key == "units")
    units = {value for value in written if isinstance(value, int)}
    kind = deep_masks.stop_at(site.mask_rank, site.mask_last, units)
    return [] if kind is None else [kind]


def _writes_masks(model: Node) -> bool:
    """Return whether a functional model of Keras 3 has the operations of a mask, and no model inside it."""
    plain = model.keras in FUNCTIONAL and not any(child.role in (Role.MODEL, Role.OWN) for child in model.children)
    return plain and any(child.entry.class_name == COMPARES and is_op(child.entry) for child in model.children)
