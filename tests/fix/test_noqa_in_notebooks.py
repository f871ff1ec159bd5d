"""`--add-noqa` in notebooks: the comments go into the cells, and no other byte of the file changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KERAS = ("--target", "keras@3.4.1", "--no-cache")
FIRST = ["from keras.layers import GRU, LSTM\n", "rate = 0.5  # ä\n", "a = LSTM(4, activation='relu')"]
TIMED = "%time b = LSTM(4, recurrent_dropout=0.5)\n!ls\n"
LONG = ["c = GRU(\n", "    4,\n", "    reset_after=False,\n", '    name="""x\n', 'y""",\n', ")  # keep\n"]


def notebook(indent: int | None, escaped: bool, ends: str = "\n") -> str:
    """Return the text of a notebook with outputs, in one of the forms that programs write."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["LSTM(4, activation='relu')"]},
        {"cell_type": "code", "metadata": {}, "source": FIRST, "outputs": [{"text": ["ä\n"], "output_type": "x"}]},
        {"cell_type": "code", "execution_count": 3, "metadata": {"a": 1.50}, "outputs": [], "source": TIMED},
        {"cell_type": "code", "source": LONG},
        {"cell_type": "code", "source": "d = LSTM(4, unroll=True)  # noqa: CDN103"},
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=indent, ensure_ascii=escaped)
    return text.replace("\n", ends) + ends


def sources(data: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(data.decode("utf-8-sig"))["cells"]]


@pytest.mark.parametrize(("indent", "escaped", "ends"), [(1, False, "\n"), (None, True, "\n"), (2, False, "\r\n")])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_each_finding_gets_a_comment_in_its_cell_and_nothing_else_changes(
    indent: int | None, escaped: bool, ends: str, mark: bytes, run: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "m.ipynb"
    old = mark + notebook(indent, escaped, ends).encode()
    path.write_bytes(old)
    done = run(str(path), "--add-noqa", *KERAS)
    assert (done.status, done.err) == (0, "Added comments to 4 lines.\n")
    new = path.read_bytes()
    assert sources(new)[1] == "".join(FIRST) + "  # noqa: CDN101"
    assert sources(new)[2] == TIMED.replace("0.5)", "0.5)  # noqa: CDN103")
    assert sources(new)[4] == "d = LSTM(4, unroll=True)  # noqa: CDN103, CDN105"
    assert re.sub(rb'  # noqa: CDN\d+(?=[\\"])', b"", new).replace(b", CDN105", b"") == old
    left = run(str(path), "--output-format", "json", *KERAS)
    assert {one["code"] for one in json.loads(left.out)} <= {"CDN002"}


def test_a_notebook_that_somebody_changes_meanwhile_is_left(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cudnnlint.fix import silenced

    path = tmp_path / "m.ipynb"
    path.write_text(notebook(1, False))
    written = silenced.silenced

    def late(judged: Any) -> Any:
        path.write_text(path.read_text().replace("relu", "gelu"))
        return written(judged)

    monkeypatch.setattr(silenced, "silenced", late)
    done = run(str(path), "--add-noqa", *KERAS)
    assert (done.status, "was changed while it was checked" in done.err) == (2, True)
    assert "CDN101" not in path.read_text()


def test_the_other_files_get_their_comments(run: Callable[..., Any], tmp_path: Path) -> None:
    """It was: nothing was written behind the first file that could not be."""
    from cudnnlint.files import atomic

    for name in ("a.ipynb", "b.ipynb"):
        (tmp_path / name).write_text(notebook(1, False))
    write = atomic.write

    def refusing(path: Path, data: bytes) -> None:
        if path.name == "a.ipynb":
            raise PermissionError(13, "Permission denied")
        write(path, data)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(atomic, "write", refusing)
        done = run(str(tmp_path), "--add-noqa", *KERAS)
    assert done.status == 2
    assert "Wrote 1 other file." in done.err
    assert "CDN101" not in (tmp_path / "a.ipynb").read_text()
    assert "CDN101" in (tmp_path / "b.ipynb").read_text()
