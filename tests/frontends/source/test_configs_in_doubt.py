"""Configs that a program changes in a way that is not followed: what is made from them is listed as unknown."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("text", [RECURSION], ids=["recursion"])
def test_a_layer_of_a_config_in_doubt_is_listed_as_unsure(text: str, names: Names) -> None:
    program = BEFORE + text
    layers = read("case.py", program.encode(), names).layers
    last = [layer for layer in layers if layer.place.row == program.count("\n")]
    assert [variant.unsure != "" for layer in last for variant in layer.variants] == [True]
