"""The layers of a model and how they are connected, for a picture: plain data, from which no verdict is taken."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.target import Era, Point


class NodeKind(str, Enum):
    """What a node is; the values are those of the `report` format."""

    MODEL = "model"
    BIDIRECTIONAL = "bidirectional"
    WRAPPER = "wrapper"
    RECURRENT = "recurrent"
    INPUT = "input"
    LAYER = "layer"
    OWN = "own"


@dataclass(frozen=True)
class LayerNode:
    """A layer, or a model or wrapper that contains the nodes of which it is the `parent`.

    `parent` is a place in the graph's nodes, `layer` one in the layers of the file (recurrent ones alone). `holds` is
    how many layers it contains that are no nodes, because none of them is recurrent. `place` is None for saved models.
    """

    name: str | None
    class_name: str
    kind: NodeKind
    parent: int | None = None
    layer: int | None = None
    holds: int = 0
    place: SourcePlace | None = None


@dataclass(frozen=True)
class MaskWay:
    """The mask of the tensors of an edge, as the fact "mask" has it, or "unknown"; `because` says why.

    `when` are the releases in which it is so; empty: in all of them.
    """

    mask: str
    because: str = ""
    when: tuple[Era, ...] = ()

    def holds(self, point: Point) -> bool:
        """Return whether it is so in a release."""
        return not self.when or any(era.holds(point) for era in self.when)


@dataclass(frozen=True)
class LayerEdge:
    """Tensors on their way from one node to another with the same parent; the ends are places in the graph's nodes.

    `beside` where they are no first argument: an initial state, say.
    """

    source: int
    target: int
    ways: tuple[MaskWay, ...]
    beside: bool = False

    @property
    def mask(self) -> str:
        """The mask, or "varies" where releases, or calls, differ."""
        found = {way.mask for way in self.ways}
        return found.pop() if len(found) == 1 else "varies"

    @property
    def because(self) -> str:
        """Why the mask is unknown, or assumed; empty where nothing is to be said."""
        return "; ".join(dict.fromkeys(way.because for way in self.ways if way.because))


@dataclass(frozen=True)
class ModelGraph:
    """Nodes, each behind its parent, and edges, both in the order of the file. Several nodes may have no parent."""

    nodes: tuple[LayerNode, ...]
    edges: tuple[LayerEdge, ...] = ()

    def at(self, points: Iterable[Point]) -> ModelGraph:
        """Return the graph with the ways that hold in some of these releases."""
        here = tuple(points)
        return replace(self, edges=tuple(replace(edge, ways=_held(edge.ways, here)) for edge in self.edges))

    def numbered(self, layers: dict[int, int]) -> ModelGraph:
        """Return the graph with other numbers for its layers; one without a number is no layer of the report."""
        nodes = (node if node.layer is None else replace(node, layer=layers.get(node.layer)) for node in self.nodes)
        return replace(self, nodes=tuple(nodes))


def _held(ways: tuple[MaskWay, ...], points: tuple[Point, ...]) -> tuple[MaskWay, ...]:
    found = (replace(way, when=()) for way in ways if any(way.holds(point) for point in points))
    return tuple(dict.fromkeys(found)) or ways
