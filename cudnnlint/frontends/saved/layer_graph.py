"""The graph of a saved model for its picture: its nodes out of the tree, its edges out of the calls that were traced.

A model without a recurrent layer is one node, whatever it contains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudnnlint.core.graph import LayerEdge, LayerNode, MaskWay, ModelGraph, NodeKind
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Era
from cudnnlint.frontends.serialized.trace import Tracer
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.keras.lattice import CallInputs, Kind, Masks, TensorTraits
from cudnnlint.keras.masks import effective

KINDS = {
    Role.RECURRENT: NodeKind.RECURRENT,
    Role.BIDIRECTIONAL: NodeKind.BIDIRECTIONAL,
    Role.TIME_DISTRIBUTED: NodeKind.WRAPPER,
    Role.MODEL: NodeKind.MODEL,
    Role.KERAS: NodeKind.LAYER,
    Role.OWN: NodeKind.OWN,
}
#: Source, target, and whether the tensors are beside the first argument.
Ends = tuple[int, int, bool]


@dataclass(frozen=True)
class _Passed:
    """The mask that one call hands from a node to another in some releases."""

    mask: str
    because: str


def graph(root: Node, places: Sequence[SavedPlace], traces: Sequence[tuple[Era, Tracer]]) -> ModelGraph | None:
    """Return the graph of the model `root`, whose recurrent layers are at `places`, in the order of the tree."""
    if not places:
        return None
    nodes = _Nodes(places)
    nodes.add(root, None)
    found: dict[Ends, list[tuple[Era, _Passed]]] = {}
    for era, tracer in traces:
        for ends, passed in nodes.connected(tracer):
            found.setdefault(ends, []).append((era, passed))
    edges = (LayerEdge(*ends[:2], _ways(ways, len(traces)), ends[2]) for ends, ways in found.items())
    return ModelGraph(tuple(nodes.made), tuple(edges))


class _Nodes:
    """Makes the nodes, and knows which is whose."""

    def __init__(self, places: Sequence[SavedPlace]) -> None:
        self.places, self.found = places, 0
        self.made: list[LayerNode] = []
        self.at: dict[Node, int] = {}
        self.parents: dict[Node, Node] = {}
        self.recurrent: dict[Node, bool] = {}

    def add(self, node: Node, parent: int | None) -> None:
        """Add a node with all that it contains."""
        at = self.at[node] = len(self.made)
        name = node.entry.own_name if node.own else node.keras or node.entry.own_name
        if not self._holds(node):
            kind = NodeKind.INPUT if name == "InputLayer" else KINDS[node.role]
            self._leaf(node, _spelled(node, name), kind, parent)
            return
        if node.role is Role.RECURRENT:
            self._layer(name, parent)
            return
        self.made.append(LayerNode(node.entry.name, name, _kind(node), parent))
        if node.role is Role.BIDIRECTIONAL and all(child.role is Role.RECURRENT for child in node.children):
            for child in (node.children[0], node.children[-1]):
                self._layer(child.keras or child.entry.own_name, at)
            return
        for child in node.children:
            self.parents[child] = node
            self.add(child, at)

    def _leaf(self, node: Node, name: str, kind: NodeKind, parent: int | None) -> None:
        inside = sum(not part.children for part in node.walk()) if node.role is Role.MODEL else 0
        self.made.append(LayerNode(node.entry.name, name, kind, parent, holds=inside))
        for part in node.walk():
            self.parents.update((child, part) for child in part.children)

    def _layer(self, class_name: str, parent: int | None) -> None:
        name = self.places[self.found].layer_path.rpartition("/")[2]
        self.made.append(LayerNode(name, class_name, NodeKind.RECURRENT, parent, self.found))
        self.found += 1

    def _holds(self, node: Node) -> bool:
        """Return whether it is, or contains, a recurrent layer."""
        if node not in self.recurrent:
            own = node.role in (Role.RECURRENT, Role.BIDIRECTIONAL)
            inside = [self._holds(child) for child in node.children]
            self.recurrent[node] = own or any(inside)
        return self.recurrent[node]

    def connected(self, tracer: Tracer) -> Iterator[tuple[Ends, _Passed]]:
        """Yield the two ends of every tensor that a call takes, with its mask."""
        for node, given in tracer.calls:
            if node not in self.at:
                continue
            for tensor, masks, beside in _taken(node, given, tracer):
                source = self._beside(node, tracer, tensor)
                if source is not None:
                    yield (source, self.at[node], beside), _passed(masks)

    def _beside(self, node: Node, tracer: Tracer, tensor: TensorTraits) -> int | None:
        """Return the node with the same parent that a tensor comes out of; None where it comes from outside."""
        if not isinstance(tensor.origin, tuple):
            return None
        source: Node | None = tracer.calls[tensor.origin[0]][0]
        parent = self.parents.get(node)
        while source is not None and self.parents.get(source) is not parent:
            source = self.parents.get(source)
        return self.at.get(source) if source is not None else None


def _taken(node: Node, given: CallInputs, tracer: Tracer) -> Iterator[tuple[TensorTraits, Masks, bool]]:
    """Yield the tensors of a call with their masks, and whether each is beside the first argument."""
    for number, tensor in enumerate(given.inputs):
        states = number > 0 and node.role in (Role.RECURRENT, Role.BIDIRECTIONAL)
        passed = number == 0 and given.passed
        yield tensor, effective(given, tracer.epoch) if passed else tensor.masks, states
    for tensor in given.others:
        yield tensor, tensor.masks, True


def _passed(masks: Masks) -> _Passed:
    kinds = {mask.kind for mask in masks.options}
    because = "; ".join(dict.fromkeys(f"{mask.because}" for mask in masks.options if mask.because))
    kind = kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN
    return _Passed(kind.value, f"{masks.because}" or because)


def _ways(found: Sequence[tuple[Era, _Passed]], traces: int) -> tuple[MaskWay, ...]:
    """Return the masks of an edge, each with the releases that have it."""
    eras: dict[_Passed, dict[Era, None]] = {}
    for era, passed in found:
        eras.setdefault(passed, {})[era] = None
    everywhere = len(eras) == 1 and len(next(iter(eras.values()))) == traces
    return tuple(MaskWay(one.mask, one.because, () if everywhere else tuple(when)) for one, when in eras.items())


def _kind(node: Node) -> NodeKind:
    wraps = node.role is Role.OWN and any(child.key == "layer" for child in node.children)
    return NodeKind.WRAPPER if wraps else KINDS[node.role]


def _spelled(node: Node, name: str) -> str:
    """Return the class, with the class inside of a wrapper: "TimeDistributed(Dense)"."""
    if node.role is not Role.TIME_DISTRIBUTED:
        return name
    inner = node.children[0]
    return f"{name}({inner.keras or inner.entry.own_name})"
