"""Configs that a program changes in a way that is not followed: what is made from them is listed as unknown."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import OneOf
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

BEFORE = """import json, re, sys, keras
m = keras.Sequential([keras.Input((5, 2)), keras.layers.LSTM(3, recurrent_dropout=0.2)])
c = m.get_config()
"""
#: A recursion whose end is not seen: one of its arguments is not known.
RECURSION = """def strip(cfg, rate):
    if isinstance(cfg, dict):
        for k in list(cfg):
            if k == "recurrent_dropout":
                cfg[k] = 0.0
            else:
                strip(cfg[k], rate)
    elif isinstance(cfg, list):
        for v in cfg:
            strip(v, rate)
strip(c, len(sys.argv))
made = keras.Sequential.from_config(c)
"""
SUBSTITUTION = """text = re.sub('"recurrent_dropout": [0-9.]+', '"recurrent_dropout": 0.0', m.to_json())
made = keras.models.model_from_json(text)
"""


@pytest.mark.parametrize("text", [RECURSION], ids=["recursion"])
def test_a_layer_of_a_config_in_doubt_is_listed_as_unsure(text: str, names: Names) -> None:
    program = BEFORE + text
    layers = read("case.py", program.encode(), names).layers
    last = [layer for layer in layers if layer.place.row == program.count("\n")]
    assert [bool(variant.unsure) for layer in last for variant in layer.variants] == [True]


def test_a_text_of_a_model_in_doubt_has_layers_of_which_nothing_is_known(names: Names) -> None:
    program = BEFORE + SUBSTITUTION
    (last,) = [one for one in read("case.py", program.encode(), names).layers if one.place.row == program.count("\n")]
    (made,) = last.variants
    assert made.class_name == "LSTM"
    assert made.open
    assert isinstance(made.arguments["recurrent_dropout"], OneOf)
