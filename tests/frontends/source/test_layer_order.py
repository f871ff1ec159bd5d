"""`model.layers` of a functional model has the order of Keras; the orders were asked of Keras 3.15.1 and tf_keras."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

from cudnnlint.core.fact import Known
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

#: Inputs of two lengths and one that is not used, a shared layer, states, a nested model and a layer of its own class.
MODEL = """
import keras
from keras import layers

class Own(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.inner = layers.GRU(4, return_sequences=True)
    def call(self, x):
        return self.inner(x)

a, b, idle = keras.Input((5, 4)), keras.Input((4,)), keras.Input((2,))
shared = layers.LSTM(4, return_sequences=True, name="shared")
nested = keras.Sequential([keras.Input((5, 4)), layers.Dense(4), layers.LSTM(4, return_sequences=True)], name="nested")
long = shared(nested(a))
repeated = layers.RepeatVector(5, name="repeated")(b)
out, h, c = layers.LSTM(4, return_state=True, name="states")(repeated)
decoded = layers.LSTM(4, return_sequences=True, name="decoder")(Own(name="own")(shared(long)), initial_state=[h, c])
last = layers.Dense(3, name="last")(layers.concatenate([decoded, repeated], name="both"))
model = keras.Model([a, b, idle], [last, layers.Dense(2, name="short")(b)])
"""
ORDER = ["", "nested", "shared", "", "repeated", "own", "states", "decoder", "both", "", "last", "short"]


def _units(program: str, names: Names) -> list[object]:
    """Return the units of every LSTM that a program makes at its end."""
    found = read("p.py", (MODEL + program).encode(), names).layers
    units = (layer.variants[0].arguments.get("units") for layer in found)
    return [fact.value if isinstance(fact, Known) else fact for fact in units]


@pytest.mark.parametrize(("place", "name"), [(place, name) for place, name in enumerate(ORDER) if name])
def test_the_layers_of_a_graph_are_in_the_order_of_keras(place: int, name: str, names: Names) -> None:
    program = f"layers.LSTM(77 if model.layers[{place}].name == {name!r} else 78)\n"
    assert _units(program, names)[-1] == 77


def test_an_entry_of_a_graph_with_an_operation_may_be_any_layer(tmp_path: Path, run: Callable[..., Run]) -> None:
    """Keras 2 makes a layer of an operation, Keras 3 makes none: what such an entry is called on says nothing."""
    file = tmp_path / "p.py"
    file.write_text(
        "import keras\nfrom keras import layers\nx = keras.Input((5, 4))\n"
        "y = layers.LSTM(3, return_sequences=True)(x)\nmodel = keras.Model(x, layers.Dense(2)(y * 2.0))\n"
        "model.layers[2](keras.Input((7,)))\n"
    )
    report = json.loads(run("check", str(file), "--target", "keras@3.15", "--output-format", "report").out)
    assert [layer["verdicts"][0]["verdict"] for layer in report["files"][0]["layers"]] == ["cudnn"]
