"""A server that lives through what editors do to it, and does not outlive its editor."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editor import COMMAND, PATIENCE, Editor
from lsprotocol import types

TEXT = "from keras.layers import LSTM\nlayer = LSTM(8, unroll=True)\n"
HELLO = {"processId": None, "rootUri": None, "capabilities": {}}

in_a_session = pytest.mark.asyncio(loop_scope="session")


@in_a_session
async def test_a_huge_text_is_not_checked_and_that_is_said_once(
    editor: Editor, configure: Callable[..., None], tmp_path: Path
) -> None:
    configure(maxFileSize=1000)
    said = len(editor.messages)
    uri, found = await editor.checked(tmp_path / "model.py", TEXT)
    assert found
    editor.change(uri, TEXT + "# " + "x" * 1000)
    await editor.until(lambda: len(editor.messages) > said)
    assert "more than 1,000 characters and is not checked" in editor.messages[said].message
    assert list(editor.published[uri][-1].diagnostics) == []
    editor.change(uri, TEXT + "# " + "x" * 1001)
    assert (await editor.hints(uri), await editor.actions(uri, 2)) == ([], [])
    editor.change(uri, TEXT)
    assert await editor.shown(uri)
    assert len(editor.messages) == said + 1


@in_a_session
async def test_nonsense_is_logged_and_the_server_goes_on(editor: Editor, tmp_path: Path) -> None:
    logged = len(editor.logged)
    missing = (tmp_path / "never-opened.py").as_uri()
    editor.versions[missing] = 1
    editor.change(missing, TEXT)
    await editor.until(lambda: len(editor.logged) > logged)
    assert await editor.hints(missing) == []
    assert await editor.hover(missing, 3, 3) is None
    assert await editor.actions(missing, 1) == []
    editor.close(missing)
    uri, found = await editor.checked(tmp_path / "model.py", TEXT)
    assert found
    assert await editor.hover(uri, 400, 3) is None
    assert await editor.hover(uri, 0, 4_000) is None


@in_a_session
@pytest.mark.parametrize("text", ["(" * 5_000, "x = 1" + " + 1" * 30_000, "\0", "\ud800", "LSTM(" * 40, "\r\x0c\u2028"])
async def test_texts_that_nobody_writes_are_survived(text: str, editor: Editor, tmp_path: Path) -> None:
    uri, _ = await editor.checked(tmp_path / "model.py", TEXT)
    editor.change(uri, TEXT + text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    await editor.actions(uri, 2)
    editor.change(uri, TEXT)
    assert [one.code for one in await editor.shown(uri)] == ["CDN105"]


@in_a_session
async def test_a_notebook_that_changes_out_of_step_is_survived(editor: Editor, tmp_path: Path) -> None:
    uri = (tmp_path / "model.ipynb").as_uri()
    cell = f"{uri}#1"
    document = types.NotebookDocument(
        uri, "jupyter-notebook", 1, [types.NotebookCell(types.NotebookCellKind.Code, cell)]
    )
    text = types.TextDocumentItem(cell, "python", 1, TEXT)
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, [text]))
    assert [one.code for one in await editor.shown(cell, version=1)] == ["CDN105"]
    version = types.VersionedNotebookDocumentIdentifier(2, uri)
    array = types.NotebookCellArrayChange(7, 9, [types.NotebookCell(types.NotebookCellKind.Code, f"{uri}#missing")])
    structure = types.NotebookDocumentCellChangeStructure(array)
    event = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(structure=structure))
    editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(version, event))
    _, found = await editor.checked(tmp_path / "model.py", TEXT)
    assert found


# ---------------------------------------------------------------- a process of its own


def message(method: str, params: Any, number: int | None = None) -> bytes:
    body = {"jsonrpc": "2.0", "method": method, "params": params, **({} if number is None else {"id": number})}
    data = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def answer(server: subprocess.Popen[bytes]) -> Any:
    """Return the next message of the server."""
    assert server.stdout is not None
    length = 0
    while line := server.stdout.readline().strip():
        length = int(line.split()[-1]) if line.startswith(b"Content-Length") else length
    return json.loads(server.stdout.read(length))


def launch(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        COMMAND, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


@pytest.mark.parametrize("killed", [False, True], ids=["it-closes-its-pipe", "it-is-killed"])
def test_a_server_whose_editor_vanishes_ends_even_in_the_middle_of_a_check(killed: bool, tmp_path: Path) -> None:
    text = "from keras.layers import LSTM\n" + "LSTM(8, unroll=True)\n" * 20_000
    opened = {"textDocument": {"uri": "untitled:a", "languageId": "python", "version": 1, "text": text}}
    with launch(tmp_path) as server:
        assert server.stdin is not None
        server.stdin.write(message("initialize", HELLO, 1))
        server.stdin.flush()
        assert answer(server)["id"] == 1
        server.stdin.write(message("initialized", {}) + message("textDocument/didOpen", opened))
        if killed and server.stdout is not None:
            server.stdout.close()  # nobody reads any more what the server writes
        server.stdin.close()
        assert server.wait(PATIENCE) == 1


def test_a_server_that_is_told_to_leaves_with_status_0(tmp_path: Path) -> None:
    with launch(tmp_path) as server:
        assert server.stdin is not None
        server.stdin.write(message("initialize", HELLO, 1) + message("shutdown", None, 2) + message("exit", None))
        server.stdin.flush()
        assert server.wait(PATIENCE) == 0


def test_what_is_no_message_is_survived(tmp_path: Path) -> None:
    with launch(tmp_path) as server:
        assert server.stdin is not None
        server.stdin.write(b"Content-Length: 5\r\n\r\n{oops" + message("initialize", HELLO, 1))
        server.stdin.flush()
        found = [answer(server), answer(server)]
        assert {one.get("method", one.get("id")) for one in found} == {"window/logMessage", 1}
        server.stdin.close()
        assert server.wait(PATIENCE) == 1


def test_without_its_extra_the_server_says_how_to_install_it(tmp_path: Path) -> None:
    without = "import sys; sys.modules['pygls'] = None; sys.argv[1:] = ['server']"
    code = f"{without}; from cudnnlint.__main__ import main; main()"
    found = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == (
        'cudnnlint: The language server needs pygls. Install it with: pip install "cudnnlint[lsp]"\n'
    )
