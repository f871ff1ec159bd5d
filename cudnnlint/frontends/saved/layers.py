"""Assembles the layers of the report out of a tree: their names and paths, wrappers, constructions and calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cudnnlint.core.fact import Fact, Known, alternatives, same
from cudnnlint.core.graph import ModelGraph
from cudnnlint.core.layer import Call, Construction, Layer, Wrapper
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.target import Era
from cudnnlint.frontends.saved.arrivals import facts
from cudnnlint.frontends.saved.layer_graph import graph
from cudnnlint.frontends.saved.lower import compute_dtype, construct, lower
from cudnnlint.frontends.serialized.outputs import Arrival
from cudnnlint.frontends.serialized.trace import Tracer
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.keras.lattice import CallInputs
from cudnnlint.keras.naming import direction_name

IDENTITY = frozenset({"name", "go_backwards", "shared_object_id"})
HELD = frozenset({"layer", "backward_layer"})  # keys of a wrapper that are layers, not settings


@dataclass(frozen=True)
class _Found:
    """A recurrent layer, before its calls are known. `node` is where its calls are recorded."""

    node: Node
    name: str | None
    place: SavedPlace
    made: Construction
    wrappers: tuple[Wrapper, ...]
    parents: tuple[str, ...]


def assemble(
    root: Node, path: str, names: Names, major: int | None, model: Mapping[str, Fact], doubt: str | None
) -> tuple[tuple[Layer, ...], ModelGraph | None]:
    """Return every recurrent layer in the tree, and its graph; `model` is the execution context of the whole model.

    `doubt` is what is not known to load in the other generation of Keras than the one that wrote it, `major`.
    """
    finder = _Finder(path, names, major)
    finder.visit(root, (), (), outermost=root.role in (Role.MODEL, Role.OWN))
    traces: list[tuple[Era, Tracer]] = []
    loaders = [epoch for epoch in names.masks.epochs if doubt is None or major in (None, epoch.major)]
    for epoch in reversed(loaders):
        tracer = Tracer(names, epoch, finder.places)
        tracer.call(root, CallInputs())
        traces.append((epoch.era, tracer))
        if not tracer.masked and not tracer.whole:
            break  # releases differ in how they handle masks and casts, and there are none
    lone = root.role in (Role.RECURRENT, Role.BIDIRECTIONAL)  # a layer by itself: no code calls it
    layers = tuple(_layer(found, [] if lone else traces, model) for found in finder.found)
    return layers, graph(root, [found.place for found in finder.found], traces)


class _Finder:
    """Walks a tree, naming every node and collecting the recurrent layers."""

    def __init__(self, path: str, names: Names, major: int | None) -> None:
        self.path, self.names, self.major = path, names, major
        self.places: dict[Node, SavedPlace] = {}
        self.found: list[_Found] = []

    def visit(
        self, node: Node, parents: tuple[str, ...], wrappers: tuple[Wrapper, ...], outermost: bool = False
    ) -> None:
        """Visit one node; `wrappers` are those that contain it, the innermost first."""
        here = parents if outermost else (*parents, node.name)
        self.places[node] = SavedPlace(self.path, "/".join(here))
        if node.role is Role.RECURRENT:
            self._collect(node, parents, wrappers, node.name)
        elif node.role is Role.BIDIRECTIONAL and all(child.role is Role.RECURRENT for child in node.children):
            self._directions(node, here, wrappers)
        else:
            for child in node.children:
                self.visit(child, here, (*self._wrapper(node, child), *wrappers))

    def _wrapper(self, node: Node, child: Node) -> tuple[Wrapper, ...]:
        if child.key not in HELD:
            return ()
        kind = node.entry.own_name if node.own else node.keras or node.entry.own_name
        return (Wrapper(kind, arguments=self._settings(node)),)

    def _settings(self, node: Node) -> dict[str, Fact]:
        place, config = self.places[node], node.entry.config
        return {
            key: lower(key, value, replace(place, key=key), self.names)
            for key, value in config.items()
            if key not in HELD
        }

    def _collect(self, node: Node, parents: tuple[str, ...], wrappers: tuple[Wrapper, ...], name: str) -> None:
        place = SavedPlace(self.path, "/".join((*parents, name)))
        self.places[node] = place
        made = construct(node, place, self.names)
        self.found.append(_Found(node, node.entry.name, place, made, wrappers, parents))

    def _directions(self, node: Node, here: tuple[str, ...], outer: tuple[Wrapper, ...]) -> None:
        """Collect the two layers of a Bidirectional.

        Without a written backward layer it is the forward one, reversed.
        """
        forward, backward = node.children[0], node.children[-1]
        explicit = forward is not backward
        both = Wrapper("Bidirectional", explicit=explicit, arguments=self._settings(node))
        ways = (replace(both, role="forward"), replace(both, role="backward", derived=_derived(forward, backward)))
        start = len(self.found)
        for child, way in zip((forward, backward), ways, strict=True):
            self._collect(child, here, (way, *outer), self._direction_name(way, child))
        one, two = self.found[start:]
        if not explicit:
            two = replace(two, made=self._turned(two.made))
            self.places[forward] = one.place
        self.found[start:] = [
            replace(one, wrappers=(replace(ways[0], sibling=two.made), *outer)),
            replace(two, wrappers=(replace(ways[1], sibling=one.made), *outer)),
        ]

    def _direction_name(self, way: Wrapper, child: Node) -> str:
        return direction_name(self.major or (3 if way.explicit else 2), way, child.name)

    def _turned(self, made: Construction) -> Construction:
        """Return the construction with go_backwards reversed; Keras 3 sets it, Keras 2 flips it."""
        place = made.place if isinstance(made.place, SavedPlace) else SavedPlace(self.path, "")
        flipped = self.major == 3 or not getattr(made.argument("go_backwards"), "value", False)
        arguments = {**made.arguments, "go_backwards": Known(flipped, replace(place, key="go_backwards"))}
        return replace(made, arguments=arguments)


def _derived(forward: Node, backward: Node) -> bool:
    """Return whether the backward layer is what Keras would make of the forward one.

    Keras 3 writes the backward layer in any case.
    """
    if forward is backward:
        return True
    one, two = forward.entry, backward.entry
    alike = one.class_name == two.class_name and _bare(one.config) == _bare(two.config)
    return alike and one.config.get("go_backwards") is False and two.config.get("go_backwards") is True


def _bare(value: Any) -> Any:
    """Return a configuration without the keys that identify the layer or object."""
    if isinstance(value, dict):
        return {key: _bare(part) for key, part in value.items() if key not in IDENTITY}
    return [_bare(part) for part in value] if isinstance(value, list) else value


def _layer(found: _Found, traces: Sequence[tuple[Era, Tracer]], model: Mapping[str, Fact]) -> Layer:
    common = dict(model)
    dtype = compute_dtype(found.made.arguments)
    if dtype is not None:
        common["dtype"] = dtype
    where = found.place
    seen = [(era, [_facts(each, where, tracer) for each in tracer.seen.get(found.node, [])]) for era, tracer in traces]
    calls = _calls(seen, common, where)
    return Layer(
        name=found.name,
        place=found.place,
        variants=(found.made,),
        calls=calls or ((Call(common, found.place),) if common else ()),
        wrappers=found.wrappers,
        layer_path="/".join(found.parents),
        saved=True,
    )


def _facts(arrival: Arrival, place: SavedPlace, tracer: Tracer) -> dict[str, Fact]:
    """Return the facts of one call; a model that stops at one of its layers runs none of them."""
    stops = {"stops_before": Known("\n".join(tracer.stops), place)} if tracer.stops else {}
    return {**facts(arrival, place), **stops}


def _alike(one: Mapping[str, Fact], two: Mapping[str, Fact]) -> bool:
    """Return whether two calls say the same, wherever it was read."""
    if one.keys() != two.keys():
        return False
    pairs = [zip(alternatives(one[key]), alternatives(two[key]), strict=False) for key in one]
    return all(same(a, b) for facts in pairs for a, b in facts)


def _calls(
    seen: Sequence[tuple[Era, Sequence[Mapping[str, Fact]]]], common: Mapping[str, Fact], place: SavedPlace
) -> tuple[Call, ...]:
    """Return the calls in order; one in which releases differ is there once for each difference."""
    calls: list[Call] = []
    for number in range(max((len(around) for _, around in seen), default=0)):
        groups: list[tuple[Mapping[str, Fact], list[Era]]] = []
        for era, around in seen:
            alike = next((eras for other, eras in groups if _alike(other, around[number])), None)
            if alike is None:
                groups.append((around[number], [era]))
            else:
                alike.append(era)
        everywhere = len(groups) == 1
        calls += [Call({**common, **around}, place, () if everywhere else tuple(eras)) for around, eras in groups]
    return tuple(calls)
