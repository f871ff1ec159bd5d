"""What a saved file says about the Keras that wrote it, each with the sentence for the report."""

from __future__ import annotations

import re
from collections.abc import Mapping

from packaging.version import Version

from cudnnlint.core.layer import FileHints
from cudnnlint.core.masking import TF_SUFFIX
from cudnnlint.formats.archive import ModelContents

KERAS3_MARKS = frozenset({"__keras_tensor__", "DTypePolicy", "keras.src", "batch_shape"})
KERAS2_MARKS = frozenset({"time_major", "batch_input_shape"})
#: What only TensorFlow's own Keras writes.
OWN_MARK = "keras_api"


def file_hints(contents: ModelContents, milestones: Mapping[str, Version]) -> FileHints:
    """Return the hints in a file's version, backend and ways of writing."""
    because: dict[str, str] = {}
    version = contents.keras_version
    if version is not None:
        because["keras_version"] = because["framework"] = f"the file was saved by Keras {version}"
    if contents.backend is not None:
        because["backend"] = f"the file was saved with the backend {contents.backend}"
    framework = None if version is None else _framework(version, OWN_MARK in contents.marks, milestones)
    if framework == "tf_keras":
        because["framework"] = f"the file was saved by Keras {version}, and only tf_keras has that version"
    elif framework == "tensorflow":
        because["framework"] = f"the file was saved by Keras {version}, which is part of TensorFlow"
        if OWN_MARK in contents.marks:
            because["framework"] = f"the file says that Keras {version} wrote it, and TensorFlow's own names are in it"
    major = major_of(contents)
    if version is None and major is not None:
        because["keras_major"] = f"the file names no version, but has the format of Keras {major}"
    own = version is not None and framework == "tensorflow" and not version.endswith(TF_SUFFIX)
    if own and version is not None and _release(version) < milestones["standalone_ended"]:
        version = f"{version}{TF_SUFFIX}"  # as TensorFlow's own would have it
    backend = contents.backend if contents.backend in ("tensorflow", "jax", "torch", "numpy", "openvino") else None
    return FileHints(framework, version, backend, because=because, keras_major=major)


def major_of(contents: ModelContents) -> int | None:
    """Return 2 or 3 for Keras 2 (or anything before) or Keras 3, or None where the file does not show it."""
    numbers = _numbers(contents.keras_version or "")
    if numbers:
        return 3 if numbers[0] >= 3 else 2
    three, two = bool(contents.marks & KERAS3_MARKS), bool(contents.marks & KERAS2_MARKS)
    return None if three == two else 3 if three else 2


def release_of(contents: ModelContents) -> Version | None:
    """Return the minor release of Keras that wrote a file, or None where the file does not name it."""
    version = contents.keras_version or ""
    return _release(version) if _numbers(version) else None


def _framework(version: str, own: bool, milestones: Mapping[str, Version]) -> str | None:
    """Return the framework that has a version of Keras; `own` where the file shows that it is TensorFlow's."""
    if not _numbers(version):
        return None
    release = _release(version)
    if version.endswith(TF_SUFFIX) or own or milestones["standalone_ended"] <= release < milestones["packaged"]:
        return "tensorflow"
    return "tf_keras" if milestones["tensorflow_with_keras_3"] <= release < milestones["keras_3"] else "keras"


def _release(version: str) -> Version:
    """Return the minor release of a version."""
    return Version(".".join(map(str, _numbers(version))))


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of major and minor release."""
    found = re.match(r"(\d{1,4})(?:\.(\d{1,4}))?", version)
    return tuple(int(part or 0) for part in found.groups()) if found else ()
