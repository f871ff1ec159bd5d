"""What a saved file says about the Keras that wrote it, each with the sentence for the report."""

from __future__ import annotations

import re

from cudnnlint.core.layer import FileHints
from cudnnlint.formats.archive import ModelContents

KERAS3_MARKS = frozenset({"__keras_tensor__", "DTypePolicy", "keras.src", "batch_shape"})
KERAS2_MARKS = frozenset({"time_major", "batch_input_shape"})
#: What only TensorFlow's own Keras writes.
OWN_MARK = "keras_api"


def file_hints(contents: ModelContents) -> FileHints:
    """Return the hints in a file's version, backend and ways of writing."""
    because: dict[str, str] = {}
    version = contents.keras_version
    if version is not None:
        because["keras_version"] = because["framework"] = f"the file was saved by Keras {version}"
    if contents.backend is not None:
        because["backend"] = f"the file was saved with the backend {contents.backend}"
    framework = None if version is None else _framework(version, OWN_MARK in contents.marks)
    if framework == "tf_keras":
        because["framework"] = f"the file was saved by Keras {version}, and only tf_keras has that version"
    elif framework == "tensorflow":
        because["framework"] = f"the file was saved by Keras {version}, which is part of TensorFlow"
        if OWN_MARK in contents.marks:
            because["framework"] = f"the file says that Keras {version} wrote it, and TensorFlow's own names are in it"
    major = major_of(contents)
    if version is None and major is not None:
        because["keras_major"] = f"the file names no version, but has the format of Keras {major}"
    if framework == "tensorflow" and version is not None and _numbers(version) < (2, 4) and not version.endswith("-tf"):
        version = f"{version}-tf"  # as TensorFlow's own would have it
    backend = contents.backend if contents.backend in ("tensorflow", "jax", "torch", "numpy", "openvino") else None
    return FileHints(framework, version, backend, because=because, keras_major=major)


def major_of(contents: ModelContents) -> int | None:
    """Return 2 or 3 for Keras 2 (or anything before) or Keras 3, or None where the file does not show it."""
    numbers = _numbers(contents.keras_version or "")
    if numbers:
        return 3 if numbers[0] >= 3 else 2
    three, two = bool(contents.marks & KERAS3_MARKS), bool(contents.marks & KERAS2_MARKS)
    return None if three == two else 3 if three else 2


def _framework(version: str, own: bool) -> str | None:
    """Return the framework that has a version of Keras; `own` where the file shows that it is TensorFlow's.

    TensorFlow wrote "-tf" until its Keras was 2.4, standalone Keras ended with 2.3.
    """
    numbers = _numbers(version)
    if not numbers:
        return None
    if version.endswith("-tf") or own or (2, 4) <= numbers < (2, 6):
        return "tensorflow"
    return "tf_keras" if (2, 16) <= numbers < (3,) else "keras"


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of major and minor release."""
    found = re.match(r"(\d{1,4})(?:\.(\d{1,4}))?", version)
    return tuple(int(part or 0) for part in found.groups()) if found else ()
