"""Notebooks: cells in order, IPython's lines tolerated, one broken cell does not hide the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.place import SourcePlace
from cudnnlint.frontends import notebook
from cudnnlint.frontends.source.project.project import Folder
from cudnnlint.frontends.source.syntax.parsing import CONVERTED
from cudnnlint.rulebook import loader


def book(*sources: Any, **metadata: Any) -> bytes:
    cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in sources]
    text = {"cell_type": "markdown", "source": ["LSTM(1)"], "metadata": {}}
    return json.dumps({"cells": [text, *cells], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def read(*sources: Any, **metadata: Any) -> Model:
    return notebook.read("n.ipynb", book(*sources, **metadata), loader.load().tables.names)


def place(layer: Layer) -> tuple[int | None, int]:
    assert isinstance(layer.place, SourcePlace)
    return layer.place.cell, layer.place.row


def test_cells_share_their_names_and_places_count_inside_the_cell() -> None:
    model = read("from keras.layers import LSTM\nunits = 8", ["# a list of lines\n", "LSTM(units)\n", "LSTM(2)"])
    assert [place(layer) for layer in model.layers] == [(2, 2), (2, 3)]
    assert model.cells is not None
    assert model.cells[1] == "# a list of lines\nLSTM(units)\nLSTM(2)"


def test_ipythons_lines_are_tolerated_and_keep_the_rows() -> None:
    cell = """%matplotlib inline
!pip install keras
from keras.layers import LSTM
files = !ls
LSTM?
if files:
    %time LSTM(9)
