"""Examples of the rulebook that the child runs as a whole: what they make, and whose fault an error is."""

from types import SimpleNamespace

import pytest

from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Construction
from cudnnlint.probe.cases import CONCERN, Claim, _written
from cudnnlint.probe.child.program import Unusable, made, run
from cudnnlint.probe.elsewhere import GRAPH, NO_PROGRAM, REASONS, reason
from cudnnlint.probe.rebuilt_arguments import UnfitAlone, construction
from cudnnlint.rulebook import loader


class RNN:
    """A stand-in for a recurrent layer."""

    __module__ = "keras.fake"
    name = "layer"


KERAS = SimpleNamespace(Model=lambda inputs, outputs: (inputs, outputs))


def program(tmp_path, text):
    file = tmp_path / "example.py"
    file.write_text(text)
    return str(file)


def test_what_an_example_ends_with_is_found_by_the_names_of_the_pages():
    tensor = SimpleNamespace(shape=(), dtype="float32")
    other = SimpleNamespace(shape=(), dtype="float32")
    assert made({"layer": 1, "model": 2}, KERAS) == 2
    assert made({"layer": 1}, KERAS) == 1
    assert made({"x": tensor, "n": 3, "outputs": other}, KERAS) == ([tensor], other)
    assert made({"states": [tensor, tensor], "outputs": other}, KERAS) == ([tensor, tensor], other)
    with pytest.raises(Unusable, match="no model and no layer"):
        made({"x": tensor}, KERAS)


@pytest.mark.parametrize("text", ["model = nowhere", "import xml.nowhere.at_all", "1 / 0"])
def test_an_example_that_stops_by_itself_says_nothing_of_the_framework(tmp_path, text):
    with pytest.raises((Unusable, ModuleNotFoundError)):
        run(program(tmp_path, text), KERAS, 1)


def test_an_error_of_the_library_comes_out_as_it_is(tmp_path):
    with pytest.raises(ValueError, match="Expecting value"):
        run(program(tmp_path, "import json\nlayer = json.loads('x')"), KERAS, 1)
    with pytest.raises(TypeError):  # a call with a wrong argument
        run(program(tmp_path, "layer = dict.fromkeys(wrong=1)"), KERAS, 1)


def test_an_example_with_another_number_of_layers_is_not_asked(tmp_path):
    text = "class RNN:\n    __module__ = 'keras.fake'\n    name = 'x'\nlayer = RNN()\n"
    assert type(run(program(tmp_path, text), KERAS, 1)).__name__ == "RNN"
    with pytest.raises(Unusable, match="another number"):
        run(program(tmp_path, text), KERAS, 2)


def test_stacked_cells_that_are_in_no_list_are_not_rebuilt():
    cell = Construction("LSTMCell", "keras.layers.LSTMCell", {"units": Known(4)})
    stack = Construction("StackedRNNCells", "keras.layers.StackedRNNCells", {}, cells=(cell,))
    with pytest.raises(UnfitAlone, match="in no list"):
        construction(stack, True)


def test_an_example_gets_the_cell_that_belongs_to_the_class():
    text = "class A(keras.layers.LSTMCell): pass\nlayer = keras.layers.LSTM(64)"
    assert _written(text, "GRU", "keras.layers.GRU") == text.replace("LSTM", "GRU")
    assert _written(text, "RNN", "keras.layers.RNN").startswith("class A(keras.layers.LSTMCell)")
    assert _written(text, None, "keras.layers.LSTM") == text


def test_an_example_gets_what_the_class_requires():
    text = "x = keras.Input((10, 4))\nlayer = keras.layers.LSTM(64, dropout=0.2)(x)"
    assert _written(text, "RNN", "keras.layers.RNN").endswith("RNN(keras.layers.LSTMCell(64, dropout=0.2))(x)")
    assert _written(text, "ConvLSTM2D", "keras.layers.ConvLSTM2D") == (
        "x = keras.Input((10, 8, 8, 4))\nlayer = keras.layers.ConvLSTM2D(64, dropout=0.2, kernel_size=3)(x)"
    )
    assert "SimpleRNN(64" in _written(text, "SimpleRNN", "keras.layers.SimpleRNN")


def test_each_reason_is_about_a_rule_and_each_claim_has_one():
    assert set(REASONS) <= set(loader.load().rules)
    assert reason(Claim("graph.op", CONCERN, "gpu-hidden")) == GRAPH
    assert reason(Claim(None, CONCERN, "unloadable-file")) == REASONS["unloadable-file"]
    assert reason(Claim(None, CONCERN, "activation")) == NO_PROGRAM
