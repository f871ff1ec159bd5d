"""Which release a file of a project is judged for: its requirements, its Python, and what its modules import."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run
from shell_samples import write

MODEL = "m = keras.Sequential([keras.layers.LSTM(4, input_shape=(3, 4))])\n"


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()


def project(folder: Path, run: Callable[..., Run], files: dict[str, str]) -> tuple[str, str]:
    """Return the release that model.py is judged for, as `KERAS` or `KERAS on TENSORFLOW`, and why."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(folder, name, text)
    report = json.loads(run(".", "--output-format", "report", "--no-cache").out)
    (target,) = next(file["targets"] for file in report["files"] if file["path"].endswith("model.py"))
    return f"{target['framework']} {target['keras']} on {target.get('tensorflow')}", target["origin"]


@pytest.mark.parametrize(
    "files",
    [
        {"compat.py": "from tensorflow import keras\n", "model.py": f"from compat import keras\n{MODEL}"},
        {"model.py": "import keras\nimport tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.LSTM(4)])\n"},
    ],
    ids=["through a module of the project", "beside an import of keras that makes no layer"],
)
def test_layers_decide_which_package_is_judged(tmp_path: Path, run: Callable[..., Run], files: dict[str, str]) -> None:
    found, _ = project(tmp_path, run, {"requirements.txt": "tensorflow==2.1.0\n", **files})
    assert found == "tensorflow 2.1.0 on 2.1.0"
