"""The masks of a layer of one's own with several outputs: flattened, one for one (asked of Keras 3.15.1 and tf_keras).

A dict of outputs or of masks counts in the order of its keys, and an input without a mask takes its place.
"""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import Known
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

PROGRAM = """
import keras
from keras import layers

class Own(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
    def call(self, inputs):
        x = {picked} * 1
        return {returned}

plain = keras.Input((5, 4))
masked = layers.Embedding(9, 4, mask_zero=True)(keras.Input((5,)))
result = Own()({given})
{unpacked}
"""
#: What the layer is given, and of each mask whether it is there.
GIVEN = {
    "masked": "1",
    "[masked, masked]": "11",
    "[masked, plain]": "10",
    "[plain, masked]": "01",
    "{'b': plain, 'a': masked}": "10",
    "{'b': masked, 'a': plain}": "01",
}
#: What the layer returns, and the layers behind each output, in the order in which the outputs are flattened.
RETURNED = {
    "x": ["result"],
    "(x, x * 2)": ["result[0]", "result[1]"],
    "[x, x * 2, x * 3]": ["result[0]", "result[1]", "result[2]"],
    "(x, (x * 2, x * 3))": ["result[0]", "result[1][0]", "result[1][1]"],
    "{'q': x, 'p': x * 2}": ["result['p']", "result['q']"],
}


@pytest.mark.parametrize("returned", RETURNED)
@pytest.mark.parametrize("given", GIVEN)
def test_masks_go_to_the_outputs_in_order(names: Names, given: str, returned: str) -> None:
    picked = "inputs['a']" if given.startswith("{") else "inputs[0]" if given.startswith("[") else "inputs"
    lines = "\n".join(f"layers.LSTM(3)({part})" for part in RETURNED[returned])
    text = PROGRAM.format(picked=picked, returned=returned, given=given, unpacked=lines)
    found = [call.context("mask") for layer in read("case.py", text.encode(), names).layers for call in layer.calls]
    expected = ["data" if GIVEN[given][place : place + 1] == "1" else "none" for place in range(len(found))]
    assert [fact.value for fact in found if isinstance(fact, Known)] == expected
    assert len(found) == len(RETURNED[returned])
