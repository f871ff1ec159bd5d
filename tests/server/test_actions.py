"""What an editor is offered to do about findings: it makes the edits, and the text is what the command line makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editor import TARGET, Editor
from lsprotocol import types
from shell_run import Run

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = """from keras.layers import LSTM, GRU, RNN, LSTMCell\r
\x0c
names = ["🙂", RNN(LSTMCell(8)), LSTM(8, recurrent_dropout=0.2)]
more = GRU(4, unroll=True)
last = GRU(
    4,
    unroll=True,
    reset_after=False,
)
"""


def titles(found: list[types.CodeAction]) -> list[str]:
    return [one.title for one in found]


async def test_each_fix_of_a_line_is_offered_and_takes_its_finding_away(editor: Editor, tmp_path: Path) -> None:
    uri, before = await editor.checked(tmp_path / "model.py", TEXT)
    found = await editor.actions(uri, 3, only=["quickfix"])
    fixes = [one for one in found if not one.title.startswith("Ignore")]
    assert [one.diagnostics[0].code for one in fixes if one.diagnostics] == ["CDN108", "CDN103"]
    assert list(fixes[0].diagnostics or ()) == [one for one in before if one.code == "CDN108"]
    assert fixes[0].is_preferred
    editor.change(uri, editor.apply(fixes[0])[uri])
    assert '🙂", LSTM(8), LSTM(8, recurrent' in editor.texts[uri]
    assert "CDN108" not in [one.code for one in await editor.shown(uri)]


async def test_a_fix_that_changes_numbers_says_so(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    (fix,) = [one for one in await editor.actions(uri, 3) if one.title.startswith("CDN103")]
    assert "(unsafe: the same numbers at inference; training changes)" in fix.title
    assert not fix.is_preferred
    assert editor.apply(fix)[uri] == TEXT.replace("LSTM(8, recurrent_dropout=0.2)", "LSTM(8)")


async def test_nothing_is_offered_where_nothing_was_found(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    assert await editor.actions(uri, 1) == []


async def test_ignoring_writes_the_comment_that_the_command_line_writes(
    editor: Editor, tmp_path: Path, run: Callable[..., Run]
) -> None:
    path = tmp_path / "model.py"
    uri, found = await editor.checked(path, TEXT)
    assert len(found) == 5
    while found := await editor.shown(uri):
        ignoring = [one for one in await editor.actions(uri, found[0].range.start.line + 1) if "Ignore" in one.title]
        editor.change(uri, editor.apply(ignoring[0])[uri])
    path.write_text(TEXT, encoding="utf-8", newline="")
    run(str(path), "--target", TARGET, "--add-noqa")
    written = path.read_bytes().decode()
    assert [set(line.replace(",", "").split()) for line in editor.texts[uri].split("\n")] == [
        set(line.replace(",", "").split()) for line in written.split("\n")
    ]


async def test_fixing_all_makes_the_text_that_the_command_line_makes(
    editor: Editor, tmp_path: Path, run: Callable[..., Run]
) -> None:
    path = tmp_path / "model.py"
    path.write_text(TEXT, encoding="utf-8", newline="")
    uri, _ = await editor.checked(path, TEXT)
    (action,) = await editor.actions(uri, 1, only=["source.fixAll.cudnnlint"])
    assert action.kind == "source.fixAll.cudnnlint"
    run(str(path), "--target", TARGET, "--fix")
    assert editor.apply(action)[uri] == path.read_bytes().decode()
    assert editor.texts[uri] != path.read_bytes().decode()


@pytest.mark.parametrize("kind", ["source.fixAll", "source", "source.fixAll.cudnnlint"])
async def test_fixing_all_is_there_for_whoever_asks_for_it_when_a_file_is_saved(
    kind: str, editor: Editor, tmp_path: Path
) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    assert [one.kind for one in await editor.actions(uri, 1, only=[kind])] == ["source.fixAll.cudnnlint"]
    assert await editor.actions(uri, 1, only=["source.organizeImports"]) == []


async def test_unsafe_fixes_can_be_left_out(editor: Editor, configure: Callable[..., None], tmp_path: Path) -> None:
    configure(unsafeFixes=False)
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    assert [one.split(":")[0] for one in titles(await editor.actions(uri, 3, only=["quickfix"]))] == [
        "CDN108", "Ignore CDN108 on this line", "Ignore CDN103 on this line",
    ]  # fmt: skip


async def test_a_fix_for_an_older_text_carries_its_version(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    editor.change(uri, TEXT + "\n")
    (action, *_) = await editor.actions(uri, 3)
    assert action.edit is not None
    assert action.edit.document_changes is not None
    assert [one.text_document.version for one in action.edit.document_changes] == [2]  # type: ignore[union-attr]
