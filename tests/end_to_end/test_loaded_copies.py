"""A model that the program saves and loads again: where it stops already, its copy is not listed at `load_model`."""

from __future__ import annotations

from cudnnlint.engine import judge
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook.loader import load
from cudnnlint.targets import environment, requested

BOOK = load()
TARGETS = requested.parse(["keras@3.15.1"], environment.releases(BOOK.tables))
HEAD = """import keras
from keras import layers
i = keras.Input((5, 3))
"""
SECOND = "x = layers.LSTM(4{})(layers.LSTM(4)(i))\n"
SAVED = """m = keras.Model(i, x)
m.save("m.keras")
n = keras.models.load_model("m.keras")
"""


def _seen(text: str) -> list[tuple[int, str]]:
    judged = judge(read("p.py", text.encode(), BOOK.tables.names), TARGETS, BOOK)
    return [(one.place.row, one.judgements[0].verdict.value) for one in judged.layers if one.place is not None]


def test_copies_of_a_model_that_stops_are_not_listed() -> None:
    """Keras raises at the second LSTM, whose input has two dimensions, and saves no file."""
    assert _seen(HEAD + SECOND.format("") + SAVED) == [(4, "raises"), (4, "cudnn")]


def test_layers_in_wrappers_and_models_inside_are_copies_too() -> None:
    """The copies of the Bidirectional and of the model inside are of the same model."""
    inside = "inner = keras.Sequential([layers.Bidirectional(layers.LSTM(2))])\nx = layers.LSTM(4)(inner(i))\n"
    assert _seen(HEAD + inside + SAVED) == [(4, "cudnn"), (4, "cudnn"), (5, "raises")]


def test_copies_of_a_model_that_runs_are_listed() -> None:
    """Without its error the program goes on, and constructs the layers once more."""
    works = HEAD + SECOND.format(", activation='relu'").replace("layers.LSTM(4)(i)", "i") + SAVED
    assert _seen(works) == [(4, "fallback"), (7, "fallback")]


def test_a_function_that_loads_lists_the_model_that_runs() -> None:
    """Of two files that are loaded on one line, that of the model which stops is left out."""
    good = "g = keras.Sequential([i, layers.GRU(2)])\ng.save('g.keras')\n"
    text = HEAD + SECOND.format("") + SAVED.replace('"m.keras")\nn =', '"m.keras")\nload = lambda p:').replace(
        'load_model("m.keras")', "load_model(p)"
    )
    assert _seen(text + good + "load('m.keras')\nload('g.keras')\n") == [
        (4, "raises"), (4, "cudnn"), (7, "cudnn"), (8, "cudnn"),
    ]  # fmt: skip


def test_a_model_that_is_trained_under_another_target_stays() -> None:
    """A layer that stops in Keras 3 alone has its copy where Keras 2 loads it."""
    targets = requested.parse(["keras@3.15.1", "tf_keras@2.18"], environment.releases(BOOK.tables))
    text = HEAD + "x = layers.LSTM(4, time_major=True)(i)\n" + SAVED
    judged = judge(read("p.py", text.encode(), BOOK.tables.names), targets, BOOK)
    found = [(one.place and one.place.row, [str(j.target)[:4] for j in one.judgements]) for one in judged.layers]
    assert found == [(4, ["kera", "tf_k"]), (7, ["tf_k"])]
