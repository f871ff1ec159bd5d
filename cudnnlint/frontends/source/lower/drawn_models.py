"""The graphs of the models in a source, for pictures: as far as their layers and the tensors between them are known.

A model is left out where it is not certain which layers it has: a branch chooses them, or the user's own code calls
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cudnnlint.core.graph import LayerEdge, LayerNode, MaskWay, ModelGraph, NodeKind
from cudnnlint.core.layer import Layer
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.target import Era
from cudnnlint.frontends.source.keras import graphs, layers, models
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.masks import in_epoch, to_masks
from cudnnlint.frontends.source.keras.sites import Site
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, tensors_in
from cudnnlint.frontends.source.lower import eras, models_refused
from cudnnlint.frontends.source.lower.lower import Lowering
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import Const, Instance, Listing, Tuple, Value, options
from cudnnlint.keras.lattice import Kind, Masks

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Layers of one file that are drawn.
MOST = 2_000


def lowered(run: Interpreter) -> tuple[tuple[Layer, ...], ModelGraph | None]:
    """Return the layers of everything that was seen, and the graphs of the models that have some of them."""
    models_refused.note(run)
    lowering = Lowering(run)
    found = lowering.layers()
    numbers: dict[Site, list[int]] = {}
    for number, layer in enumerate(found):
        numbers.setdefault(lowering.sites[id(layer)], []).append(number)
    drawn = _Drawn(run, found, numbers)
    for model in state_of(run).models:
        drawn.add(model)
    return found, ModelGraph(tuple(drawn.nodes), tuple(drawn.edges)) if drawn.nodes else None


class _Drawn:
    def __init__(self, run: Interpreter, lowered: Sequence[Layer], sites: dict[Site, list[int]]) -> None:
        self.run, self.lowered, self.sites = run, lowered, sites
        self.nodes: list[LayerNode] = []
        self.edges: list[LayerEdge] = []
        self.drawn: set[int] = set()

    def add(self, model: Instance) -> None:
        """Add a model with its layers, if all of them are known and it has a recurrent one that is not drawn yet."""
        chain = _chain(model)
        own = chain if chain is not None else models.layers_of(self.run, model)
        recurrent = {number for layer in own for number in self._numbers(layer)}
        if not recurrent - self.drawn or len(self.nodes) + len(own) > MOST:
            return
        if chain is None and model.table.get(models.OUTPUTS) is None:
            return
        self.drawn |= recurrent
        root = len(self.nodes)
        self.nodes.append(LayerNode(_name(model), _class_name(model), NodeKind.MODEL))
        at = {id(layer.table): self._node(layer, root) for layer in own}
        if chain is not None:
            self._along(chain, at)
        else:
            self._through(model, at, root)

    def _numbers(self, layer: Instance) -> list[int]:
        made = layers.made_of(layer)
        return self.sites.get(made.site, []) if made is not None and made.site is not None else []

    def _node(self, layer: Instance, parent: int) -> int:
        """Add the node of a layer; a wrapper holds the recurrent layers in it."""
        at, numbers = len(self.nodes), self._numbers(layer)
        name, kind = _name(layer), _class_name(layer)
        found = [self.lowered[number] for number in numbers]
        if len(found) == 1 and not found[0].wrappers:
            self.nodes.append(LayerNode(name, kind, NodeKind.RECURRENT, parent, numbers[0], place=_place(found[0])))
            return at
        role = NodeKind.BIDIRECTIONAL if kind == "Bidirectional" else NodeKind.WRAPPER if found else NodeKind.LAYER
        self.nodes.append(LayerNode(name, kind, role, parent))
        for number, one in zip(numbers, found, strict=True):
            inner = one.variants[0].class_name
            shown = one.name or (one.direction.role if one.direction is not None else None)
            self.nodes.append(LayerNode(shown, inner, NodeKind.RECURRENT, at, number, place=_place(one)))
        return at

    def _along(self, chain: Sequence[Instance], at: dict[int, int]) -> None:
        """Connect the layers of a Sequential, each with the next."""
        for one, other in pairwise(chain):
            took = other.table.get(graphs.TOOK)
            tensors = [option for option in options(took) if isinstance(option, Tensor)] if took is not None else []
            self._connect(at[id(one.table)], at[id(other.table)], tensors)

    def _through(self, model: Instance, at: dict[int, int], root: int) -> None:
        """Connect the layers of a functional model by the tensors between them, from its inputs on."""
        inputs = models.inputs_of(self.run, model)
        entering: dict[Source, int] = {}
        for source in sorted(models.sources_of(self.run, model), key=lambda one: _rank(one, at)):
            if source in inputs or not isinstance(source.layer, Instance) or id(source.layer.table) not in at:
                continue
            target = at[id(source.layer.table)]
            taken = [(tensor, number > 0) for number, value in enumerate(source.inputs) for tensor in _tensors([value])]
            taken += [(tensor, True) for _, value in source.keywords for tensor in _tensors([value])]
            for tensor, beside in taken:
                for start in _starts(tensor, at):
                    if start in inputs and start not in entering:
                        entering[start] = len(self.nodes)
                        self.nodes.append(LayerNode(None, "Input", NodeKind.INPUT, root))
                    begins = entering[start] if start in inputs else _place_of(start, at)
                    if begins is not None:
                        self._connect(begins, target, [tensor], beside)

    def _connect(self, source: int, target: int, tensors: Sequence[Tensor], beside: bool = False) -> None:
        edge = LayerEdge(source, target, self._ways(tensors), beside)
        if all((one.source, one.target, one.beside) != (source, target, beside) for one in self.edges[-8:]):
            self.edges.append(edge)

    def _ways(self, tensors: Sequence[Tensor]) -> tuple[MaskWay, ...]:
        if not tensors:
            return (MaskWay("unknown", "the tensor between these layers is not followed"),)
        found: dict[tuple[str, str], list[Era]] = {}
        epochs = state_of(self.run).names.masks.epochs
        for index, epoch in enumerate(epochs):
            for tensor in tensors:
                eras_so = found.setdefault(_said(to_masks(in_epoch(tensor.mask, index))), [])
                eras_so += [epoch.era] if epoch.era not in eras_so else []
        backends = {name for epoch in epochs for name in epoch.era.backends}
        several = len(found) > 1
        return tuple(MaskWay(*said, eras.joined(those, backends) if several else ()) for said, those in found.items())


def _said(masks: Masks) -> tuple[str, str]:
    kinds = {mask.kind for mask in masks.options}
    because = next((f"{mask.because}" for mask in masks.options if mask.because), "")
    return (kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN).value, f"{masks.because}" or because


def _chain(model: Instance) -> list[Instance] | None:
    """Return the layers of a Sequential in their order; None where it is none, or where not all are certain."""
    listing = model.table.get(models.LAYERS)
    contents = containers.contents_of(listing) if isinstance(listing, Listing) else None
    if contents is None or contents.rest is not None:
        return None
    found = [item for item in contents.items if isinstance(item, Instance)]
    certain = all(isinstance(item, (Instance, Tensor)) for item in contents.items)
    return found if certain and len({id(one.table) for one in found}) == len(found) else None


def _starts(tensor: Tensor, at: dict[int, int]) -> Iterator[Source]:
    """Yield the calls of layers, and the inputs, that a tensor comes from: operations between them are passed over."""
    todo: list[Tensor] = [tensor]
    seen: set[Source] = set()
    while todo:
        source = todo.pop().source
        if source is None or source in seen:
            continue
        seen.add(source)
        if not source.inputs or _place_of(source, at) is not None:
            yield source
        else:
            todo += _tensors((*source.inputs, *(value for _, value in source.keywords)))


def _tensors(values: Iterable[Value]) -> list[Tensor]:
    flat = (Tuple(containers.contents_of(value)) if isinstance(value, Listing) else value for value in values)
    return [tensor for value in flat for tensor in tensors_in(value)]


def _place_of(source: Source, at: dict[int, int]) -> int | None:
    return at.get(id(source.layer.table)) if isinstance(source.layer, Instance) else None


def _rank(source: Source, at: dict[int, int]) -> int:
    place = _place_of(source, at)
    return -1 if place is None else place


def _name(layer: Instance) -> str | None:
    made = layers.made_of(layer)
    names = options(made.build.arguments["name"]) if made is not None and "name" in made.build.arguments else ()
    return (
        names[0].value if len(names) == 1 and isinstance(names[0], Const) and isinstance(names[0].value, str) else None
    )


def _class_name(layer: Instance) -> str:
    made = layers.made_of(layer)
    if made is None:
        return "layer"
    build = made.build
    held = build.arguments.get("layer")
    inner = layers.made_of(held) if held is not None and build.class_name == "TimeDistributed" else None
    shown = build.subclass or build.class_name
    return f"{shown}({inner.build.class_name})" if inner is not None and inner.site is None else shown


def _place(layer: Layer) -> SourcePlace | None:
    return layer.place if isinstance(layer.place, SourcePlace) else None
