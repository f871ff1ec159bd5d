"""Helpers in one file and their callers in another: where the layers stand, and which files are read for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from newest_releases import NEWEST_MINOR
from shell_run import Run
from shell_samples import write

from cudnnlint.files import imported_layers
from cudnnlint.frontends.source.project.project import Folder

Command = Callable[..., Run]
HELPER = "from keras.layers import LSTM\ndef make(units, **more):\n    return LSTM(units, **more)\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path, "pkg/__init__.py")
    write(tmp_path, "pkg/blocks.py", HELPER)
    write(tmp_path, "train.py", 'from pkg.blocks import make\na = make(3)\nb = make(4, activation="relu")\n')


def report(run: Command, *paths: str, jobs: int = 1) -> dict[str, Any]:
    found = run(*paths, "--jobs", str(jobs), "--target", f"keras@{NEWEST_MINOR}", "--output-format", "report")
    loaded: dict[str, Any] = json.loads(found.out)
    return loaded


def layers(found: dict[str, Any]) -> list[tuple[str, int, str, list[str]]]:
    return [
        (file["path"], layer["row"], layer["verdicts"][0]["verdict"], [f"{v['path']}:{v['row']}" for v in layer["via"]])
        for file in found["files"]
        for layer in file["layers"]
    ]


def test_a_layer_stands_with_its_constructor_once_for_each_call(run: Command) -> None:
    assert layers(report(run, ".")) == [
        ("pkg/blocks.py", 3, "cudnn", ["train.py:2"]),
        ("pkg/blocks.py", 3, "fallback", ["train.py:3"]),
    ]


def test_a_layer_stands_in_a_file_that_names_none(run: Command, tmp_path: Path) -> None:
    write(tmp_path, "tools.py", "def again(made):\n    return type(made).from_config(made.get_config())\n")
    write(tmp_path, "use.py", "from keras.layers import LSTM\nfrom tools import again\nagain(LSTM(3))\n")
    assert layers(report(run, "tools.py", "use.py")) == layers(report(run, "."))[:2] == [
        ("tools.py", 2, "cudnn", ["use.py:3"]),
        ("use.py", 3, "cudnn", []),
    ]


def test_without_its_helper_a_caller_has_the_layers(run: Command) -> None:
    found = layers(report(run, "train.py"))
    assert [(path, row, verdict) for path, row, verdict, _ in found] == [
        ("train.py", 2, "cudnn"),
        ("train.py", 3, "fallback"),
    ]


def test_without_its_callers_a_helper_is_judged_by_itself(run: Command) -> None:
    ((path, row, verdict, via),) = layers(report(run, "pkg"))
    assert (path, row, via) == ("pkg/blocks.py", 3, [])
    assert verdict in ("unknown", "cudnn")


def test_the_text_names_the_calls(run: Command) -> None:
    text = run(".", "--target", f"keras@{NEWEST_MINOR}").out
    assert "pkg/blocks.py:3:12: warning[CDN101] activation" in text or "train.py:3" in text
    assert "called  from train.py:3:5" in text


def test_many_files_and_many_processes_find_the_same(tmp_path: Path, run: Command) -> None:
    for number in range(40):
        write(tmp_path, f"many/use_{number:02}.py", f"from pkg.blocks import make\nx = make({number})\n")
    one, two = report(run, ".", jobs=1), report(run, ".", jobs=2)
    assert one == two
    assert len(layers(one)) == 42


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("from pkg.blocks import make\n", True),
        ("import os, pkg.blocks as b\n", True),
        ("from pkg import (\n    blocks,\n)\n", True),
        ("def f():\n    from pkg import blocks\n", True),
        ("from pkg import between\n", True),
        ("import pkg\nimport numpy\n", False),
        ("# from pkg.blocks import make\n", False),
    ],
)
def test_imports_are_followed_to_a_file_that_names_a_layer(text: str, reached: bool, tmp_path: Path) -> None:
    write(tmp_path, "pkg/between.py", "from .blocks import make\n")
    path = write(tmp_path, "main.py", text)
    assert imported_layers.reaches_layers(str(path), path.read_bytes(), Folder(str(tmp_path), ["main.py"])) is reached


def test_a_helper_that_is_linted_needs_no_search(tmp_path: Path) -> None:
    path = write(tmp_path, "main.py", "from pkg.blocks import make\n")
    linted = Folder(str(tmp_path), ["main.py", "pkg/blocks.py"])
    assert not imported_layers.reaches_layers(str(path), path.read_bytes(), linted)


#: What one file holds, and how another one makes a layer of it without a word of a recurrent layer.
HANDED_ON = {
    "another name": ("from keras.layers import GRU\nkind = GRU\n", "from config import kind\nkind(4)\n"),
    "imported as": ("from keras.layers import GRU as kind\n", "import config\nconfig.kind(4)\n"),
    "an entry": ('from keras.layers import GRU\nC = {"rnn": GRU}\n', 'from config import C\nC["rnn"](4)\n'),
    "a list": ("from keras.layers import GRU\nkinds = [GRU]\n", "import config\n[kind(4) for kind in config.kinds]\n"),
    "a subclass": ("from keras.layers import GRU\nclass A(GRU):\n    pass\n", "from config import A\nA(4)\n"),
    "a class's name": ("import keras\nclass B:\n    kind = keras.layers.GRU\n", "from config import B\nB.kind(4)\n"),
    "an attribute": (
        "import keras\nclass B:\n    def __init__(self):\n        self.kind = keras.layers.GRU\n",
        "from config import B\nB().kind(4)\n",
    ),
    "what a function returns": (
        "from keras.layers import GRU\ndef pick():\n    return GRU\n", "from config import pick\npick()(4)\n"
    ),
    "under a condition": (
        "from keras.layers import GRU\ntry:\n    kind = GRU\nexcept ImportError:\n    raise\n",
        "import config\nconfig.kind(4)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", HANDED_ON)
def test_a_class_that_another_file_hands_on_is_found_where_it_is_called(how: str, run: Command, tmp_path: Path) -> None:
    config, use = HANDED_ON[how]
    write(tmp_path, "model/config.py", config)
    write(tmp_path, "model/use.py", use)
    assert [(path, verdict) for path, _, verdict, _ in layers(report(run, "model"))] == [("model/use.py", "cudnn")]


def test_a_class_is_handed_on_by_files_that_name_none(run: Command, tmp_path: Path) -> None:
    write(tmp_path, "model/config.py", HANDED_ON["another name"][0])
    write(tmp_path, "model/between.py", "from config import kind\nkinds = {1: kind}\n")
    write(tmp_path, "model/use.py", "from between import kinds\nkinds[1](4)\n")
    assert [(path, verdict) for path, _, verdict, _ in layers(report(run, "model"))] == [("model/use.py", "cudnn")]


def test_a_file_that_does_not_import_the_class_is_not_read(run: Command, tmp_path: Path) -> None:
    write(tmp_path, "model/config.py", HANDED_ON["another name"][0])
    write(tmp_path, "model/use.py", "import keras\nfrom keras.layers import kind\nkind(4)\n")
    assert layers(report(run, "model")) == []
