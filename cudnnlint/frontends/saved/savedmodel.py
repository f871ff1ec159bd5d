"""Reads a TensorFlow SavedModel folder without TensorFlow: what its graph will run on a GPU and on a CPU server.

Only `saved_model.pb` and `keras_metadata.pb` are read, through memory maps; the variables are never opened and nothing
is executed. The graph shows the outcome (op, pair or loop), not the arguments that led to it; Keras's metadata, where
Keras 2 wrote them, name the layers.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from pathlib import Path

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import FileHints, Layer, Model
from cudnnlint.core.names import Names
from cudnnlint.formats.protobuf import Buffer, message_at, messages, text_at
from cudnnlint.frontends.saved import keras_metadata
from cudnnlint.frontends.saved.graph_layers import joined
from cudnnlint.frontends.saved.keras_metadata import NamedLayer
from cudnnlint.frontends.saved.tensorflow_graph import Baked, recurrent

# Field numbers of tensorflow/core/protobuf/{saved_model,meta_graph}.proto.
META_GRAPH, META_INFO, GRAPH_DEF, TENSORFLOW_VERSION = 2, 1, 2, 5
MEMBER, METADATA = "saved_model.pb", keras_metadata.MEMBER
UNREAD = "Keras's metadata cannot be read, so layers that the graph does not show are not listed. {flaw}"


def read_folder(path: str, names: Names) -> Model:
    """Return the recurrent layers of the SavedModel in the folder `path`.

    Raises UnreadableInput where `saved_model.pb` is no SavedModel.
    """
    graph, described = (Path(path) / member for member in (MEMBER, METADATA))
    return read_graph(path, _mapped(graph), names, lambda: _mapped(described) if described.is_file() else None)


def read_graph(path: str, data: Buffer, names: Names, metadata: Callable[[], Buffer | None]) -> Model:
    """Return the recurrent layers of a SavedModel from the bytes of its `saved_model.pb`, as `read_folder` does.

    `metadata` gives the bytes of its `keras_metadata.pb`, None where there is none; it is called if they are needed.
    """
    found: dict[str, Baked] = {}
    release = ""
    named: tuple[NamedLayer, ...] | None = None
    flaws: list[str] = []
    for graph in messages(data, META_GRAPH):
        release = release or text_at(graph, META_INFO, TENSORFLOW_VERSION)
        body = message_at(graph, GRAPH_DEF)
        for baked in recurrent(body) if body is not None else ():
            found.setdefault(baked.scope, baked)
        try:
            named = named or keras_metadata.named_layers(graph, metadata, names)
        except UnreadableInput as flaw:
            flaws.append(UNREAD.format(flaw=flaw))
    baked_in = list(found.values())
    layers = joined(path, baked_in, named or (), names)
    hints = _hints(release, baked_in, named is not None, names)
    return Model(path, "savedmodel", layers, hints, (*_notes(layers, named), *flaws))


def _mapped(member: Path) -> Buffer:
    """Return the file as memory; the map is released with the last view of it."""
    try:
        if not member.stat().st_size:
            raise UnreadableInput(f"Its {member.name} is empty.")
        with member.open("rb") as stream:
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise UnreadableInput(f"Its {member.name} cannot be read: {error}.") from error


def _hints(release: str, found: list[Baked], described: bool, names: Names) -> FileHints:
    """Return the hints of a folder; a graph without what Keras 2 alone writes may come from either Keras."""
    if not release:
        return FileHints()
    paired = any(baked.how == "pair" for baked in found)
    if paired or described:
        minor = tuple(int(part) for part in release.split(".")[:2] if part.isdigit())
        packaged, keras_3 = (names.milestones[name].release[:2] for name in ("packaged", "tensorflow_with_keras_3"))
        framework = "tensorflow" if minor < packaged else "keras" if minor < keras_3 else "tf_keras"
        because = f"the folder contains metadata of Keras 2 and was written by TensorFlow {release}"
        if paired:
            because = f"the graph contains function pairs of Keras 2 and was written by TensorFlow {release}"
        version = ".".join(map(str, minor)) if framework == "keras" else release  # of `keras` the minor alone is sure
        return FileHints(framework, version, "tensorflow", because={"framework": because, "keras_version": because})
    because = f"the graph was written by TensorFlow {release}; it does not name its Keras release"
    return FileHints(None, None, "tensorflow", because={"backend": because})


def _notes(layers: tuple[Layer, ...], named: tuple[NamedLayer, ...] | None) -> tuple[str, ...]:
    if layers:
        return ("A graph shows which route was chosen when it was traced, but not the arguments of its layers.",)
    if named is not None:
        return ("Neither the graph nor Keras's metadata show a recurrent layer.",)
    return ("The graph contains no recurrent loop and no cuDNN operation. Unrolled layers cannot be seen in a graph.",)
