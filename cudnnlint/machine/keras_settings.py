"""Which backend Keras takes here, and what `tf.keras` means, by the environment and by Keras's own file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def keras_json(environment: Mapping[str, str]) -> tuple[Path, dict[str, Any]]:
    """Return the path of Keras's configuration file and what it says; empty where it is absent or unreadable."""
    home = environment.get("KERAS_HOME") or str(Path(environment.get("HOME") or "~").expanduser() / ".keras")
    path = Path(home) / "keras.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return path, {}
    return path, found if isinstance(found, dict) else {}


def backend(environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the backend that Keras 3 will use, and what decides it."""
    named = environment.get("KERAS_BACKEND")
    if named:
        return named, "KERAS_BACKEND"
    path, found = keras_json(environment)
    if isinstance(found.get("backend"), str):
        return str(found["backend"]), path.name
    return "tensorflow", "default"


def legacy(environment: Mapping[str, str]) -> bool:
    """Return whether `tf.keras` means tf_keras, as far as the environment says."""
    return environment.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true")
