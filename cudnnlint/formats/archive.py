"""Opens a saved model and takes the configuration out of it: a `.keras` archive, an HDF5 file, or JSON text.

Nothing is executed, unpickled or extracted; weights are never read. Sizes and nesting are bounded before anything
is decoded, so that a file costs what its configuration costs. What is broken raises UnreadableInput with the
reason; a sound file without a Keras configuration gives a note instead.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import field
from typing import Any, BinaryIO

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import DEFAULT, in_force
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats.hdf5_groups import Root, read_root
from cudnnlint.formats.limits import decode, too_large
from cudnnlint.formats.sniff import OFFSETS, POINTS, content, is_pointer

MEMBER, METADATA, WEIGHTS = "config.json", "metadata.json", "model.weights."
ENCRYPTED = 1
#: What zipfile and zlib raise on damaged archives.
DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)


@dataclass(frozen=True)
class ModelContents:
    """What a file holds: the configuration as JSON gave it (None: there is none, and `note` says why).

    `weights`: an archive without them is not loaded by Keras.
    """

    kind: str
    config: Any = None
    keras_version: str | None = None
    backend: str | None = None
    note: str | None = None
    weights: bool = True
    marks: frozenset[str] = field(default=frozenset())


#: Words that only one major release writes, to recognise it where no version is given.
MARKS = (b"__keras_tensor__", b"DTypePolicy", b"keras.src", b"batch_shape", b"time_major", b"batch_input_shape",
         b"keras_api")  # fmt: skip


def open_contents(stream: BinaryIO) -> ModelContents:
    """Return the contents of a seekable file; raise UnreadableInput where they cannot be read."""
    stream.seek(0)
    head = stream.read(OFFSETS[-1] + 8)
    if not head:
        raise UnreadableInput("The file is empty.")
    if is_pointer(head):
        raise UnreadableInput(POINTS, pointer=True)
    kind = content(head)
    if kind == "h5":
        return _hdf5(stream)
    if kind == "keras":
        return _archive(stream)
    if head[:1] in b'{["\xef \t\r\n':
        stream.seek(0)
        return _text(stream.read(in_force().config_bytes + 1))
    raise UnreadableInput("Unknown file type: not a Keras archive, an HDF5 file or JSON.")


def _text(data: bytes) -> ModelContents:
    """Return the contents of a file that holds the configuration alone, as `to_json()` writes it."""
    config = decode(data, "It")
    if isinstance(config, str):  # json.dump(model.to_json(), file)
        config = decode(config.encode("utf-8", "surrogatepass"), "The text in it")
    known = isinstance(config, dict) and "class_name" in config and "config" in config
    if not known or config["class_name"] == "Tokenizer":
        return ModelContents("config", note="This JSON file does not contain the configuration of a Keras model.")
    version, backend = (_string(config.get(key)) for key in ("keras_version", "backend"))
    return ModelContents("config", config, version, backend, marks=_marks(data))


def _hdf5(stream: BinaryIO) -> ModelContents:
    root = read_root(stream, ("model_config", "keras_version", "backend"))
    data = root.texts.get("model_config")
    if data is None:
        return ModelContents("h5", note=_without_config(root))
    version, backend = (root.texts.get(key) for key in ("keras_version", "backend"))
    return ModelContents(
        "h5", decode(data, "Its model_config"), _decoded(version), _decoded(backend), marks=_marks(data)
    )


def _without_config(root: Root) -> str:
    weights = root.attributes & {"layer_names", "keras_version"}
    if weights or root.members & {"model_weights", "_layer_checkpoint_dependencies", "layers", "vars"}:
        return (
            "This file contains weights only; the architecture is not in it. Check the file or code that has it; "
            "cudnnlint convert --config FILE makes one model of both."
        )
    return "This HDF5 file does not contain a Keras model."


class Sober(io.RawIOBase):
    """A file that refuses to be read in larger pieces than any Keras archive needs."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.end = stream.seek(0, io.SEEK_END)

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; raise UnreadableInput for more than a Keras archive needs."""
        left = max(0, self.end - self.stream.tell())
        size = left if size < 0 else min(size, left)
        if size > DEFAULT.config_bytes:
            raise UnreadableInput("Its table of contents is larger than that of any Keras archive.")
        return self.stream.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a position."""
        return self.stream.seek(offset, whence)

    def tell(self) -> int:
        """Return the position."""
        return self.stream.tell()

    def seekable(self) -> bool:
        """Return True: every stream that is read here is seekable."""
        return True


def _archive(stream: BinaryIO) -> ModelContents:
    try:
        with zipfile.ZipFile(Sober(stream)) as archive:
            if MEMBER not in archive.NameToInfo:
                return ModelContents("keras", note=f"This zip archive is not a Keras model: it has no {MEMBER}.")
            data = _member(archive, MEMBER)
            metadata = _member(archive, METADATA) if METADATA in archive.NameToInfo else b"{}"
            weights = any(name.startswith(WEIGHTS) for name in archive.NameToInfo)
    except DAMAGE as error:
        raise UnreadableInput(f"The zip archive is damaged: {error or type(error).__name__}.") from None
    about = decode(metadata, f"Its {METADATA}")
    version = _string(about.get("keras_version")) if isinstance(about, dict) else None
    return ModelContents("keras", decode(data, f"Its {MEMBER}"), version, weights=weights, marks=_marks(data))


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return the bytes of one member; raise UnreadableInput where it is encrypted, oddly compressed or too large."""
    info = archive.NameToInfo[name]
    if info.flag_bits & ENCRYPTED:
        raise UnreadableInput("The archive is encrypted.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableInput(f"Its {name} is compressed in a way that Keras does not use.")
    if info.file_size > in_force().config_bytes:
        raise too_large(f"Its {name}")
    with archive.open(info) as member:
        return member.read(info.file_size)


def _marks(data: bytes) -> frozenset[str]:
    return frozenset(mark.decode() for mark in MARKS if mark in data)


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def _string(value: Any) -> str | None:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None
