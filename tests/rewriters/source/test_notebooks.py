"""New text in the cells of a notebook: every other byte of the JSON stays, however it is laid out."""

from __future__ import annotations

import json

import pytest

from cudnnlint.rewriters.source.notebooks import rewritten

CELLS = [["a = 1\n", "b = '\u00fc'\n", "c = 3"], ["x = 1"], ["one\n", "two\n"]]
TEXTS = ["".join(lines) for lines in CELLS]
LAYOUTS = {
    "indented": {"indent": 1},
    "in one line": {},
    "with tabs": {"indent": "\t", "ensure_ascii": False},
    "tight": {"separators": (",", ":")},
}
CHANGES = {
    "a line changed": (1, TEXTS[0].replace("a = 1", "a = 2")),
    "a line in the middle gone": (1, "a = 1\nc = 3"),
    "the first line gone": (1, "b = '\u00fc'\nc = 3"),
    "the last line gone": (1, "a = 1\nb = '\u00fc'\n"),
    "a line more": (1, TEXTS[0] + "\nd = 4\n"),
    "a line more in front": (1, "import x\n" + TEXTS[0]),
    "a cell of one line": (2, "x = 2"),
    "a cell of one line becomes two": (2, "x = 2\ny = 3"),
    "all lines gone": (3, "three\n"),
}


def notebook(one_string: bool = False, **layout: object) -> str:
    cells = [
        {"cell_type": "code", "source": TEXTS[index] if one_string else lines, "outputs": [{"text": ["\u00e9", 1.50]}]}
        for index, lines in enumerate(CELLS)
    ]
    markdown = {"cell_type": "markdown", "source": ["a = 1\n"]}
    whole = {"cells": [markdown, *cells], "metadata": {"n": -1e5, "t": True, "z": None}, "nbformat": 4}
    return json.dumps(whole, **layout)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("one_string", [False, True], ids=["lists", "strings"])
def test_the_cell_says_the_new_text_and_the_rest_stays(layout: str, change: str, one_string: bool) -> None:
    old = notebook(one_string, **LAYOUTS[layout])
    number, text = CHANGES[change]
    new = rewritten(old.encode(), {number: (TEXTS[number - 1], text)})
    assert new is not None
    before, after = json.loads(old), json.loads(new)
    assert "".join(after["cells"][number]["source"]) == text
    after["cells"][number]["source"] = before["cells"][number]["source"]
    assert after == before
    start = old.index(json.dumps(CELLS[number - 1][0][:4])[:4], old.index("code"))
    assert new.decode().startswith(old[: start - 2])
    tail = old[old.index('"outputs"', start) :]
    assert new.decode().endswith(tail)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_text_changes_no_byte(layout: str) -> None:
    old = notebook(**LAYOUTS[layout]).encode()
    assert rewritten(old, {n: (text, text) for n, text in enumerate(TEXTS, 1)}) == old


def test_a_cell_that_says_something_else_is_left_alone() -> None:
    old = notebook().encode()
    assert rewritten(old, {1: ("another text", "new")}) is None
    assert rewritten(old, {9: ("", "new")}) is None


def test_half_a_character_stays_escaped() -> None:
    old = b'{"cells": [{"cell_type": "code", "source": ["a = 1\\n", "b = \'\\ud800\'\\n", "c"]}]}'
    new = rewritten(old, {1: ("a = 1\nb = '\ud800'\nc", "a = 2\nb = '\ud800'\nc")})
    assert new == old.replace(b"a = 1", b"a = 2")
