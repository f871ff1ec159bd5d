"""Writes the weights of a tree of parts: into the folders of a `.keras` file, or flat into an `.h5` file.

What is not changed is copied by HDF5 itself, with its type, layout, filters, attributes and bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

import h5py

from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.rewriters.saved.attach import canonical, listed
from cudnnlint.rewriters.saved.guards import dataset, step_into
from cudnnlint.rewriters.saved.layer_tree import LayerPart, folders, paths
from cudnnlint.rewriters.saved.layout import in_h5_order, weight_places
from cudnnlint.rewriters.saved.weights import Weight, WeightGroup

#: An HDF5 object header holds at most this many bytes (`HDF5_OBJECT_HEADER_LIMIT` in Keras).
HEADER_LIMIT = 64512


def places(root: LayerPart, keras: int) -> list[tuple[str, WeightGroup]]:
    """Return all weights, each with the `vars` group it belongs into; an older spelling of the same folder stays."""
    found = []
    for folder, part in folders(root, keras):
        for below, stored in part.groups.items():
            private = "_" if keras == 2 and part.class_name == "MultiHeadAttention" and below.endswith("_dense") else ""
            place = "/".join(name for name in (folder, private + below, "vars") if name)
            same = stored.source is not None and canonical(stored.source) == canonical(place)
            found.append((stored.source if same and stored.source else place, stored))
    return found


def unmoved(root: LayerPart, keras: int) -> bool:
    """Return whether writing the folders again would change nothing."""
    return all(
        place == stored.source and all(weight == Weight(f"{place}/{key}") for key, weight in stored.weights.items())
        for place, stored in places(root, keras)
    )


def write_folders(root: LayerPart, keras: int, source: h5py.Group, target: h5py.Group) -> None:
    """Write all weights below the folders that Keras `keras` looks for."""
    target.create_group("vars")  # tf_keras does not load a file without it
    for place, stored in places(root, keras):
        group = target.require_group(place)
        if stored.source is not None:
            _copy_attributes(step_into(source, stored.source), group)
        for key, weight in stored.weights.items():
            _put(source, weight, group, key)


def write_names(root: LayerPart, source: h5py.Group, target: h5py.Group, suffix: str) -> None:
    """Write the groups of `model_weights`, one for each top-level layer; `suffix` is ":0" for Keras 2."""
    layers = [part for part in root.parts if not (part.class_name == "InputLayer" and root.class_name == "Sequential")]
    for part in layers:
        old = f"model_weights/{part.h5_group}"
        if part.h5_group and _untouched(part, source, old):
            source.copy(step_into(source, old), target, name=part.name)
            continue
        group = target.create_group(part.name)
        names = []
        for name, weight in _named(part, suffix):
            _put(source, weight, group, name)
            names.append(name)
        write_list(group, "weight_names", names)
    for name in [name for name in ("layer_names", *_numbered(target, "layer_names")) if name in target.attrs]:
        del target.attrs[name]
    write_list(target, "layer_names", [part.name for part in layers])


def write_list(group: h5py.Group, attribute: str, names: list[str]) -> None:
    """Write a list of names as an attribute, cut into `attribute0`, `attribute1`, ... where it exceeds a header."""
    encoded = [name.encode() for name in names]
    width = max((len(name) for name in encoded), default=1)
    step = max(1, HEADER_LIMIT // width)
    if len(encoded) <= step:
        group.attrs[attribute] = encoded
        return
    for chunk, start in enumerate(range(0, len(encoded), step)):
        group.attrs[f"{attribute}{chunk}"] = encoded[start : start + step]


def write_optimizer(root: LayerPart, source: h5py.Group, target: h5py.Group) -> None:
    """Write the optimizer's state as an `.h5` file keeps it, in the order of its variables in both containers."""
    stored = root.groups.get("optimizer")
    if stored is None:
        return
    group = target.create_group("optimizer_weights")
    names = [f"optimizer/{key}" for key in sorted(stored.weights, key=int)]
    for name in names:
        _put(source, stored.weights[name.rsplit("/", 1)[-1]], group, name)
    write_list(group, "weight_names", names)


def _numbered(group: h5py.Group, attribute: str) -> Iterator[str]:
    yield from (name for name in group.attrs if name.startswith(attribute) and name[len(attribute) :].isdigit())


def _untouched(part: LayerPart, source: h5py.Group, group: str) -> bool:
    if part.unread:
        return True
    weights = [weight for _, weight in _ordered(part)]
    names = [f"{group}/{name}" for name in listed(step_into(source, group), "weight_names")]
    return sorted(names) == sorted(weight.source for weight in weights) and all(not weight.change for weight in weights)


def _ordered(part: LayerPart) -> Iterator[tuple[str, Weight]]:
    """Yield the weights of a top-level layer in the order of an `.h5` file, each with the name of its place."""
    expected = weight_places(part)
    if expected is None:
        yield from _strangers(part)
        return
    for place in in_h5_order(expected):
        stored = place.part.stored(place.below)
        if stored is None or place.key not in stored.weights:
            raise Refused(part.name, place.part.unread or part.unread or f"the file lacks its {place.name}")
        yield place.name, stored.weights[place.key]


def _strangers(part: LayerPart) -> Iterator[tuple[str, Weight]]:
    """Yield the weights of a class that is not Keras's own; raise Refused where their order is not certain.

    It is certain only where the class itself holds all of them.
    """
    filled = [stored for stored in part.groups.values() if stored.weights]
    below = [child for _, child in paths(part) if any(stored.weights for stored in child.groups.values())]
    if below or len(filled) > 1 or (filled and not part.groups.get("", WeightGroup()).weights):
        raise Refused(part.name, f"the file does not show the order of the weights of {part.class_name}")
    for stored in filled:
        yield from ((f"variable_{key}", stored.weights[key]) for key in sorted(stored.weights, key=int))


def _named(part: LayerPart, suffix: str) -> Iterator[tuple[str, Weight]]:
    """Yield the weights of a layer with names inside its group, which must differ and mean nothing to a loader."""
    used: set[str] = set()
    for place_name, weight in _ordered(part):
        above = weight.source.split("/")[2:-1] if weight.source.startswith("model_weights/") else [part.name]
        name = "/".join([*above, place_name])
        count = 0
        while name + suffix in used:
            count += 1
            name = "/".join([*above, f"{place_name}_{count}"])
        used.add(name + suffix)
        yield name + suffix, weight


def _put(source: h5py.Group, weight: Weight, group: h5py.Group, name: str) -> None:
    found = dataset(source, weight.source)
    if weight.change is None:
        source.copy(found, group, name=name)
        return
    if found.dtype.kind != "f" and found.dtype.kind != "V":  # V: how h5py reads bfloat16
        raise UnreadableInput(f"{weight.source!r} in the weights file does not hold numbers")
    made = group.create_dataset(name, data=weight.change(found[()]))
    _copy_attributes(found, made)


def _copy_attributes(old: h5py.Group | h5py.Dataset, new: h5py.Group | h5py.Dataset) -> None:
    for name in old.attrs:
        new.attrs.create(name, old.attrs[name], dtype=old.attrs.get_id(name).dtype)
