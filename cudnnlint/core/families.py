"""Families: which packages a file's layers come from, and which of its readings show the same layer.

A file that has layers of tf_keras and of keras is checked for both, each layer for its own package.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from cudnnlint.core.layer import Construction, Layer, Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import BACKENDS, FRAMEWORKS, TargetCondition

_LEGACY = tuple(TargetCondition("tf_keras", backend) for backend in BACKENDS)
_OTHERS = tuple(TargetCondition(framework, backend) for framework in ("keras", "tensorflow") for backend in BACKENDS)


def packages(model: Model) -> tuple[str, ...]:
    """Return the packages that the classes of a source file's layers come from, in the order of appearance.

    They are "keras", "tensorflow" (for `tf.keras`) and "tf_keras", which `tf.keras` is too where the file says so.
    """
    found = (_package(variant, model) for layer in model.layers if not layer.saved for variant in layer.variants)
    return tuple(dict.fromkeys(package for package in found if package in FRAMEWORKS))


def _package(variant: Construction, model: Model) -> str:
    top = variant.path.split(".")[0]
    return "tf_keras" if top == "tensorflow" and model.hints.legacy_keras else top


def mixed(found: Iterable[str]) -> bool:
    """Return whether there are layers of tf_keras and of another Keras."""
    names = set(found)
    return "tf_keras" in names and len(names) > 1


def by_framework(model: Model) -> tuple[Layer, ...]:
    """Return the layers of a file, each only for the targets of its own package, where there are several."""
    return tuple(_split(model)) if mixed(packages(model)) else model.layers


def _split(model: Model) -> Iterable[Layer]:
    for layer in model.layers:
        for legacy, conditions in ((True, _LEGACY), (False, _OTHERS)):
            own = tuple(v for v in layer.variants if (_package(v, model) == "tf_keras") is legacy)
            when = tuple(p for p in layer.when if (p.framework == "tf_keras") is legacy) if layer.when else conditions
            if own and when:
                yield replace(layer, variants=own, when=when)


def left_out(layers: Iterable[Layer]) -> list[str]:
    """Return a sentence on the layers that the program builds under none of the targets; [] where there are none."""
    places = dict.fromkeys(str(layer.place) for layer in layers)
    what = "A recurrent layer is" if len(places) == 1 else "Recurrent layers are"
    return [f"{what} not built for any of the checked targets: {', '.join(places)}."] if places else []


def faces(layers: Iterable[Layer]) -> list[list[Layer]]:
    """Return the layers in groups, each of which is one layer that different targets build differently."""
    found: list[list[Layer]] = []
    by_way: dict[Hashable, list[list[Layer]]] = {}
    for layer in layers:
        way = layer.place, layer.via, tuple((wrapper.kind, wrapper.role) for wrapper in layer.wrappers)
        known = by_way.setdefault(way, [])
        same = next((group for group in known if not any(_together(layer, face) for face in group)), None)
        if same is None:
            same = []
            known.append(same)
            found.append(same)
        same.append(layer)
    return found


def _together(one: Layer, other: Layer) -> bool:
    """Return whether there is a target under which both are built."""
    return not (one.when and other.when) or any(p.meets(q) for p in one.when for q in other.when)