LSTM(1)"""
    assert [place(layer) for layer in read(cell).layers] == [(1, 7), (1, 8)]


@pytest.mark.parametrize(
    ("cell", "installs"),
    [
        ("!pip install tensorflow==2.8.0", ("tensorflow==2.8.0",)),
        ("%pip install -q --upgrade 'keras>=3,<3.5' \"tensorflow[and-cuda]~=2.16\" numpy",
         ("keras>=3,<3.5", "tensorflow[and-cuda]~=2.16")),
        ("! pip3 install {FLAG} tensorflow-gpu==2.1", ("tensorflow-gpu==2.1",)),
        ("!python -m pip install keras==2.3.1\nimport keras", ("keras==2.3.1",)),
        ("!uv pip install --system tensorflow==2.8.0", ("tensorflow==2.8.0",)),
        ("!{sys.executable} -m pip install tensorflow==2.8.0", ("tensorflow==2.8.0",)),
        ("!conda install -y tensorflow=2.8 keras=2.8.0=py37_0", ("tensorflow==2.8.*", "keras==2.8.0")),
        ("%%bash\npip install tensorflow==2.8.0\nif old; then\n  pip install keras==2.2.4\nfi",
         ("tensorflow==2.8.0",)),
        ("%tensorflow_version 1.x", ("tensorflow<2",)),
        ("%tensorflow_version 2.x", ()),
        ("!pip install keras==$VERSION tensorflow=={VERSION} tf-nightly-2.0-preview keras==2.0.0-beta1", ()),
        ("# !pip install keras==2.3.1\nif old:\n    !pip install keras==2.2.4", ()),
        ("!pip install tensorflow", ()),
    ],
)  # fmt: skip
def test_requirements_that_a_notebook_installs_are_hints(cell: str, installs: tuple[str, ...]) -> None:
    assert read(cell, "import keras").hints.installs == installs


def test_a_star_import_holds_for_the_cells_behind_it() -> None:
    model = read("from keras.layers import *", "x = Input((3, 4))", "LSTM(1)(Activation('relu')(x))")
    assert [place(layer) for layer in model.layers] == [(3, 1)]
    (made,) = model.layers[0].variants
    assert made.unsure is None
    assert model.layers[0].calls[0].context("mask") == Known("none")


IPYTHON = {
    "a command that goes on": "!pip install \\\n  keras \\\n  tensorflow\nLSTM(1)",
    "a command whose output is kept, and that goes on": "x = !ls \\\n  -l\n\nLSTM(1)\n",
    "a magic that goes on": "%pip install \\\n  keras\n\nLSTM(1)",
    "a magic without its sign": "pip install keras\ncd ..\n\nLSTM(1)",
    "a magic that is no Python, and one that is": "%timeit -n 3 --x\n%time x = 1\n\nLSTM(x)",
    "a magic of cells": "%%memit\n\n\nLSTM(1)",
}


@pytest.mark.parametrize("case", IPYTHON)
def test_what_only_ipython_understands_is_no_syntax_error(case: str) -> None:
    model = read("from keras.layers import LSTM", IPYTHON[case])
    assert not model.errors
    assert [place(layer) for layer in model.layers] == [(2, 4)]


def test_a_cell_may_be_indented_as_a_whole() -> None:
    model = read("from keras.layers import LSTM", "    if LSTM:\n        LSTM(1)\n    LSTM(2)", "  # no\nLSTM(3)")
    assert not model.errors
    found = [layer.place for layer in model.layers]
    assert found == [
        SourcePlace("n.ipynb", 2, 9, 2, 16, 2),
        SourcePlace("n.ipynb", 3, 5, 3, 12, 2),
        SourcePlace("n.ipynb", 2, 1, 2, 8, 3),
    ]


def test_a_notebook_runs_another_one_and_a_script_in_its_own_names(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/first.ipynb").write_bytes(book("from keras.layers import LSTM", "def f():\n    return LSTM(7)"))
    (tmp_path / "more.py").write_text("units = 5\n")
    names = loader.load().tables.names
    path = tmp_path / "n.ipynb"
    data = book("%run parts/first.ipynb", "%run -i 'more.py'\nLSTM(units)\nf()", "%run missing.py\n%run n.ipynb")
    path.write_bytes(data)
    model = notebook.read(str(path), data, names, Folder(str(tmp_path), [str(path)]))
    assert [place(layer) for layer in model.layers] == [(2, 2), (2, 3)]
    units = [layer.variants[0].argument("units") for layer in model.layers]
    assert [fact.value for fact in units if isinstance(fact, Known)] == [5, 7]


def test_a_variable_of_the_environment_is_set_by_a_magic() -> None:
    cells = (
        "%env KERAS_BACKEND=jax",
        "if True:\n  %set_env CUDA_VISIBLE_DEVICES -1",
        "import keras\nkeras.layers.LSTM(1)",
    )
    model = read(*cells)
    assert model.hints.backend == "jax"
    assert [call.context("device").value for call in model.layers[0].calls] == ["hidden"]  # type: ignore[union-attr]
    assert model.cells == cells


def test_python_goes_on_behind_some_cell_magics_and_not_behind_others() -> None:
    imports = "from keras.layers import LSTM"
    assert [place(layer) for layer in read(imports, "%%time\nLSTM(1)", "%%bash\nLSTM(1)").layers] == [(2, 2)]


def test_what_parses_is_left_as_it_is() -> None:
    cell = 'from keras.layers import LSTM\ntext = """\n!not a command\n"""\nLSTM(1 +\n  5\n  % 3)'
    assert notebook._parsed(cell)[0] == cell


def test_one_broken_cell_is_an_error_and_the_others_go_on() -> None:
    model = read("from keras.layers import LSTM", "LSTM(1", "LSTM(2)", "print 'old'")
    assert [place(layer) for layer in model.layers] == [(3, 1)]
    (first, second) = [(reason, error.cell) for reason, error in model.errors if error]
    assert first[0].startswith("Its syntax is not valid Python: ")
    assert first[1] == 2
    assert second == (CONVERTED, 4)


def test_another_language_and_the_old_format() -> None:
    assert read("LSTM(1)", kernelspec={"language": "R"}).layers == ()
    python = {"language_info": {"name": ""}, "kernelspec": {"language": "python"}}
    assert len(read("from keras.layers import LSTM\nLSTM(1)", **python).layers) == 1  # saved before a kernel ran
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["from keras.layers import LSTM\n", "LSTM(1)"]}]}]}
    model = notebook.read("n.ipynb", json.dumps(old).encode(), loader.load().tables.names)
    assert [place(layer) for layer in model.layers] == [(1, 2)]


@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b'{"cells": 1}', b"\xff\xfe"])
def test_what_is_no_notebook_is_told(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match=r"\.$"):
        notebook.read("n.ipynb", data, loader.load().tables.names)


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\xef\xbb\xbf\n"])
def test_a_notebook_in_which_nothing_is_written_yet_has_no_layers(data: bytes) -> None:
    assert notebook.read("n.ipynb", data, loader.load().tables.names) == Model("n.ipynb", "notebook")


def test_odd_cells_are_passed_over() -> None:
    data = b'{"cells": [1, {"cell_type": "code"}, {"cell_type": "code", "source": 3}]}'
    assert notebook.read("n.ipynb", data, loader.load().tables.names).layers == ()


@pytest.mark.parametrize("line", ["if 1 <> 2: pass", "x = 0777", "x = 10L", "x = `y`", 'x = ur"a"', "raise E, 'a'"])
def test_python_2_is_called_so(line: str) -> None:
    ((reason, _),) = read(f"x = 1\n{line}").errors
    assert reason == CONVERTED


def test_cells_of_the_same_text_are_read_each_for_itself() -> None:
    cell = "import keras\nlayer = keras.layers.LSTM(8)"
    assert [place(layer) for layer in read(cell, cell, cell).layers] == [(1, 2), (2, 2), (3, 2)]
