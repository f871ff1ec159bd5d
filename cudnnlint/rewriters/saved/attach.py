"""Finds the weights of every part in a `.keras` weights file or in an `.h5` file. Reads no numbers."""

from __future__ import annotations

import re

import h5py

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.rewriters.saved.guards import step_into
from cudnnlint.rewriters.saved.layer_tree import LayerPart, folders
from cudnnlint.rewriters.saved.layout import (
    IDF,
    WeightPlace,
    in_h5_order,
    unknown_parts,
    weighs_words,
    weight_places,
)
from cudnnlint.rewriters.saved.weights import Weight, WeightGroup

#: Folders of older files: Keras 2.12 and 2.13 (keras 3.15.1 `H5IOStore.get` reads them too), and the private
#: attributes of tf_keras's MultiHeadAttention.
_OLD_FOLDERS = {
    "_layer_checkpoint_dependencies": "layers",
    **{f"_{part}_dense": f"{part}_dense" for part in ("query", "key", "value", "output")},
}
#: One weight under two names: tf_keras says depthwise_kernel where Keras 3 says kernel.
_NAMESAKES = {"depthwise_kernel": "kernel"}


def attach_folders(root: LayerPart, keras: int, file: h5py.Group) -> None:
    """Give every part its weights from the folders of a `.keras` weights file; what is of no part goes to the root."""
    places = {folder: part for folder, part in folders(root, keras) if part.twin is None}
    found: list[str] = []
    file.visit(lambda path: found.append(path) if _text(path).replace("\\", "/").rsplit("/", 1)[-1] == "vars" else None)
    for source in found:
        group = step_into(file, source)
        if not isinstance(group, h5py.Group):
            continue
        names = canonical(source).split("/")[:-1]
        depth = len(names)
        while "/".join(names[:depth]) not in places:
            depth -= 1
        stored = WeightGroup(source, {key: Weight(f"{source}/{key}") for key in group if _is_dataset(group, key)})
        places["/".join(names[:depth])].groups["/".join(names[depth:])] = stored


def _text(path: str | bytes) -> str:
    """Return a path as h5py gives it: as bytes where they are not UTF-8."""
    if isinstance(path, bytes):
        raise UnreadableInput("a name in the weights file is not text")
    return path


def canonical(path: str) -> str:
    """Return the path as today's Keras spells it (older ones had other folders, and backslashes on Windows)."""
    return "/".join(_OLD_FOLDERS.get(name, name) for name in path.replace("\\", "/").split("/"))


def _is_dataset(group: h5py.Group, key: str) -> bool:
    hard = group.get(key, getclass=True, getlink=True) is h5py.HardLink
    return hard and group.get(key, getclass=True) is h5py.Dataset


def attach_names(root: LayerPart, file: h5py.Group) -> None:
    """Give every part its weights from the flat lists of an `.h5` file, and the root the optimizer's state."""
    weights = step_into(file, "model_weights")
    if not isinstance(weights, h5py.Group):
        raise UnreadableInput("model_weights is not a group")
    for top in root.parts:
        if top.name in weights:
            top.h5_group = top.name
            names = listed(step_into(weights, top.name), "weight_names")
            _deal(top, [f"model_weights/{top.name}/{name}" for name in names])
    if "optimizer_weights" in file:
        names = listed(step_into(file, "optimizer_weights"), "weight_names")
        state = {str(index): Weight(f"optimizer_weights/{name}") for index, name in enumerate(names)}
        root.groups["optimizer"] = WeightGroup(None, state)


def listed(group: h5py.Group | h5py.Dataset, attribute: str) -> list[str]:
    """Return the names in an attribute; a long list is cut into `attribute0`, `attribute1`, ... (`hdf5_format.py`)."""
    if attribute in group.attrs:
        chunks = [group.attrs[attribute]]
    else:
        chunks = []
        while f"{attribute}{len(chunks)}" in group.attrs:
            chunks.append(group.attrs[f"{attribute}{len(chunks)}"])
    names: list[str] = []
    for chunk in chunks:
        if isinstance(chunk, h5py.Empty):
            continue
        if not hasattr(chunk, "__len__") or isinstance(chunk, (str, bytes)):
            raise UnreadableInput(f"the attribute {attribute} is not a list")
        names.extend(name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name) for name in chunk)
    return names


def _deal(top: LayerPart, sources: list[str]) -> None:
    """Hand the weights of one top-level layer to its parts: by order, else by name, else say why not."""
    expected = weight_places(top)
    if not sources:
        return
    if weighs_words(top) and len(sources) == 1:
        own = ["", "_lookup_layer"] if top.class_name == "TextVectorization" else [""]
        top.groups.update({below: WeightGroup(None, {IDF: Weight(sources[0])}) for below in own})
        return
    if expected is None:
        strangers = ", ".join(dict.fromkeys(part.class_name for part in unknown_parts(top)))
        top.unread = f"the file does not show how {strangers} stores its weights"
        return
    order = in_h5_order(expected)
    if len(order) != len(sources):
        top.unread = f"the file has {len(sources)} weights for it, but its configuration needs {len(order)}"
        return
    if not all(_fits(place, source) for place, source in zip(order, sources, strict=True)):
        named = _by_name(order, sources)
        if named is None:
            top.unread = "the names of its weights do not show which weight is which"
            return
        sources = named
    for place, source in zip(order, sources, strict=True):
        place.part.groups.setdefault(place.below, WeightGroup()).weights[place.key] = Weight(source)


def _fits(place: WeightPlace, source: str) -> bool:
    """Return whether the name that Keras gave the weight (`dense_1/kernel:0`) is the one that the place expects."""
    name = re.sub(r"(_\d+)?(:0)?$", "", source.rsplit("/", 1)[-1])
    return name in (place.name, _NAMESAKES.get(place.name))


def _by_name(order: list[WeightPlace], sources: list[str]) -> list[str] | None:
    """Return the sources in the order of the slots, by the layers' names in them; None if that is not possible."""
    left, named = list(sources), []
    for place in order:
        hits = [source for source in left if _fits(place, source) and place.part.name in source.split("/")]
        if len(hits) != 1:
            return None
        left.remove(hits[0])
        named.append(hits[0])
    return named
