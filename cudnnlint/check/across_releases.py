"""What every release does with a file's layers, whatever the file is for: one row for layers that fare alike."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby

from cudnnlint import engine
from cudnnlint.core import codec, families
from cudnnlint.core.fact import Fact
from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import Comparison, LayerReport, ReleaseRange
from cudnnlint.core.target import Target
from cudnnlint.core.verdict import Verdict
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

#: How many layers of all files that are read together are compared, as each takes the time of a small file.
MOST = 60
_NOWHERE = SavedPlace("", "")


def compare(model: Model, layers: Sequence[LayerReport], most: int) -> tuple[Comparison, ...]:
    """Return what the releases do with the first `most` layers that differ; layers that fare alike share a row."""
    if not most:
        return ()
    places = {id(one.layer): at for at, one in enumerate(layers)}
    alike: dict[str, list[int]] = {}
    first: dict[str, Sequence[Layer]] = {}
    for faces in families.faces(families.by_framework(model)):
        at = next((places[id(face)] for face in faces if id(face) in places), None)
        if at is not None:
            key = json.dumps([codec.pack(_unplaced(face)) for face in faces])
            alike.setdefault(key, []).append(at)
            first.setdefault(key, faces)
    targets = requested.parse(["all"], environment.known())
    rows: dict[tuple[ReleaseRange, ...], list[int]] = {}
    for key in list(alike)[:most]:
        rows.setdefault(_ranges(first[key], targets, model), []).extend(alike[key])
    return tuple(Comparison(tuple(sorted(those)), ranges) for ranges, those in rows.items())


def _unplaced(layer: Layer) -> Layer:
    """Return a layer without its name and without what says where it is, on which no verdict rests."""
    variants = tuple(replace(variant, arguments=_unnamed(variant.arguments)) for variant in layer.variants)
    return replace(
        layer, name=None, variants=variants, place=_NOWHERE, via=(), layer_path="", uncalled=None, loaded_from=()
    )


def _unnamed(arguments: Mapping[str, Fact]) -> Mapping[str, Fact]:
    return {name: fact for name, fact in arguments.items() if name != "name"}


def _ranges(faces: Sequence[Layer], targets: Sequence[Target], model: Model) -> tuple[ReleaseRange, ...]:
    book = loader.load()
    found = [(target, engine.verdict_for(faces, target, book, model)) for target in targets]
    kept = groupby(found, key=lambda one: (_line(one[0]), one[1]))
    return tuple(_range(verdict, [target for target, _ in group]) for (_, verdict), group in kept)


def _line(target: Target) -> tuple[str, str, bool]:
    """Return what releases have in common that are compared: framework, backend and generation."""
    return target.framework, target.backend, target.keras_2


def _range(verdict: Verdict | None, targets: Sequence[Target]) -> ReleaseRange:
    first, last = targets[0], targets[-1]
    return ReleaseRange(first.framework, first.backend, _minor(first), _minor(last), verdict)


def _minor(target: Target) -> str:
    version = target.keras.version
    assert version is not None  # the targets of `all` are exact
    return f"{version.major}.{version.minor}"
