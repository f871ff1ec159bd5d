"""Layers that another file's calls construct: who may call, and which reading reports a layer in the end.

A file is read by itself; its functions that no code in it calls are entered with assumed parameters. Where another file
calls them, that file's reading finds the same layers with what it passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.place import Place, SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.lower.repeats import without_repeats
from cudnnlint.frontends.source.project import programs
from cudnnlint.frontends.source.syntax import handed_on, prefilter

_IMPORT = regex(rb"\bimport\b")


def callers(models: Iterable[Model], unread: Mapping[str, bytes]) -> list[str]:
    """Return which of the files that were passed over may call a function whose callers were not seen, or a class.

    They were passed over because no name of a recurrent layer is in them; the class has another name there.
    """
    known = list(models)
    names = {layer.uncalled for model in known for layer in model.layers if layer.uncalled}
    names = names.union(*handing_on(known).values()) if unread else names
    words = [word for name in sorted(names) if name.isidentifier() and not prefilter.in_bytes(word := name.encode())]
    if not words:
        return []
    pattern = re.compile(rb"(?<!\bdef )(?<!\bclass )\b(?:" + b"|".join(map(re.escape, words)) + rb")\b")

    def may_call(data: bytes) -> bool:
        """Return whether one of the names stands behind an import, where the file does not define it.

        A plain search first is faster by far.
        """
        imported = _IMPORT.search(data) if any(word in data for word in words) else None
        return imported is not None and pattern.search(data, imported.end()) is not None

    return [path for path, data in unread.items() if may_call(data)]


def handing_on(models: Iterable[Model]) -> dict[str, set[str]]:
    """Return the names under which the files that were read hand on a recurrent class, by path."""
    return handed_on.names({one.path: one.source for one in models if one.kind == "python" and one.source is not None})


def gather(models: Iterable[Model], importing: Mapping[str, Sequence[Model]] | None = None) -> list[Model]:
    """Put each layer with the file that it is in; `importing` are the programs that import the file at a path.

    A layer that a call reaches from another file is reported with that call, and no longer as one that no code calls.
    """
    given = list(models)
    found: dict[str, list[Layer]] = {model.path: [] for model in given}
    readers = {id(layer): model for model in given for layer in model.layers}
    for model in given:
        for layer in model.layers:
            path = layer.place.path
            found.setdefault(path if path in found else model.path, []).append(layer)
    gathered = []
    for model in given:
        reached = _without_called(found[model.path], model.path)
        set_by = [readers[id(layer)] for layer in reached] + [*(importing or {}).get(model.path, ())]
        gathered.append(_with(model, reached, set_by))
    return gathered


def _with(model: Model, reached: list[Layer], set_by: Iterable[Model]) -> Model:
    """Return a model with these layers; in its graph those that are still in the file have their new numbers."""
    hints, layers = programs.hints(model, set_by), _ordered(reached)
    places = {id(layer): place for place, layer in enumerate(layers)}
    numbers = {old: places[id(layer)] for old, layer in enumerate(model.layers) if id(layer) in places}
    return replace(model, layers=layers, hints=hints, graph=model.graph and model.graph.numbered(numbers))


def _without_called(layers: list[Layer], path: str) -> list[Layer]:
    """Return the layers of one file without those that are called only from other files."""
    reached = [(layer.place, layer.via) for layer in layers if any(step.path != path for step in layer.via)]
    return [layer for layer in layers if layer.uncalled is None or not _is_reached(layer, reached)]


def _is_reached(layer: Layer, reached: list[tuple[Place, tuple[SourcePlace, ...]]]) -> bool:
    """Return whether a longer chain of calls leads to this layer by the same way."""
    length = len(layer.via)
    return any(place == layer.place and len(via) > length and via[:length] == layer.via for place, via in reached)


def _ordered(layers: list[Layer]) -> tuple[Layer, ...]:
    def key(layer: Layer) -> tuple[object, ...]:
        place = layer.place
        assert isinstance(place, SourcePlace)
        via = [(step.path, step.cell or 0, step.row, step.column) for step in layer.via]
        return place.cell or 0, place.row, place.column, via

    return tuple(without_repeats(sorted(layers, key=key)))
