"""The manual page names every command and option, and is not stale."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from cudnnlint.cli.cli import cli
from cudnnlint.dev import man


def test_the_page_is_what_the_command_line_says() -> None:
    assert man.PAGE.read_text(encoding="utf-8") == man.page(), "run `python -m cudnnlint.dev.man`"


def test_every_command_and_option_is_on_it() -> None:
    page = man.page().replace("\\-", "-")
    names = [f".SS cudnnlint {name} " for name in cli.commands]
    options = [
        param.opts[-1] for command in cli.commands.values() for param in command.params if param.opts[-1][:1] == "-"
    ]
    assert [name for name in (*names, *options) if name not in page] == []


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_it_is_set_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", str(man.PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
