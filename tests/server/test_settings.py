"""Where the server's settings come from: the editor, and the configuration files beside what is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from editor import Editor
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = "from keras.layers import LSTM\nlayer = LSTM(8, recurrent_dropout=0.2, unroll=True)\n"
Start = Callable[..., Awaitable[Editor]]
Configure = Callable[..., None]


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [one.code for one in found]


def touch(editor: Editor, path: Path) -> None:
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def test_settings_are_asked_for_and_hold_at_once(start: Start, tmp_path: Path) -> None:
    editor = await start(options={"select": ["CDN1"], "ignore": "unrolled-loop"})
    uri, found = await editor.checked(tmp_path / "model.py", TEXT)
    assert codes(found) == ["CDN103"]
    editor.client.set_configuration({"ignore": ["CDN103"]}, section="cudnnlint")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert codes(await editor.shown(uri, after=1)) == ["CDN105"]


async def test_settings_that_come_with_the_message_hold_at_once(
    editor: Editor, configure: Configure, tmp_path: Path
) -> None:
    uri, found = await editor.checked(tmp_path / "model.py", TEXT)
    assert codes(found) == ["CDN103", "CDN105"]
    configure(target="tensorflow@2.3", ignore=["CDN105"])
    (left,) = await editor.shown(uri, after=1)
    assert (left.code, "tensorflow@2.3" in left.message) == ("CDN103", True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ignroe": ["CDN103"]}, 'There is no setting "cudnnlint.ignroe". Did you mean "ignore"?'),
        ({"hints": "always"}, "The setting \"cudnnlint.hints\" has to be one of inlay, lens, off, not 'always'."),
        ({"delay": -1}, 'The setting "cudnnlint.delay" has to be a whole number of milliseconds, not -1.'),
        ({"select": ["CDN999"]}, 'There is no rule "CDN999".'),
        ({"target": "keras@x"}, "keras@x"),
    ],
)
async def test_wrong_settings_are_said_and_the_server_goes_on(
    settings: dict[str, object], said: str, editor: Editor, configure: Configure, tmp_path: Path
) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    before = len(editor.messages)
    configure(**settings)
    await editor.until(lambda: len(editor.messages) > before)
    assert said in editor.messages[before].message
    configure(ignore=["CDN103"])
    editor.change(uri, TEXT + "\n")
    assert codes(await editor.shown(uri)) == ["CDN105"]


async def test_configuration_files_hold_as_for_the_command_line_and_are_watched(editor: Editor, tmp_path: Path) -> None:
    await editor.until(lambda: bool(editor.registered))
    (watching,) = [one for one in editor.registered if one.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    assert "pyproject.toml,cudnnlint.toml" in str(watching.register_options)
    config = tmp_path / "pyproject.toml"
    config.write_text('[tool.cudnnlint]\nignore = ["CDN103"]\n')
    uri, found = await editor.checked(tmp_path / "model.py", TEXT)
    assert codes(found) == ["CDN105"]
    config.write_text('[tool.cudnnlint]\nignore = ["CDN105"]\n')
    touch(editor, config)
    assert codes(await editor.shown(uri, after=1)) == ["CDN103"]


async def test_each_folder_has_its_own_configuration(editor: Editor, tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder, code in zip(folders, ("CDN103", "CDN105"), strict=True):
        folder.mkdir()
        (folder / "cudnnlint.toml").write_text(f'ignore = ["{code}"]\n')
    added = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
    event = types.WorkspaceFoldersChangeEvent(added, [])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    shown = [codes((await editor.checked(folder / "model.py", TEXT))[1]) for folder in folders]
    assert shown == [["CDN105"], ["CDN103"]]


async def test_a_broken_configuration_is_said_once_and_ends_when_it_is_mended(editor: Editor, tmp_path: Path) -> None:
    config = tmp_path / "cudnnlint.toml"
    config.write_text("ignroe = []\n")
    said = len(editor.messages)
    uri = await editor.open(tmp_path / "model.py", TEXT)
    await editor.until(lambda: len(editor.messages) > said)
    assert 'unknown key "ignroe". Did you mean "ignore"?' in editor.messages[said].message
    editor.change(uri, TEXT + "\n")
    assert await editor.actions(uri, 2) == []  # by now the text was checked
    config.write_text('ignore = ["CDN103"]\n')
    touch(editor, config)
    assert codes(await editor.shown(uri)) == ["CDN105"]
    assert len(editor.messages) == said + 1


async def test_a_file_may_be_checked_when_it_is_saved_alone(
    editor: Editor, configure: Configure, tmp_path: Path
) -> None:
    configure(run="onSave")
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    typed = editor.change(uri, TEXT.replace("0.2", "0"))
    editor.change(uri, TEXT.replace(", unroll=True", ""))
    editor.save(uri)
    assert codes(await editor.shown(uri)) == ["CDN103"]
    assert typed not in [one.version for one in editor.published[uri]]


async def test_what_the_model_is_for_decides_which_fixes_are_safe(
    editor: Editor, configure: Configure, tmp_path: Path
) -> None:
    configure(use="inference")
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    (action,) = await editor.actions(uri, 2, only=["source.fixAll"])
    assert "recurrent_dropout" not in editor.apply(action)[uri]
