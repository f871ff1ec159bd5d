"""The boxes of a drawing, out of a model's graph: what each shows, what it contains, and how they are connected.

In a large model layers in a row that fare alike are one box, and one that cannot be drawn even so has no drawing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from cudnnlint.core.graph import LayerEdge, LayerNode, ModelGraph, NodeKind
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.core.text import plural
from cudnnlint.core.verdict import WORST_FIRST, Verdict
from cudnnlint.reporters.page.decisive import failed

SMALL, MOST = 40, 400  # boxes: of a drawing that shows every layer, and of any
SHORTEST = 3  # layers in a row that become one box
CLASSES = 3  # named in a box that stands for several layers


@dataclass
class Box:
    """A layer, several in a row (`count`), or a container with `inside` and its `links`, by places in `inside`.

    `fails` are the requirements that failed, and `layer` is the layer of the report that it shows.
    """

    title: str
    subtitle: str
    kind: NodeKind
    verdict: Verdict | None = None
    fails: tuple[str, ...] = ()
    layer: LayerReport | None = None
    count: int = 1
    inside: list[Box] = field(default_factory=list)
    links: list[LayerEdge] = field(default_factory=list)


Joins = Callable[[Box, Box], bool]


def scenes(graph: ModelGraph, file: FileReport) -> list[Box] | None:
    """Return one box for each model of a file; None where that would be too many boxes to look at."""
    builder = _Builder(graph, file)
    for joins in (None, _plain, _alike):
        roots = [builder.box(at, joins) for at, node in enumerate(graph.nodes) if node.parent is None]
        count = sum(map(_count, roots))
        if count <= SMALL or (joins is not None and count <= MOST):
            return roots
    return None


def _count(box: Box) -> int:
    return 1 + sum(map(_count, box.inside))


def _plain(one: Box, other: Box) -> bool:
    """Return whether two layers in a row may be one box: both are leaves, and neither is recurrent."""
    return not (one.inside or other.inside or one.verdict or other.verdict) and one.kind is other.kind


def _alike(one: Box, other: Box) -> bool:
    """Return whether two layers in a row may be one box: what a GPU does with them, and why, is the same."""
    if one.inside or other.inside or NodeKind.INPUT in (one.kind, other.kind):
        return False
    return None in (one.verdict, other.verdict) or (one.verdict, one.fails) == (other.verdict, other.fails)


class _Builder:
    def __init__(self, graph: ModelGraph, file: FileReport) -> None:
        self.nodes, self.file = graph.nodes, file
        self.children: dict[int, list[int]] = {}
        self.edges: dict[int, list[LayerEdge]] = {}
        for at, node in enumerate(graph.nodes):
            if node.parent is not None:
                self.children.setdefault(node.parent, []).append(at)
        for edge in graph.edges:
            parent = graph.nodes[edge.source].parent
            if parent is not None:
                self.edges.setdefault(parent, []).append(edge)

    def box(self, at: int, joins: Joins | None) -> Box:
        """Return the box of a node, with what is in it."""
        node = self.nodes[at]
        made = _leaf(node, self.file)
        own = self.children.get(at, [])
        if own:
            places = {child: place for place, child in enumerate(own)}
            made.inside = [self.box(child, joins) for child in own]
            made.links = [
                LayerEdge(places[edge.source], places[edge.target], edge.ways, edge.beside)
                for edge in self.edges.get(at, [])
            ]
            if joins is not None:
                _join(made, joins)
        return made


def _leaf(node: LayerNode, file: FileReport) -> Box:
    held = f" · {plural(node.holds, 'layer')}" if node.holds else ""
    title, subtitle = (node.name, node.class_name) if node.name else (node.class_name, "")
    layer = file.layers[node.layer] if node.layer is not None else None
    if layer is None:
        return Box(title, subtitle + held, node.kind)
    named = layer.name or node.name  # in a Bidirectional layer with the prefix that the target gives
    title, subtitle = (named, node.class_name) if named else (node.class_name, "")
    return Box(title, subtitle, node.kind, layer.worst, failed(layer), layer)


def _join(box: Box, joins: Joins) -> None:
    """Make one box of each run of boxes that only lead to each other, with one mask all the way."""
    following = _following(box)
    entered = set(following.values())
    runs: list[list[int]] = []
    for at in range(len(box.inside)):
        if at not in entered:
            runs += _cut(_chain(at, following), box.inside, joins)
    reached = {at for run in runs for at in run}
    runs += [[at] for at in range(len(box.inside)) if at not in reached]  # circles
    runs = sorted(one for run in runs for one in ([run] if len(run) >= SHORTEST else [[at] for at in run]))
    places = {at: place for place, run in enumerate(runs) for at in run}
    box.inside = [_one([box.inside[at] for at in run]) for run in runs]
    links = (LayerEdge(places[link.source], places[link.target], link.ways, link.beside) for link in box.links)
    box.links = [link for link in links if link.source != link.target]


def _following(box: Box) -> dict[int, int]:
    """Return the box that follows each box, where both lead to each other alone and the mask does not change."""
    after: dict[int, list[LayerEdge]] = {}
    before: dict[int, list[LayerEdge]] = {}
    for link in box.links:
        after.setdefault(link.source, []).append(link)
        before.setdefault(link.target, []).append(link)
    found = {}
    for at, (link, *more) in after.items():
        steady = {one.mask for one in before.get(at, [link])} == {link.mask}
        if not more and steady and not link.beside and len(before[link.target]) == 1 and link.target != at:
            found[at] = link.target
    return found


def _chain(start: int, following: dict[int, int]) -> Iterator[int]:
    at: int | None = start
    while at is not None:
        yield at
        at = following.get(at)


def _cut(chain: Iterator[int], boxes: Sequence[Box], joins: Joins) -> Iterator[list[int]]:
    """Yield the runs of a chain, in each of which every box may be joined with those before it."""
    run: list[int] = []
    leader: Box | None = None
    for at in chain:
        box = boxes[at]
        if leader is None or not joins(leader, box):
            if run:
                yield run
            run, leader = [], box
        run.append(at)
        leader = box if leader.verdict is None else leader
    if run:
        yield run


def _one(boxes: Sequence[Box]) -> Box:
    """Return one box for a run; its title counts the layers, and its subtitle names their classes."""
    if len(boxes) == 1:
        return boxes[0]
    classes = Counter(box.subtitle or box.title for box in boxes)
    named = [f"{name} × {count}" if count > 1 else name for name, count in classes.most_common(CLASSES)]
    more = [f"{len(classes) - CLASSES} more"] if len(classes) > CLASSES else []
    found = [box for box in boxes if box.verdict is not None]
    worst = next((verdict for verdict in WORST_FIRST if any(box.verdict is verdict for box in found)), None)
    title, fails = plural(len(boxes), "layer"), found[0].fails if found else ()
    return Box(title, ", ".join([*named, *more]), boxes[0].kind, worst, fails, count=len(boxes))
