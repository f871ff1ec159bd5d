"""Which package and which backend a file runs on, by what it imports and sets."""

from __future__ import annotations

import os
from collections.abc import Iterable

from cudnnlint.core.layer import FileHints
from cudnnlint.core.target import BACKENDS, CPU_BACKENDS
from cudnnlint.targets.pins import Pins


def imported(hints: FileHints) -> frozenset[str]:
    """Return the packages that a source file's layers come from; TF_USE_LEGACY_KERAS makes `tf.keras` tf_keras."""
    legacy = hints.legacy_keras and "tensorflow" in hints.imports
    return hints.imports - {"tensorflow"} | {"tf_keras"} if legacy else hints.imports


def framework(hints: FileHints) -> str:
    """Return the package that the file's layers come from: keras, tf_keras, or tensorflow for `tf.keras`."""
    found = imported(hints)
    if "tf_keras" in found or hints.framework == "tf_keras":
        return "tf_keras"
    return "keras" if "keras" in found or "tensorflow" not in found else "tensorflow"


def backend(hints: FileHints, found: Iterable[Pins]) -> str:
    """Return the file's backend, else KERAS_BACKEND, else the only one that a source names, else TensorFlow.

    A file whose layers come from `tensorflow` shows that it is there, whatever the sources name.
    """
    for said in (hints.backend, os.environ.get("KERAS_BACKEND")):
        runs_here = said in CPU_BACKENDS and hints.keras_version is None  # a saved model is loaded with any backend
        if said in BACKENDS or runs_here:
            return str(said)
    for pins in () if "tensorflow" in hints.imports else found:
        named = [backend for backend in BACKENDS if backend in pins.packages]
        if named:
            return named[0] if len(named) == 1 else "tensorflow"
    return "tensorflow"
