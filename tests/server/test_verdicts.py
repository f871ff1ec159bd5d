"""What stands beside a layer in an editor, and what it shows of itself on hovering."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editor import TARGET, Editor
from lsprotocol import types
from newest_releases import NEWEST

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = """from keras.layers import LSTM, GRU, Bidirectional

one = LSTM(8, name="first"), "🙂", GRU(8, recurrent_dropout=0.2, activation="relu")
two = Bidirectional(
    LSTM(8, unroll=flag)
)
"""
SIGNS = [(3, "cuDNN"), (3, "falls back: recurrent_dropout, activation"), (5, "unknown: unrolled_loop")]


async def test_the_verdict_stands_behind_each_constructor_call(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    assert await editor.hints(uri) == SIGNS


async def test_hints_are_asked_for_again_when_they_are_others(editor: Editor, tmp_path: Path) -> None:
    before = editor.refreshed
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    editor.change(uri, TEXT.replace("0.2", "0"))
    await editor.shown(uri)
    await editor.until(lambda: editor.refreshed >= before + 2)
    assert await editor.hints(uri) == [SIGNS[0], (3, "falls back: activation"), SIGNS[2]]


async def test_hints_move_with_their_lines_while_a_line_is_half_written(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    editor.change(uri, TEXT.replace("two = ", "\nhalf = (\n\ntwo = "))
    assert await editor.actions(uri, 1) == []  # by now the text was checked
    assert await editor.hints(uri) == [*SIGNS[:2], (SIGNS[2][0] + 3, SIGNS[2][1])]


async def test_a_lens_instead_of_a_hint_or_neither(
    editor: Editor, configure: Callable[..., None], tmp_path: Path
) -> None:
    configure(hints="lens")
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    asked = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await editor.client.text_document_code_lens_async(asked)
    shown = [(one.range.start.line + 1, one.command.title) for one in found or [] if one.command]
    assert (shown, await editor.hints(uri)) == ([SIGNS[0], SIGNS[1], (5, SIGNS[2][1])], [])
    configure(hints="off")
    assert not await editor.client.text_document_code_lens_async(asked)
    assert await editor.hints(uri) == []


async def test_hovering_shows_the_requirements_of_the_innermost_layer(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    page = await editor.hover(uri, 2, 8)
    assert page is not None
    assert page.startswith(f"**LSTM** `first`: **runs in cuDNN** (`keras@{NEWEST}:tensorflow")
    page = await editor.hover(uri, 2, TEXT.splitlines()[2].index("recurrent") + 1)
    assert page is not None
    assert page.startswith("**GRU**: **falls back**")
    rows = [line for line in page.splitlines() if line.startswith("| [CDN")]
    assert "recurrent-dropout](https://" in rows[0]
    assert "| **not met** | `0.2` | recurrent\\_dropout=0 |" in rows[0]
    assert "activation](https://" in rows[1]
    assert "| met | `True` | use\\_bias=True |" in page
    page = await editor.hover(uri, 4, 8)
    assert page is not None
    assert page.count("**LSTM**") == 1  # forward and backward are alike
    assert await editor.hover(uri, 0, 3) is None


async def test_text_of_the_file_is_no_markup(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(
        tmp_path / "model.py", "from keras.layers import LSTM\nLSTM(8, activation='<b>|`*')\n"
    )
    page = await editor.hover(uri, 1, 2)
    assert page is not None
    assert "| `` '<b>\\|`*' `` |" in page


async def test_hovering_shows_every_target(editor: Editor, configure: Callable[..., None], tmp_path: Path) -> None:
    configure(target=[TARGET, f"keras@{NEWEST}:torch"])
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    page = await editor.hover(uri, 2, 8) or ""
    assert f"(`keras@{NEWEST}:tensorflow" in page
    assert f"(`keras@{NEWEST}:torch" in page
