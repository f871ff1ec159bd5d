"""Models as the installed Keras 3 writes them: what it writes that older releases do not know.

    python later_models.py            prints {"RELEASE MODEL": the configuration as `to_json` writes it}

loaded_configs.py asks each release which of them it builds. Both are in fixtures/evidence/later_settings.xz;
test_later_settings.py replays it.
"""

from __future__ import annotations

import json
import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def models(keras: Any) -> dict[str, Any]:
    """Return one model for each thing that may be written otherwise; what the release lacks is left out."""
    layers, zeros = keras.layers, {f"{name}_initializer": "zeros" for name in ("kernel", "recurrent")}
    plain = layers.LSTM(2, **zeros)
    steps = {
        "LSTM": [], "GRU": [layers.GRU(2, return_sequences=True)], "zeros": [plain],
        "cell": [layers.RNN(layers.LSTMCell(2), return_sequences=True)],
        "cells": [layers.RNN([layers.GRUCell(2), layers.LSTMCell(2)], return_sequences=True)],
        "Bidirectional": [layers.Bidirectional(layers.LSTM(2, return_sequences=True))],
        "ConvLSTM1D": [layers.Reshape((4, 3, 1)), layers.ConvLSTM1D(2, 1)],
        "Dense": [layers.Dense(2, kernel_initializer="zeros")], "initializer": [layers.Dense(2)],
        "HeNormal": [layers.Dense(2, kernel_initializer="he_normal")],
        "TimeDistributed": [layers.TimeDistributed(layers.Dense(2, kernel_initializer="zeros"))],
        "BatchNormalization": [layers.BatchNormalization()], "LayerNormalization": [layers.LayerNormalization()],
        "Conv1D": [layers.Conv1D(2, 1, kernel_initializer="zeros")], "ZeroPadding1D": [layers.ZeroPadding1D()],
        "Dropout": [layers.Dropout(0.1), layers.SpatialDropout1D(0.1)], "Masking": [layers.Masking()],
    }  # fmt: skip
    if hasattr(layers, "RMSNormalization"):
        steps["RMSNormalization"] = [layers.RMSNormalization()]
    found = {}
    for name, between in steps.items():
        last = [] if name in ("zeros", "ConvLSTM1D") else [plain if name not in ("LSTM",) else layers.LSTM(2)]
        found[name] = keras.Sequential([keras.Input((4, 3)), *between, *last])
    words = keras.Input((4,))
    embedded = layers.Embedding(5, 3, embeddings_initializer="zeros")(words)
    found["Embedding"] = keras.Model(words, layers.SimpleRNN(2, **zeros)(embedded))
    x = keras.Input((4, 3))
    for name, attention in {
        "MultiHeadAttention": layers.MultiHeadAttention(1, 2, kernel_initializer="zeros"),
        "GroupQueryAttention": layers.GroupQueryAttention(2, 2, 1, kernel_initializer="zeros"),
    }.items():
        found[name] = keras.Model(x, plain(attention(x, x)))
    return found


if __name__ == "__main__":
    import keras

    print(json.dumps({f"{keras.__version__} {name}": made.to_json() for name, made in models(keras).items()}))
