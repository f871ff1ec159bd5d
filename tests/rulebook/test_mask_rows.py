"""The mask table is refused where a row is flawed, and the epochs cover every release once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.target import Point
from cudnnlint.rulebook import loader, table_loader

CONSTRUCTORS = json.loads(
    (loader.folder().parent / "fixtures" / "evidence" / "constructors.json").read_text(encoding="utf-8")
)
#: Of keras.layers: bases, cells, and what holds a model of another framework or other layers.
NO_LAYERS = {
    "AbstractRNNCell", "FlaxLayer", "GRUCell", "InputSpec", "JaxLayer", "LSTMCell", "Layer", "MaxNumBoundingBoxes",
    "Pipeline", "SimpleRNNCell", "StackedRNNCells", "TFSMLayer", "TorchModuleWrapper", "Wrapper",
}  # fmt: skip
#: What decides their dtype is code, or it is not known.
BY_CODE = {
    "Activation", "ContrastLimitedAdaptiveHistogramEqualization", "DenseFeatures", "GroupNormalization", "Lambda",
    "RandomGrayscale", "RandomHeight", "RandomWidth", "TimeDistributed",
}  # fmt: skip


@pytest.mark.parametrize("key", ["checked", "source"])
def test_a_row_without_proof_is_refused(key: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(loader.folder() / "tables", tmp_path / "tables"))
    masks = folder / "masks.toml"
    lines = masks.read_text(encoding="utf-8").splitlines(keepends=True)
    for number in [number for number, line in enumerate(lines) if line.startswith(f"{key} = ")][::12]:
        masks.write_text("".join(lines[:number] + lines[number + 1 :]), encoding="utf-8")
        with pytest.raises(RulebookError):
            table_loader.load(folder)


def test_every_class_of_keras_has_a_row() -> None:
    """A class without a row would be taken for somebody's own."""
    names = loader.load().tables.names
    every = {name for record in CONSTRUCTORS for name in record["orders"]}
    assert {*every, *names.recurrent} - names.masks.classes.keys() == NO_LAYERS | {"RandomColorJitter"}
    assert {*every, *names.recurrent} - names.masks.dtypes.keys() == NO_LAYERS | BY_CODE


def test_a_class_that_has_two_rows_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(loader.folder() / "tables", tmp_path / "tables"))
    with (folder / "masks.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[class]]\nname = ["Dense"]\nmasks = "drops"\nchecked = "3.15.1"\nsource = "nowhere"\n')
    with pytest.raises(RulebookError):
        table_loader.load(folder)


@pytest.mark.parametrize("backend", ["tensorflow", "torch", "jax"])
def test_every_release_lies_in_one_epoch(backend: str) -> None:
    epochs = loader.load().tables.names.masks.epochs
    for minor in range(30):
        for generation, framework in ((2, "tf_keras"), (3, "keras")):
            point = Point(framework, Version(f"{generation}.{minor}.0"), backend, None)
            assert sum(epoch.era.holds(point) for epoch in epochs) == 1, point
