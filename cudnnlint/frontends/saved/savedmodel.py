"""Reads a TensorFlow SavedModel folder without TensorFlow: what its graph will run on a GPU and on a CPU server.

Only `saved_model.pb` is read, through a memory map; the variables are never opened and nothing is executed.
The graph shows the outcome (op, pair or loop), not the arguments that led to it.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Fact, Known
from cudnnlint.core.layer import Call, Construction, FileHints, Layer, Model, Wrapper
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.formats.protobuf import Buffer, message_at, messages, text_at
from cudnnlint.frontends.saved.tensorflow_graph import Baked, recurrent

# Field numbers of tensorflow/core/protobuf/{saved_model,meta_graph}.proto.
META_GRAPH, META_INFO, GRAPH_DEF, TENSORFLOW_VERSION = 2, 1, 2, 5
MEMBER = "saved_model.pb"


def read_folder(path: str, names: Names) -> Model:
    """Return the recurrent layers of the SavedModel in the folder `path`.

    Raises UnreadableInput where `saved_model.pb` is no SavedModel.
    """
    return read_graph(path, _mapped(Path(path) / MEMBER), names)


def read_graph(path: str, data: Buffer, names: Names) -> Model:
    """Return the recurrent layers of a SavedModel from the bytes of its `saved_model.pb`, as `read_folder` does."""
    found: dict[str, Baked] = {}
    release = ""
    for graph in messages(data, META_GRAPH):
        release = release or text_at(graph, META_INFO, TENSORFLOW_VERSION)
        body = message_at(graph, GRAPH_DEF)
        for baked in recurrent(body) if body is not None else ():
            found.setdefault(baked.scope, baked)
    layers = tuple(_layer(path, baked) for baked in found.values())
    return Model(path, "savedmodel", layers, _hints(release, list(found.values()), names), _notes(layers))


def _mapped(member: Path) -> Buffer:
    """Return the file as memory; the map is released with the last view of it."""
    try:
        if not member.stat().st_size:
            raise UnreadableInput(f"Its {MEMBER} is empty.")
        with member.open("rb") as stream:
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise UnreadableInput(f"Its {MEMBER} cannot be read: {error}.") from error


def _layer(path: str, baked: Baked) -> Layer:
    """Return the layer of one scope; the scope's first part is the model's own name."""
    parents, _, name = baked.scope.partition("/")[2].rpartition("/") if "/" in baked.scope else ("", "", baked.scope)
    place = SavedPlace(path, f"{parents}/{name}" if parents else name)
    mask: Fact = Known("data" if baked.masked else "none", place)
    role = next((role for role in ("forward", "backward") if name.startswith(f"{role}_")), "")
    return Layer(
        name=name,
        place=place,
        variants=(Construction(baked.class_name, f"graph.{baked.how}", place=place),),
        calls=(Call({"exported": Known(baked.how, place), "mask": mask}, place),),
        wrappers=(Wrapper("Bidirectional", role),) if role and parents else (),
        layer_path=parents,
        saved=True,
    )


def _hints(release: str, found: list[Baked], names: Names) -> FileHints:
    """Return the hints of a graph: Keras 2 bakes pairs of functions; a graph without one may come from either Keras."""
    if not release:
        return FileHints()
    if any(baked.how == "pair" for baked in found):
        minor = tuple(int(part) for part in release.split(".")[:2] if part.isdigit())
        packaged, keras_3 = (names.milestones[name].release[:2] for name in ("packaged", "tensorflow_with_keras_3"))
        framework = "tensorflow" if minor < packaged else "keras" if minor < keras_3 else "tf_keras"
        because = f"the graph contains function pairs of Keras 2 and was written by TensorFlow {release}"
        version = ".".join(map(str, minor)) if framework == "keras" else release  # of `keras` the minor alone is sure
        return FileHints(framework, version, "tensorflow", because={"framework": because, "keras_version": because})
    because = f"the graph was written by TensorFlow {release}; it does not name its Keras release"
    return FileHints(None, None, "tensorflow", because={"backend": because})


def _notes(layers: tuple[Layer, ...]) -> tuple[str, ...]:
    if not layers:
        return (
            "The graph contains no recurrent loop and no cuDNN operation. Unrolled layers cannot be seen in a graph.",
        )
    return ("A graph shows which route was chosen when it was traced, but not the arguments of its layers.",)
