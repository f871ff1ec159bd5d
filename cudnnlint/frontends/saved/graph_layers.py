"""Joins what a graph shows with the layers that Keras's metadata names: class, path, calls, and layers not shown.

A scope of the graph is the path of a layer behind the name of the model, but the second call of a layer or model has
`_1` behind its name, and a TimeDistributed leaves out the model in it. So a scope is a layer's if its last name is
that of one layer alone, or if its path is the layer's; where neither holds, the graph alone speaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudnnlint.core.fact import Fact, Known
from cudnnlint.core.layer import Call, Construction, Layer, Wrapper
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.saved.keras_metadata import NamedLayer
from cudnnlint.frontends.saved.tensorflow_graph import Baked

UNSEEN = (
    "Keras's metadata names this layer, but the graph that is served has neither a loop nor a cuDNN operation for it: "
    "the layer may be unrolled, or the graph does not contain it. Load the model, save it as .keras and check that file"
)
_SECOND_CALL = regex(r"_\d+$")
LEGACY = "CuDNN"


def joined(path: str, found: Iterable[Baked], named: Sequence[NamedLayer], names: Names) -> tuple[Layer, ...]:
    """Return the recurrent layers of the graph, each once, then those that the metadata alone name."""
    by_name: dict[str, list[NamedLayer]] = {}
    for layer in named:
        by_name.setdefault(layer.name, []).append(layer)
    groups: dict[object, tuple[NamedLayer | None, list[Baked]]] = {}
    doubtful: set[str] = set()
    for baked in found:
        _, *parts = baked.scope.split("/") if "/" in baked.scope else ("", baked.scope)
        candidates = by_name.get(parts[-1]) or by_name.get(_bare(parts[-1]), [])
        owner = _owner(baked, parts[:-1], candidates, names)
        if owner is not None and owner.class_name == "TimeDistributed":
            continue  # the loop runs what it holds, which the metadata name
        if owner is not None and owner.recurrent:
            groups.setdefault(owner.path, (owner, []))[1].append(baked)
        else:
            groups[baked.scope] = (None, [baked])
            doubtful |= {one.name for one in candidates}
    shown = [layer for owner, calls in groups.values() for layer in _shown(path, owner, calls, names)]
    unseen = [one for one in named if one.recurrent and one.path not in groups and one.name not in doubtful]
    return (*shown, *(_unseen(path, one, names) for one in unseen))


def _owner(baked: Baked, parents: Sequence[str], candidates: Sequence[NamedLayer], names: Names) -> NamedLayer | None:
    """Return the layer among those of its name that a scope belongs to; None where that is not certain."""
    agreeing = [one for one in candidates if _agrees(baked, one, names)]
    if len(agreeing) == len(candidates) == 1:
        return agreeing[0]
    exact = [one for one in agreeing if [*one.path[:-1]] == [*parents]]
    near = [one for one in agreeing if [*map(_bare, one.path[:-1])] == [*map(_bare, parents)]]
    return next((only[0] for only in (exact, near) if len(only) == 1), None)


def _bare(name: str) -> str:
    """Return a name without the number of a later call."""
    return _SECOND_CALL.sub("", name)


def _agrees(baked: Baked, layer: NamedLayer, names: Names) -> bool:
    """Return whether the graph may be that of the layer: an operation and a pair show the class, a loop does not."""
    if not layer.recurrent or layer.class_name not in names.recurrent:
        return True
    if baked.how == "loop":
        return not layer.class_name.startswith(LEGACY)
    return layer.class_name.removeprefix(LEGACY) == baked.class_name


def _shown(path: str, owner: NamedLayer | None, calls: Sequence[Baked], names: Names) -> list[Layer]:
    """Return the layer of these calls; where they do not go together, one for each, as the graph has them."""
    if owner is None or len({baked.how for baked in calls}) > 1:
        return [_as_graphed(path, baked) for baked in calls]
    class_name = owner.class_name if owner.class_name in names.recurrent else calls[0].class_name
    return [_layer(path, owner.path, class_name, calls)]


def _as_graphed(path: str, baked: Baked) -> Layer:
    """Return the layer of one scope, by the graph alone; the scope's first part is the model's own name."""
    _, *parts = baked.scope.split("/") if "/" in baked.scope else ("", baked.scope)
    return _layer(path, tuple(parts), baked.class_name, [baked])


def _layer(path: str, parts: tuple[str, ...], class_name: str, calls: Sequence[Baked]) -> Layer:
    place = SavedPlace(path, "/".join(parts))
    how = calls[0].how
    masks: dict[str, Fact] = {mask: Known(mask, place) for mask in ("data" if one.masked else "none" for one in calls)}
    return Layer(
        name=parts[-1],
        place=place,
        variants=(Construction(class_name, f"graph.{how}", place=place),),
        calls=tuple(Call({"exported": Known(how, place), "mask": mask}, place) for mask in masks.values()),
        wrappers=_direction(parts),
        layer_path="/".join(parts[:-1]),
        saved=True,
    )


def _unseen(path: str, named: NamedLayer, names: Names) -> Layer:
    """Return a layer that only the metadata name."""
    place = SavedPlace(path, "/".join(named.path))
    class_name = named.class_name if named.class_name in names.recurrent else "RNN"
    return Layer(
        name=named.name,
        place=place,
        variants=(Construction(class_name, "graph.unseen", place=place, unsure=UNSEEN),),
        wrappers=_direction(named.path),
        layer_path="/".join(named.path[:-1]),
        saved=True,
    )


def _direction(parts: tuple[str, ...]) -> tuple[Wrapper, ...]:
    role = next((role for role in ("forward", "backward") if parts[-1].startswith(f"{role}_")), "")
    return (Wrapper("Bidirectional", role),) if role and len(parts) > 1 else ()
