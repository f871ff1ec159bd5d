"""A model read as the front end reads it, and called once as one generation of Keras calls it."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.frontends.serialized.outputs import Arrival, Outputs
from cudnnlint.frontends.serialized.trace import Tracer
from cudnnlint.frontends.serialized.tree import Node, grow
from cudnnlint.keras.lattice import CallInputs
from cudnnlint.rewriters.saved.layer_tree import LayerPart


class TracedModel:
    """One call of a model. `places` are the layer paths of its nodes, `outputs` what the call gives."""

    def __init__(self, root: LayerPart, names: Names, major: int) -> None:
        self.tree = grow(root.record, names)
        self.epoch = names.masks.newest(major)
        self.places = dict(_places(self.tree, ()))
        self.tracer = Tracer(names, self.epoch, self.places)
        self.outputs: Outputs = self.tracer.call(self.tree, CallInputs())

    def arrivals(self, part: LayerPart) -> list[Arrival]:
        """Return what reaches a recurrent layer in each of its calls."""
        node = next((node for node in self.tree.walk() if node.entry.config is part.config), None)
        return self.tracer.seen.get(node, []) if node is not None else []


def _places(node: Node, above: tuple[str, ...]) -> Iterator[tuple[Node, SavedPlace]]:
    """Yield every node with its layer path: names from the root, without the root's own."""
    yield node, SavedPlace("", "/".join(above))
    for child in node.children:
        yield from _places(child, (*above, child.name))
