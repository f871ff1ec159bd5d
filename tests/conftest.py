"""What holds for every test: the caller's own settings do not reach it, and no framework is imported in vain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

#: What Keras, TensorFlow, terminals and CI services read; a test that is about one of them sets it.
SETTINGS = (
    "CI_PROJECT_DIR",
    "COLUMNS",
    "FORCE_COLOR",
    "KERAS_BACKEND",
    "NO_COLOR",
    "TF_USE_LEGACY_KERAS",
)
#: Imports two Kerases to say which tests it has, all of them slow.
IMPORTS_KERAS = "test_saved_in_keras.py"


def pytest_configure(config: pytest.Config) -> None:
    """Take away what would choose a backend, a Keras, a width or a colour, and the caller's keras.json."""
    for name in SETTINGS:
        os.environ.pop(name, None)
    os.environ["KERAS_HOME"] = str(Path(os.devnull) / "keras")  # nothing is found there, and nothing can be left


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what would import TensorFlow only to be deselected."""
    unwanted = config.getoption("markexpr") == "not slow"
    return True if unwanted and collection_path.name == IMPORTS_KERAS else None
