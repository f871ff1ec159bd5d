"""Tensors that are not followed: when a mask is possible, and what a text that only speaks of masks changes."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import Assumed, Unknown
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read


def mask(names: Names, text: str) -> object:
    """The mask that reaches the only recurrent layer."""
    (layer,) = read("case.py", text.encode(), names).layers
    (call,) = layer.calls
    return call.context("mask")


@pytest.mark.parametrize("said", ['"""Uses mask_zero=True."""', "'''Masking is left out.'''", "# mask_zero=True"])
def test_a_docstring_or_comment_makes_no_mask(names: Names, said: str) -> None:
    text = f"{said}\nfrom keras.layers import LSTM\nfrom elsewhere import make\nLSTM(4)(make())\n"
    assert isinstance(mask(names, text), Assumed)


def test_a_docstring_beside_code_that_makes_masks(names: Names) -> None:
    text = (
        "'''Uses mask_zero=True.'''\nfrom keras.layers import LSTM, Embedding\nfrom elsewhere import make\n"
        "embedding = Embedding(9, 4, mask_zero=True)\nLSTM(4)(make())\n"
    )
    assert isinstance(mask(names, text), Unknown)


@pytest.mark.parametrize("given", ["model.output", "model.layers[-2].output", "model(keras.Input((5,)))"])
@pytest.mark.parametrize("loaded", ["keras.models.load_model('a.h5')", "keras.saving.load_model('a.keras')"])
def test_a_model_from_a_file_may_make_masks(names: Names, loaded: str, given: str) -> None:
    text = f"import keras\nmodel = {loaded}\nkeras.layers.LSTM(4)({given})\n"
    assert isinstance(mask(names, text), Unknown)
