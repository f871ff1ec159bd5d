"""What an editor is shown of a Python file, while it is written."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from editor import TARGET, Editor
from lsprotocol import types
from shell_run import Run

pytestmark = pytest.mark.asyncio(loop_scope="session")

HEAD = "from keras.layers import LSTM, GRU\n"
SLOW = HEAD + "layer = LSTM(8, recurrent_dropout=0.2)\n"
FAST = HEAD + "layer = LSTM(8)\n"
BROKEN = HEAD + "layer = LSTM(8, recurrent_dropout=\n"
SEVERITIES = {"error": 1, "warning": 2, "info": 3}

MANY = '''"""Layers with an emoji 🙂 before them, and a form feed."""
from keras.layers import LSTM, GRU, Bidirectional\r
\x0c
rate = 0.5
names = ["🙂🙂", LSTM(8, activation="relu", recurrent_dropout=rate)]; "é🙂", GRU(4, reset_after=False)
more = Bidirectional(LSTM(8, unroll=True))  # noqa: CDN101
unclear = LSTM(units, unroll=unknown)
'''


def placed(found: list[types.Diagnostic]) -> list[tuple[Any, ...]]:
    return [
        (
            *(one.range.start.line, one.range.start.character, one.range.end.line, one.range.end.character),
            one.code,
            one.message,
            one.severity.value if one.severity else None,
            one.code_description.href if one.code_description else None,
        )
        for one in found
    ]


def by_cli(path: Path, text: str, run: Callable[..., Run], width: Callable[[str], int]) -> list[tuple[Any, ...]]:
    """Return what `check` says of a file in JSON, with columns in the units that the editor counts in."""
    path.write_text(text, encoding="utf-8", newline="")
    lines = text.replace("\r\n", "\n").split("\n")

    def position(place: dict[str, int]) -> tuple[int, int]:
        return place["row"] - 1, width(lines[place["row"] - 1][: place["column"] - 1])

    return [
        (
            *(*position(one["location"]), *position(one["end_location"])),
            one["code"],
            one["message"],
            SEVERITIES[one["severity"]],
            one["url"],
        )
        for one in json.loads(run(str(path), "--target", TARGET, "--output-format", "json").out)
    ]


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


async def test_findings_are_those_of_the_json_output(editor: Editor, tmp_path: Path, run: Callable[..., Run]) -> None:
    path = tmp_path / "many.py"
    wanted = by_cli(path, MANY, run, utf16)
    assert {one[4] for one in wanted} == {"CDN101", "CDN103", "CDN107", "CDN105", "CDN501", "CDN002"}
    _, found = await editor.checked(path, MANY)
    assert placed(found) == wanted
    assert {one.source for one in found} == {"cudnnlint"}
    assert all(one[7].startswith("https://") for one in wanted)


@pytest.mark.parametrize(
    ("encoding", "width"), [("utf-8", lambda text: len(text.encode())), ("utf-32", len)], ids=("utf-8", "utf-32")
)
async def test_columns_are_counted_as_the_editor_asks(
    encoding: str,
    width: Callable[[str], int],
    start: Callable[..., Awaitable[Editor]],
    tmp_path: Path,
    run: Callable[..., Run],
) -> None:
    editor = await start(encoding=encoding)
    path = tmp_path / "many.py"
    wanted = by_cli(path, MANY, run, width)
    uri, found = await editor.checked(path, MANY)
    assert placed(found) == wanted
    (fix,) = [one for one in await editor.actions(uri, 5) if "reset_after" in one.title]
    assert editor.apply(fix)[uri] == MANY.replace("GRU(4, reset_after=False)", "GRU(4)")


async def test_findings_follow_the_text_and_not_the_file(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(FAST)
    uri, found = await editor.checked(path, SLOW)
    assert [one.code for one in found] == ["CDN103"]
    editor.change(uri, FAST)
    assert await editor.shown(uri) == []
    assert path.read_text() == FAST


async def test_changes_of_a_few_characters_are_taken_over(editor: Editor, tmp_path: Path) -> None:
    """Among them one behind the end of a line, and lines that end at a carriage return but not at a form feed."""
    text = "s = '🙂'  \x0c\nfrom keras.layers import LSTM\r\nlayer = LSTM(8)"
    uri, found = await editor.checked(tmp_path / "model.py", text)
    assert found == []

    def edit(line: int, first: int, last: int, new: str) -> types.TextDocumentContentChangePartial:
        there = types.Range(types.Position(line, first), types.Position(line, last))
        return types.TextDocumentContentChangePartial(there, new)

    slower = text[:-1] + ", unroll=True)"
    editor.send(uri, edit(2, 14, 14, ", unroll=True"), slower)
    assert [(one.code, one.range.start.line) for one in await editor.shown(uri)] == [("CDN105", 2)]
    editor.send(uri, edit(0, 5, 7, "é"), slower.replace("🙂", "é"))
    editor.send(uri, edit(2, 0, 9_999, "layer = LSTM(8)"), text.replace("🙂", "é"))
    assert await editor.shown(uri) == []


async def test_rapid_edits_end_with_the_findings_of_the_last_text(editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", FAST)
    for number in range(1, 60):
        editor.change(uri, FAST + "\n" * number + "GRU(8, unroll=True)\n")
    (found,) = await editor.shown(uri)
    assert (found.code, found.range.start.line) == ("CDN105", 2 + 59)
    versions = [one.version for one in editor.published[uri]]
    assert versions == sorted(versions, key=lambda version: version or 0)


async def test_while_a_line_is_half_written_the_last_findings_stay(editor: Editor, tmp_path: Path) -> None:
    uri, before = await editor.checked(tmp_path / "model.py", SLOW)
    half = editor.change(uri, "\n" + BROKEN)
    assert await editor.actions(uri, 3) == []  # by now the text was checked
    assert half not in [one.version for one in editor.published[uri]]
    editor.change(uri, "\n" + SLOW)
    (after,) = await editor.shown(uri)
    assert (after.code, after.range.start.line) == (before[0].code, before[0].range.start.line + 1)


async def test_a_text_that_is_opened_or_saved_broken_says_so_once(editor: Editor, tmp_path: Path) -> None:
    uri, found = await editor.checked(tmp_path / "opened.py", BROKEN)
    assert [one.code for one in found] == ["CDN001"]
    uri, found = await editor.checked(tmp_path / "saved.py", SLOW)
    editor.change(uri, BROKEN)
    editor.save(uri)
    assert [one.code for one in await editor.shown(uri)] == ["CDN001"]


async def test_a_file_without_layers_shows_nothing(editor: Editor, tmp_path: Path) -> None:
    _, found = await editor.checked(tmp_path / "other.py", "import os\nprint(os.name)\n")
    assert found == []


@pytest.mark.parametrize(
    ("name", "language"),
    [("model.json", "json"), ("model.keras", "plaintext"), ("model.h5", "binary"), ("notes.md", "markdown")],
)
async def test_what_is_no_python_file_is_left_alone(name: str, language: str, editor: Editor, tmp_path: Path) -> None:
    other = await editor.open(tmp_path / name, SLOW, language)
    assert await editor.hints(other) == []
    assert await editor.actions(other, 2) == []
    await editor.checked(tmp_path / "model.py", SLOW)
    assert other not in editor.published


async def test_another_revision_of_a_file_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    old = await editor.open(f"git:{tmp_path}/model.py?HEAD", SLOW)
    await editor.checked(tmp_path / "model.py", SLOW)
    assert old not in editor.published


async def test_a_file_that_was_never_saved_is_checked(editor: Editor) -> None:
    _, found = await editor.checked("untitled:Untitled-1", SLOW)
    assert [one.code for one in found] == ["CDN103"]


async def test_an_excluded_file_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "cudnnlint.toml").write_text('exclude = ["old/"]\n')
    (tmp_path / "old").mkdir()
    _, found = await editor.checked(tmp_path / "old" / "model.py", SLOW)
    assert found == []


async def test_the_encoding_that_a_text_declares_does_not_move_its_columns(editor: Editor, tmp_path: Path) -> None:
    text = "# -*- coding: latin-1 -*-\n" + HEAD + "'é'; LSTM(8, unroll=True)\n"
    _, found = await editor.checked(tmp_path / "model.py", text)
    assert [(one.code, one.range.start.character) for one in found] == [("CDN105", 20)]


async def test_closing_a_file_takes_its_findings_away(editor: Editor, tmp_path: Path) -> None:
    uri, found = await editor.checked(tmp_path / "model.py", SLOW)
    assert found
    editor.close(uri)
    await editor.until(lambda: not editor.published[uri][-1].diagnostics)


async def test_what_a_saved_file_changes_in_others_is_seen_there(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    helper = tmp_path / "rates.py"
    helper.write_text("RATE = 0.0\n")
    uri, found = await editor.checked(tmp_path / "model.py", "from rates import RATE\n" + SLOW.replace("0.2", "RATE"))
    assert found == []
    helper.write_text("RATE = 0.3\n")
    other = await editor.open(helper, "RATE = 0.3\n")
    seen = len(editor.published[uri])
    editor.save(other)
    assert [one.code for one in await editor.shown(uri, after=seen)] == ["CDN103"]
