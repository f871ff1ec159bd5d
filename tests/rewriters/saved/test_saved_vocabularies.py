"""Vocabularies of layers that look words up: from the text in a `.keras` archive into the configuration."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import h5py
import pytest
from saved_samples import config, convert_here

from cudnnlint.core.errors import Refused

TEXT = {
    "name": "culprit", "trainable": True, "dtype": "string", "max_tokens": None, "standardize": "lower",
    "split": "whitespace", "ngrams": None, "output_mode": "int", "output_sequence_length": 4, "vocabulary": None,
    "pad_to_max_tokens": False, "sparse": False, "ragged": False, "idf_weights": None, "encoding": "utf-8",
    "vocabulary_size": 4, "batch_input_shape": [None],
}  # fmt: skip
WHOLE = {
    "name": "culprit", "trainable": True, "dtype": "int64", "invert": False, "max_tokens": None, "vocabulary": None,
    "num_oov_indices": 1, "oov_token": -1, "mask_token": None, "output_mode": "int", "vocabulary_dtype": "int64",
    "sparse": False, "pad_to_max_tokens": False, "idf_weights": None,
}  # fmt: skip
TEXTS, NUMBERS = "assets/layers/text_vectorization/vocabulary.txt", "assets/layers/integer_lookup/vocabulary.txt"


def saved(path: Path, class_name: str, settings: dict[str, Any], members: dict[str, bytes]) -> Path:
    """A `.keras` file as tf_keras writes it, of an input and one layer."""
    dtype = "string" if class_name == "TextVectorization" else "int64"
    given = {"batch_input_shape": [None, 1], "dtype": dtype, "sparse": False, "ragged": False, "name": "text"}
    layers = [
        {"module": "keras.layers", "class_name": kind, "config": each, "registered_name": None}
        for kind, each in (("InputLayer", given), (class_name, settings))
    ]
    model = {"module": "keras", "class_name": "Sequential", "config": {"name": "s", "layers": layers}}
    weights = io.BytesIO()
    with h5py.File(weights, "w") as file:
        for group in (file, *map(file.create_group, ("layers/text_vectorization", "layers/integer_lookup"))):
            group.create_group("vars")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", json.dumps({"keras_version": "2.15.0"}))
        archive.writestr("config.json", json.dumps(model))
        archive.writestr("model.weights.h5", weights.getvalue())
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def converted(path: Path, suffix: str = ".keras") -> dict[str, Any]:
    """The configuration of the layer in the new file."""
    result, outcome = convert_here(path, path.parent, suffix)
    assert not any("assets" in warning for warning in outcome.warnings)
    if suffix == ".keras":
        with zipfile.ZipFile(result) as archive:
            assert archive.namelist() == ["metadata.json", "config.json", "model.weights.h5"]
    return config(result)["config"]["layers"][1]["config"]


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_words_of_a_text_go_into_the_configuration(suffix: str, end: str, tmp_path: Path) -> None:
    words = ["", "[UNK]", "caf\u00e9", "a\u2028b"]
    old = saved(tmp_path / "old.keras", "TextVectorization", TEXT, {TEXTS: end.join(words).encode()})
    assert converted(old, suffix)["vocabulary"] == words


def test_the_numbers_of_an_integer_lookup_are_numbers(tmp_path: Path) -> None:
    old = saved(tmp_path / "old.keras", "IntegerLookup", WHOLE, {NUMBERS: b"-1\n7\n5"})
    assert converted(old)["vocabulary"] == [-1, 7, 5]


@pytest.mark.parametrize(
    ("settings", "members", "why"),
    [
        ({}, {}, "its vocabulary is not in the file"),
        ({}, {TEXTS: b"\xff\xfe"}, "is not in UTF-8"),
        ({"vocabulary": "/home/me/words.txt"}, {}, "in a file of its own, '/home/me/words.txt'"),
        ({"vocabulary": ["a"], "split": "cut_words"}, {}, "split is a function of your own"),
        ({"vocabulary": ["a"], "ragged": True}, {}, "ragged=True"),
        ({"vocabulary": ["a"], "output_mode": "tf_idf"}, {}, "idf_weights"),
    ],
)
def test_what_the_file_does_not_show_is_refused_with_the_layer(
    settings: dict[str, Any], members: dict[str, bytes], why: str, tmp_path: Path
) -> None:
    old = saved(tmp_path / "old.keras", "TextVectorization", {**TEXT, **settings}, members)
    with pytest.raises(Refused, match=why) as refusal:
        converted(old)
    assert refusal.value.layer_path == "culprit"


def test_words_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    old = saved(tmp_path / "old.keras", "IntegerLookup", WHOLE, {NUMBERS: b"-1\nseven"})
    with pytest.raises(Refused, match="whole numbers"):
        converted(old)
