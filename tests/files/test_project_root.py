"""Where a project begins, for the imports of its files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_samples import write

HELPER = "from keras.layers import LSTM\ndef make(**more):\n    return LSTM(4, **more)\n"
CALL = "from blocks.helper import make\nmake(recurrent_dropout=0.5)\n"


@pytest.fixture
def no_repository(tmp_path: Path) -> Path:
    """A package, and a script beside it, in a folder that is no repository."""
    shutil.rmtree(tmp_path / ".git")
    write(tmp_path, "work/blocks/__init__.py")
    write(tmp_path, "work/blocks/helper.py", HELPER)
    write(tmp_path, "work/demo/deep/use.py", CALL)
    return tmp_path


def test_a_script_in_the_linted_folder_finds_the_package_beside_it(
    no_repository: Path, run: Callable[..., object]
) -> None:
    assert "CDN103" in str(run("work", "--output-format", "concise"))


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.py", "setup.cfg"])
def test_a_script_that_is_linted_alone_finds_the_package_of_its_project(
    no_repository: Path, run: Callable[..., object], name: str
) -> None:
    assert "CDN103" not in str(run("work/demo/deep/use.py", "--output-format", "concise"))
    write(no_repository, f"work/{name}")
    assert "CDN103" in str(run("work/demo/deep/use.py", "--output-format", "concise"))


def test_a_package_that_is_installed_in_a_project_does_not_see_the_project(
    no_repository: Path, run: Callable[..., object]
) -> None:
    write(no_repository, "work/setup.py")
    write(no_repository, "work/env/site-packages/other/__init__.py")
    write(no_repository, "work/env/site-packages/other/use.py", CALL)
    assert "CDN103" not in str(run("work/env/site-packages/other/use.py", "--output-format", "concise"))
