"""Programs of several files. Each case is a text with `# file: path` headings; `#:` comments as in `programs/`,
where a call in another file is written `path:row`. Files headed `# unlinted file:` are there but were not asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from source_brief import brief

from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read, wanted
from cudnnlint.frontends.source.project.callers import callers, gather
from cudnnlint.frontends.source.project.project import Folder

FOLDER = Path(__file__).parent / "projects"


def cases() -> list[tuple[str, str]]:
    """Every case with its name."""
    found = [(path.stem.replace("_", " "), path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt"))]
    assert found
    return found


def written(text: str, root: Path) -> tuple[dict[str, str], set[str]]:
    """Write the files of a case; their texts by path, and the paths that are linted."""
    parts = re.split(r"^# (unlinted )?file: (.*)\n", text, flags=re.MULTILINE)[1:]
    files = {path: body for _, path, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)}
    for path, body in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(body, encoding="utf-8")
    return files, {path for unlinted, path in zip(parts[::3], parts[1::3], strict=True) if not unlinted}


def read_all(files: dict[str, str], linted: set[str], root: Path, names: Names) -> list[Model]:
    """What the pipeline does with the files of one run."""
    project = Folder(str(root), sorted(linted))
    data = {path: files[path].encode() for path in sorted(linted)}
    models = {path: read(path, data[path], names, project) for path in data if wanted(data[path])}
    while more := callers(models.values(), {path: data[path] for path in data if path not in models}):
        models.update({path: read(path, data[path], names, project) for path in more})
    return gather([models[path] for path in sorted(models)])


@pytest.mark.parametrize(("title", "text"), cases(), ids=[title for title, _ in cases()])
def test_project(title: str, text: str, names: Names, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files, linted = written(text, tmp_path)
    expected = {
        f"{path}:{row}": [part.strip() for part in line.split("#:", 1)[1].split(";;")]
        for path, body in files.items()
        for row, line in enumerate(body.splitlines(), 1)
        if "#:" in line
    }
    got: dict[str, list[str]] = {}
    for model in read_all(files, linted, tmp_path, names):
        for layer in model.layers:
            assert layer.place.path == model.path
            got.setdefault(f"{model.path}:{layer.place.row}", []).append(brief(layer))
    assert got == expected


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (b"import blocks\nx = blocks.make(3)\n", True),
        (b"import os\ndef make(units):\n    return units\n", False),
        (b"import os\nclass make:\n    pass\n", False),
        (b"from blocks import *\ndef main():\n    make(3)\n", True),
    ],
)
def test_a_file_that_only_defines_the_name_itself_is_no_caller(text: bytes, calls: bool, names: Names) -> None:
    helper = read("blocks.py", b"from keras.layers import LSTM\ndef make(units):\n    return LSTM(units)\n", names)
    assert callers([helper], {"use.py": text}) == (["use.py"] if calls else [])


def test_an_installed_package_does_not_run_those_installed_beside_it(tmp_path: Path, names: Names) -> None:
    imports = "from keras.layers import LSTM\nfrom beside import units\nfrom mine import more\n"
    body = imports + "x = LSTM(units)\ny = LSTM(more)\n"
    for name in ("site-packages", "src"):
        for path, text in (("mine/__init__.py", "more = 5\n"), ("beside.py", "units = 4\n"), ("mine/use.py", body)):
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, encoding="utf-8")

    def known(name: str) -> list[bool]:
        path = str(tmp_path / name / "mine" / "use.py")
        model = read(path, body.encode(), names, Folder(str(tmp_path / name), [path]))
        return [isinstance(layer.variants[0].arguments["units"], Known) for layer in model.layers]

    assert (known("site-packages"), known("src")) == ([False, True], [True, True])


def test_a_file_that_has_the_name_of_a_package_does_not_hide_what_is_in_the_package(
    tmp_path: Path, names: Names
) -> None:
    own = "import keras\nclass LSTM(keras.layers.Layer):\n    def call(self, x):\n        return x\n"
    body = "from keras.layers import GRU\nfrom model.layers import LSTM\nx = LSTM(GRU(3))\n"
    for path, text in (("model/__init__.py", ""), ("model/layers.py", own), ("model/rnn/model.py", body)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    path = str(tmp_path / "model" / "rnn" / "model.py")
    model = read(path, body.encode(), names, Folder(str(tmp_path), [path]))
    assert [layer.variants[0].class_name for layer in model.layers] == ["GRU"]


@pytest.mark.parametrize(("cell", "read"), [("model = build()", False), ("layer = keras.layers.GRU(4)", True)])
def test_letters_inside_a_picture_of_a_notebook_are_no_name_of_a_layer(cell: str, read: bool) -> None:
    picture = "iVBORw0KGgo" + "A7b/" * 30 + "LSTM" + "x+9Q" * 30
    shown = {"output_type": "display_data", "data": {"image/png": picture}}
    cells = [{"cell_type": "code", "source": [cell], "outputs": [shown]}]
    assert wanted(json.dumps({"cells": cells, "nbformat": 4}).encode()) is read
