"""Programs with a layer beside the recurrent one that Keras may refuse to make, run in the installed Keras 3."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cudnnlint import check_many

sys.path.insert(0, str(Path(__file__).resolve().parent))

BEGIN = "import keras\nfrom keras import layers\n"
#: Layers in front of an LSTM, or behind it where `{}` stands for it, and the shape of the input.
LAYERS = {
    "layers.Conv1D(filters=8, kernel_size=3, border_mode='same')": (10, 4),
    "layers.Conv1D(filters=8, kernel_size=3, padding='same')": (10, 4),
    "layers.Conv1D(nb_filter=8, filter_length=3)": (10, 4),
    "layers.Conv1D(filters=8, kernel_size=3, groups=2)": (10, 4),
    "layers.Dense(output_dim=8)": (10, 4),
    "layers.Dense(8, init='uniform')": (10, 4),
    "layers.Dense(8, W_regularizer=None)": (10, 4),
    "layers.Dense(8, kernel_regularizer=None)": (10, 4),
    "layers.Dense(8.0)": (10, 4),
    "layers.Dense(16 / 2)": (10, 4),
    "layers.Dense(16 // 2)": (10, 4),
    "layers.Dense(0)": (10, 4),
    "layers.Dense(8, activation='Relu')": (10, 4),
    "layers.Dense(8, activation='relu')": (10, 4),
    "layers.Dense(8, activation=None)": (10, 4),
    "layers.Embedding(9, 4, dropout=0.2)": (10,),
    "layers.Embedding(9, 4, input_length=10)": (10,),
    "layers.Embedding(9, 4.0)": (10,),
    "layers.Embedding(0, 4)": (10,),
    "layers.Dropout(p=0.5)": (10, 4),
    "layers.Dropout(rate=0.5)": (10, 4),
    "layers.Dropout(rate=1.5)": (10, 4),
    "layers.MaxPooling1D(pool_length=2)": (10, 4),
    "layers.MaxPooling1D(pool_size=2)": (10, 4),
    "layers.BatchNormalization(mode=1)": (10, 4),
    "layers.BatchNormalization(momentum=0.9)": (10, 4),
    "layers.LeakyReLU(alpha=0.3)": (10, 4),
    "layers.LeakyReLU(negative_slope=0.3)": (10, 4),
    "layers.GaussianNoise(sigma=0.1)": (10, 4),
    "layers.GaussianNoise(stddev=0.1)": (10, 4),
    "layers.SpatialDropout1D(p=0.2)": (10, 4),
    "layers.Masking(value=0.0)": (10, 4),
    "layers.Masking(mask_value=0)": (10, 4),
}


def programs() -> dict[str, str]:
    """Return each layer before the recurrent one, in both kinds of model, and behind it."""
    found = {}
    for layer, shape in LAYERS.items():
        found[f"before, {layer}"] = (
            f"model = keras.Sequential()\nmodel.add(keras.Input({shape}))\nmodel.add({layer})\n"
            "model.add(layers.LSTM(4))\n"
        )
        found[f"to, {layer}"] = f"x = keras.Input({shape})\ny = layers.LSTM(4)({layer}(x))\n"
        if len(shape) > 1:
            found[f"behind, {layer}"] = (
                f"model = keras.Sequential([keras.Input({shape}), layers.LSTM(4, return_sequences=True), {layer}])\n"
            )
    return found


def runs(text: str) -> bool:
    """Return whether the installed Keras builds the model."""
    try:
        exec(BEGIN + text, {})
    except (ValueError, TypeError):
        return False
    return True


@pytest.mark.slow
def test_a_layer_that_keras_refuses_stops_its_model(tmp_path: Path) -> None:
    keras = pytest.importorskip("keras", minversion="3")
    every = programs()
    paths = {name: tmp_path / f"{number}.py" for number, name in enumerate(every)}
    for name, text in every.items():
        paths[name].write_text(BEGIN + text, encoding="utf-8")
    said = {}
    for report in check_many(list(paths.values()), target=f"keras@{keras.__version__}:tensorflow"):
        for file in report.files:
            said[Path(file.path).name] = [one.verdict.value for layer in file.layers for one in layer.judgements]
    wrong = []
    for name, text in every.items():
        (verdict,) = said[paths[name].name]
        if verdict not in (("cudnn", "depends") if runs(text) else ("raises",)):
            wrong.append((name, verdict))
    assert wrong == []
