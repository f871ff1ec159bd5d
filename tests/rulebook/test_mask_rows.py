"""The mask table is refused where a row is flawed, and the epochs cover every release once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.masking import Epoch
from cudnnlint.core.target import Era, Point, Span
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


def test_a_class_that_changes_was_asked_of_the_newest_release_before() -> None:
    evidence = json.loads((loader.folder().parent / "fixtures/evidence/masks.json").read_text(encoding="utf-8"))
    about = [one["about"] for one in evidence["releases"]]
    asked = [Version(one["tensorflow"]) for one in about if one["framework"] == "tensorflow"]
    for row in table_loader.read(loader.folder() / "tables/masks.toml")["change"]:
        before = [release for release in asked if release in Span.of(row.get("since"), row["until"])]
        assert Version(row["checked"]) == max(before), row["name"]


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
    beside = {"CuDNNGRU", "CuDNNLSTM", "GroupedQueryAttention", "SyncBatchNormalization"}
    assert names.masks.dtypes.keys() - every == beside
    assert names.masks.classes.keys() - every == beside | {"Deconvolution2D", "RandomFourierFeatures"}


def test_a_class_that_has_two_rows_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(loader.folder() / "tables", tmp_path / "tables"))
    with (folder / "masks.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[class]]\nname = ["Dense"]\nmasks = "drops"\nchecked = "3.15.1"\nsource = "nowhere"\n')
    with pytest.raises(RulebookError):
        table_loader.load(folder)


@pytest.mark.parametrize("backend", ["tensorflow", "torch", "jax", "numpy", "openvino"])
def test_every_release_lies_in_one_epoch(backend: str) -> None:
    epochs = loader.load().tables.names.masks.epochs
    for minor in range(30):
        for generation, framework in ((2, "tf_keras"), (3, "keras")):
            point = Point(framework, Version(f"{generation}.{minor}.0"), backend, None)
            assert sum(epoch.era.holds(point) for epoch in epochs) == 1, point


#: Releases, one of each epoch.
EPOCHS = (
    "2.0", "2.2", "2.3", "2.5", "2.10", "3.0", "3.4", "3.5", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.14",
)  # fmt: skip
#: What is not usual, from which of them to which, and for JAX alone where it says so.
UNUSUAL: dict[str, tuple[str, str, bool]] = {
    "graph_again": ("2.0", "2.0", False), "first_sees": ("2.0", "2.2", False),
    "extra_tensors_hide": ("2.0", "2.10", False), "lists": ("3.0", "3.0", False),
    "model_cast_keeps": ("2.2", "2.10", False), "explicit": ("3.0", "3.10", False),
    "sequential_cast_keeps": ("3.0", "3.4", False), "graph_casts": ("3.0", "3.9", False),
    "own_indices": ("3.0", "3.11", False), "attention_takes": ("3.8", "3.14", False),
    "cast_keeps": ("3.5", "3.12", False), "same_tensor": ("3.12", "3.14", True), "doubles": ("3.12", "3.14", True),
}  # fmt: skip


@pytest.mark.parametrize("what", UNUSUAL)
@pytest.mark.parametrize("backend", ["tensorflow", "jax"])
def test_masks_are_handled_otherwise_in_these_releases(what: str, backend: str) -> None:
    first, last, on_jax = UNUSUAL[what]
    usual = getattr(Epoch(Era(3)), what)
    unlike = []
    for release in EPOCHS:
        point = Point("keras" if release[0] == "3" else "tf_keras", Version(release), backend, None)
        (epoch,) = (epoch for epoch in loader.load().tables.names.masks.epochs if epoch.era.holds(point))
        unlike += [release] if getattr(epoch, what) != usual else []
    expected = EPOCHS[EPOCHS.index(first) : EPOCHS.index(last) + 1]
    assert unlike == ([] if on_jax and backend != "jax" else [*expected])


def test_a_class_stops_at_a_mask_in_these_releases() -> None:
    epochs = loader.load().tables.names.masks.epochs
    assert {name: words for epoch in epochs for name, words in epoch.stops.items()} == {
        "Concatenate": "Keras 3.4 to 3.11",
        "Attention": "releases of Keras 3 before 3.7", "AdditiveAttention": "releases of Keras 3 before 3.7",
        "Attention by its values": "Keras 3.7 to 3.11", "AdditiveAttention by its values": "Keras 3.7 to 3.11",
        "Attention of three inputs": "releases of Keras 2.2",
        "AdditiveAttention of three inputs": "releases of Keras 2.2",
        "inputs with and without a mask given to Concatenate along another axis than the last":
            "all releases of Keras 2",
        "TimeDistributed": "Keras 3.4 to 3.8", "Softmax": "all releases of Keras 3",
    }  # fmt: skip
    assert {epoch.stops.get("Softmax", "") for epoch in epochs if epoch.era.major == 2} == {"", "Keras 2.3 and later"}


@pytest.mark.parametrize(
    ("what", "old", "new", "converts"),
    [
        ("attention heads", ["2.2.4", "2.9.0", "2.9.0-tf"], ["2.10.0", "2.10.0-tf"], False),
        ("sequences of a Bidirectional", ["2.0.0", "2.3.1", "2.1.6-tf"], ["2.4.0", "2.2.4-tf"], True),
        ("last output of a Bidirectional", ["2.2.4-tf"], ["2.2.4", "2.3.1", "2.1.6-tf", "2.2.5-tf", "2.3.0-tf"], True),
    ],
)
def test_files_of_these_releases_used_a_mask_otherwise(
    what: str, old: list[str], new: list[str], converts: bool
) -> None:
    (use,) = (use for use in loader.load().tables.names.masks.once if use.of == what)
    assert [version for version in (*old, *new) if use.holds(version)] == old
    assert use.converts is converts
