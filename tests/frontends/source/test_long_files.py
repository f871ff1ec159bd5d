"""Files that are too long to be followed to their end: what is followed first, given up, and still listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_brief import brief

from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source.project.project import Folder
from cudnnlint.frontends.source.python import budget, entry_points
from cudnnlint.frontends.source.reader import read

LONG = "".join(f"    t = foo(t, {n}) + bar({n})\n" for n in range(300))
UNSEEN = "LSTM(**?)"


def rows(model: Model) -> dict[int, list[str]]:
    """The layers by the row that constructs them."""
    found: dict[int, list[str]] = {}
    for layer in model.layers:
        assert layer.place.row is not None
        found.setdefault(layer.place.row, []).append(brief(layer))
    return found


def test_what_is_not_followed_to_its_end_is_listed_by_its_name(names: Names) -> None:
    program = (
        f"import keras\nfrom keras.layers import LSTM\ndef first(t):\n    LSTM(1)\n{LONG}    LSTM(2)\n"
        f"def second():\n    from keras.layers import GRU\n    GRU(3)\n    if 0:\n        LSTM(4)\nsecond()\n"
        f"x = 1\nif x:\n{LONG}    keras.layers.LSTM(5, unroll=True)\n"
    )
    model = read("p.py", program.encode(), names, steps=1500)
    end = program.count("\n")
    assert model.cuts == (entry_points.TOO_LARGE,)
    assert rows(model) == {4: [UNSEEN], 305: [UNSEEN], 308: ["GRU(units=3) <-311"], end: [UNSEEN]}
    assert {layer.variants[0].open for layer in model.layers} == {None, budget.NOT_FOLLOWED}
    whole = read("p.py", program.encode(), names)
    assert whole.cuts == ()
    assert list(rows(whole)) == list(rows(model))


def test_what_the_rest_may_call_is_not_judged_by_its_defaults(names: Names) -> None:
    """The end of `first` was not reached, and it names the helper: with which rate is not known."""
    helper = "from keras.layers import LSTM\ndef make(rate=0.0):\n    return LSTM(1, recurrent_dropout=rate)\n"
    program = f"{helper}def first(t, rate=0.2):\n{LONG}    return make(rate)\n"
    assert rows(read("p.py", program.encode(), names, steps=1500)) == {3: ["LSTM(units=1, recurrent_dropout=?)"]}
    assert rows(read("p.py", program.encode(), names)) == {3: ["LSTM(units=1, recurrent_dropout=~0.2) <-305"]}
    alone = f"{helper}def first(t, rate=0.2):\n    LSTM(2)\n{LONG}"
    assert rows(read("p.py", alone.encode(), names, steps=1500))[3] == ["LSTM(units=1, recurrent_dropout=~0.0)"]


def test_a_helper_that_takes_most_of_the_steps_is_given_up(names: Names) -> None:
    """A library of the project that each of many tests calls left no steps for the last of them."""
    helper = f"def helper(model, t=0):\n{LONG}    return t\n"
    tests = "".join(f"def test_{n}():\n    helper(LSTM({n + 1}))\n" for n in range(20))
    model = read("p.py", f"from keras.layers import LSTM\n{helper}{tests}".encode(), names, steps=15_000)
    assert (len(model.layers), model.cuts) == (20, ())
    assert not any(layer.variants[0].open for layer in model.layers)


def test_a_function_ends_though_a_call_in_it_does_not(names: Names) -> None:
    """What leads to no layer is given up before the function that calls it."""
    parts = "".join(f"def part_{n}(t):\n{LONG}" for n in range(4))
    whole = "def whole(t):\n    part_0(t), part_1(t), part_2(t), part_3(t)\n"
    program = f"from keras.layers import LSTM\n{parts}{whole}def test():\n    LSTM(1)\n    whole(2)\n    LSTM(3)\n"
    model = read("p.py", program.encode(), names, steps=20_000)
    assert ([brief(layer) for layer in model.layers], model.cuts) == (["LSTM(units=1)", "LSTM(units=3)"], ())


def test_layers_of_the_file_go_before_what_another_file_may_lead_to(
    names: Names, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.py").write_text(f"def helper(t):\n{LONG}", encoding="utf-8")
    tests = "".join(f"def test_{n}():\n    model = helper({n})\n" for n in range(9))
    program = f"from keras.layers import LSTM\nfrom other import helper\n{tests}def test_last():\n    model = LSTM(1)\n"
    model = read("p.py", program.encode(), names, Folder(str(tmp_path), ["p.py"]), steps=4000)
    assert [brief(layer) for layer in model.layers] == ["LSTM(units=1)"]
    assert model.layers[0].variants[0].open is None


@pytest.mark.parametrize("read_back", ["made.unroll", "given['unroll']", "STATE['unroll']", "FLAG"])
def test_what_a_function_that_is_given_up_may_have_changed_is_unknown(read_back: str, names: Names) -> None:
    program = (
        "from keras.layers import LSTM\nclass Made:\n    unroll = False\nSTATE = {'unroll': False}\nFLAG = False\n"
        f"def slow(made, given, t=0):\n    global FLAG\n{LONG * 3}    made.unroll = given['unroll'] = FLAG = True\n"
        f"    STATE['unroll'] = True\nmade, given = Made(), {{'unroll': False}}\nmade.unroll = False\n"
        f"slow(made, given)\nLSTM(1, unroll={read_back})\n"
    )
    (layer,) = read("p.py", program.encode(), names).layers
    assert brief(layer) == "LSTM(units=1, unroll=False|?)"


def test_a_generator_of_data_without_end_takes_few_steps(names: Names) -> None:
    """A model that is not known is trained on it: hundreds of rounds were followed, and no steps were left."""
    program = (
        "import numpy as np\nfrom keras.layers import LSTM\ndef batches(data, i=0):\n    while 1:\n"
        "        rows = np.arange(i, 3)\n        for j, row in enumerate(rows):\n            data[j] = rows[j]\n"
        "        yield data\ndef train(model, data):\n    LSTM(1)\n"
        "    model.fit_generator(batches(data))\n    LSTM(2)\n"
    )
    model = read("p.py", program.encode(), names, steps=10_000)
    assert ([brief(layer) for layer in model.layers], model.cuts) == (["LSTM(units=1)", "LSTM(units=2)"], ())
    assert model.steps < 2_000
