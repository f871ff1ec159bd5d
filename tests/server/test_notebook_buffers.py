"""Notebooks: cells share their names, and findings, fixes and verdicts are those of their cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from editor import TARGET, Editor
from lsprotocol import types
from shell_run import Run

pytestmark = pytest.mark.asyncio(loop_scope="session")

CELLS = (
    "%pip install keras\nfrom keras.layers import LSTM",
    "'🙂'\n'🙂', LSTM(8, recurrent_dropout=0.2)",
    "LSTM(8, unroll=True)",
)


class Notebook:
    """A notebook that is open in an editor."""

    def __init__(self, editor: Editor, path: Path, cells: tuple[str, ...] = CELLS) -> None:
        self.editor, self.uri, self.version = editor, path.as_uri(), 1
        self.cells = [f"vscode-notebook-cell:{path}#W{number}" for number in range(len(cells))]
        for cell, text in zip(self.cells, cells, strict=True):
            editor.texts[cell], editor.versions[cell] = text, 1

    def open(self) -> None:
        markdown = types.NotebookCell(types.NotebookCellKind.Markup, f"{self.cells[0]}-words")
        code = [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in self.cells]
        document = types.NotebookDocument(self.uri, "jupyter-notebook", 1, [markdown, *code])
        texts = [types.TextDocumentItem(cell, "python", 1, self.editor.texts[cell]) for cell in self.cells]
        words = types.TextDocumentItem(f"{self.cells[0]}-words", "markdown", 1, "# LSTM(8, unroll=True)")
        opened = types.DidOpenNotebookDocumentParams(document, [words, *texts])
        self.editor.client.notebook_document_did_open(opened)

    def change(self, changes: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        document = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = types.NotebookDocumentChangeEvent(cells=changes)
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(document, event))

    def write(self, number: int, text: str) -> None:
        """Replace the text of a cell, as editors do: by a range."""
        cell, editor = self.cells[number], self.editor
        lines = editor.texts[cell].split("\n")
        whole = types.Range(types.Position(0, 0), types.Position(len(lines) - 1, len(lines[-1])))
        editor.texts[cell] = text
        editor.versions[cell] += 1
        document = types.VersionedTextDocumentIdentifier(editor.versions[cell], cell)
        change = types.NotebookDocumentCellContentChanges(
            document, [types.TextDocumentContentChangePartial(whole, text)]
        )
        self.change(types.NotebookDocumentCellChanges(text_content=[change]))

    async def shown(self) -> list[tuple[int, int, int, object]]:
        """Return the cell, line, column and code of all findings, once the newest texts were checked."""
        found = [(n, one) for n, cell in enumerate(self.cells) for one in await self.editor.shown(cell)]
        return [(n, one.range.start.line, one.range.start.character, one.code) for n, one in found]


async def test_findings_are_those_of_the_json_output(editor: Editor, tmp_path: Path, run: Callable[..., Run]) -> None:
    path = tmp_path / "model.ipynb"
    cells = [{"cell_type": "code", "source": text} for text in CELLS]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
    said = json.loads(run(str(path), "--target", TARGET, "--output-format", "json").out)
    wanted = [(one["cell"] - 1, one["location"]["row"] - 1, one["code"]) for one in said]
    notebook = Notebook(editor, path)
    notebook.open()
    found = await notebook.shown()
    assert [(cell, line, code) for cell, line, _, code in found] == wanted == [(1, 1, "CDN103"), (2, 0, "CDN105")]
    assert found[0][2] == len("'🙂', LSTM(8, recurrent_dropout=") + 1  # the emoji counts twice


async def test_an_edit_in_one_cell_is_seen_in_another(editor: Editor, tmp_path: Path) -> None:
    cells = ("from keras.layers import Dense as LSTM", "LSTM(8, unroll=True)")
    notebook = Notebook(editor, tmp_path / "model.ipynb", cells)
    notebook.open()
    assert await notebook.shown() == []
    seen = len(editor.published[notebook.cells[1]])
    notebook.write(0, "from keras.layers import LSTM")
    assert [one.code for one in await editor.shown(notebook.cells[1], after=seen)] == ["CDN105"]


async def test_a_cell_can_be_put_in_and_taken_out(editor: Editor, tmp_path: Path) -> None:
    notebook = Notebook(editor, tmp_path / "model.ipynb")
    notebook.open()
    assert len(await notebook.shown()) == 2
    new = f"{notebook.uri}#new"
    editor.texts[new], editor.versions[new] = "LSTM(8, activation='relu')", 1
    array = types.NotebookCellArrayChange(2, 1, [types.NotebookCell(types.NotebookCellKind.Code, new)])
    opened = [types.TextDocumentItem(new, "python", 1, editor.texts[new])]
    closed = [types.TextDocumentIdentifier(notebook.cells[1])]
    structure = types.NotebookDocumentCellChangeStructure(array, opened, closed)
    notebook.change(types.NotebookDocumentCellChanges(structure=structure))
    assert [one.code for one in await editor.shown(new)] == ["CDN101"]
    await editor.until(lambda: not editor.published[notebook.cells[1]][-1].diagnostics)


async def test_fixes_and_verdicts_are_those_of_the_cell(editor: Editor, tmp_path: Path) -> None:
    notebook = Notebook(editor, tmp_path / "model.ipynb")
    notebook.open()
    await notebook.shown()
    second, third = notebook.cells[1:]
    (fix,) = [one for one in await editor.actions(second, 2) if one.title.startswith("CDN103")]
    assert editor.apply(fix) == {second: "'🙂'\n'🙂', LSTM(8)"}
    (ignore,) = [one for one in await editor.actions(third, 1) if one.title.startswith("Ignore")]
    assert editor.apply(ignore) == {third: "LSTM(8, unroll=True)  # noqa: CDN105"}
    (everything,) = await editor.actions(third, 1, only=["notebook.source.fixAll"])
    assert everything.kind == "notebook.source.fixAll.cudnnlint"
    assert editor.apply(everything) == {third: "LSTM(8)"}
    assert await editor.hints(second) == [(2, "falls back: recurrent_dropout")]
    assert await editor.hints(notebook.cells[0]) == []
    assert "**falls back**" in (await editor.hover(second, 1, 10) or "")


async def test_a_broken_cell_does_not_silence_the_others(editor: Editor, tmp_path: Path) -> None:
    notebook = Notebook(editor, tmp_path / "model.ipynb", (*CELLS, "def broken(:"))
    notebook.open()
    assert [(cell, code) for cell, _, _, code in await notebook.shown()] == [
        (1, "CDN103"),
        (2, "CDN105"),
        (3, "CDN001"),
    ]


async def test_rapid_edits_in_two_cells_end_with_the_findings_of_the_last_texts(editor: Editor, tmp_path: Path) -> None:
    notebook = Notebook(editor, tmp_path / "model.ipynb")
    notebook.open()
    for number in range(31):  # the last texts are valid: while one is not, what was shown before stays
        notebook.write(0, "from keras.layers import LSTM\n" + "\n" * number + "LSTM(8, unroll=True)")
        notebook.write(2, "(" * (number % 3))
    found = [(cell, line, code) for cell, line, _, code in await notebook.shown()]
    assert found == [(0, 31, "CDN105"), (1, 1, "CDN103")]


async def test_a_huge_notebook_is_not_checked_and_its_cells_count_together(
    editor: Editor, configure: Callable[..., None], tmp_path: Path
) -> None:
    configure(maxFileSize=300)
    said = len(editor.messages)
    notebook = Notebook(editor, tmp_path / "model.ipynb")
    notebook.open()
    assert [code for _, _, _, code in await notebook.shown()] == ["CDN103", "CDN105"]
    notebook.write(0, "from keras.layers import LSTM  # " + "x" * 150)
    notebook.write(1, "# " + "x" * 150)
    text = "model.ipynb has more than 300 characters and is not checked"
    await editor.until(lambda: any(text in one.message for one in editor.messages[said:]))
    await editor.until(lambda: not any(editor.published[cell][-1].diagnostics for cell in notebook.cells))


async def test_closing_a_notebook_takes_its_findings_away(editor: Editor, tmp_path: Path) -> None:
    notebook = Notebook(editor, tmp_path / "model.ipynb")
    notebook.open()
    assert await notebook.shown()
    closed = types.NotebookDocumentIdentifier(notebook.uri)
    cells = [types.TextDocumentIdentifier(cell) for cell in notebook.cells]
    editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(closed, cells))
    await editor.until(lambda: not any(editor.published[cell][-1].diagnostics for cell in notebook.cells))
