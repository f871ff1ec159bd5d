"""The texts that the client has open, as it holds them.

pygls keeps them. Two things are done otherwise here: lines end where the protocol says so and nowhere else (Python's
`splitlines` also ends them at a form feed), and a change may reach behind the end of a line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument, Workspace

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.text import lines
from cudnnlint.files.source_bytes import encoded
from cudnnlint.server.positions import units_of

PYTHON = "python"
#: What a file that has not been saved is called, for its kind alone.
SUFFIXES = {False: ".py", True: ".ipynb"}


class OpenText(TextDocument):
    """One open text."""

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Take over a change."""
        self._source = units_of(self.position_codec.encoding).changed(self.source, change)


class OpenTexts(Workspace):
    """All open texts and notebooks."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        return OpenText(doc_uri, source, version, language_id, position_codec=self.position_codec)


@dataclass(frozen=True)
class TextPart:
    """One text of the client: a Python file, or one code cell of a notebook (`cell` counts from 1)."""

    uri: str
    version: int | None
    text: str
    cell: int | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return lines(self.text)


@dataclass(frozen=True)
class Buffer:
    """A file as the client holds it at one moment; `path` is where it is saved, or would be."""

    uri: str
    path: str
    parts: tuple[TextPart, ...]
    notebook: bool = False

    @property
    def size(self) -> int:
        """The number of characters."""
        return sum(len(part.text) for part in self.parts)

    def at(self, uri: str) -> TextPart | None:
        """Return the part with a URI."""
        return next((part for part in self.parts if unquote(part.uri) == unquote(uri)), None)

    def cell(self, number: int | None) -> TextPart | None:
        """Return a cell by its number, or the only part of a Python file."""
        return next((part for part in self.parts if part.cell == number), None)

    def data(self) -> bytes:
        """Return the bytes of the file, were it saved now."""
        if not self.notebook:
            return encoded("".join(part.text for part in self.parts))
        cells: list[dict[str, object]] = [
            {"cell_type": "code", "source": part.text, "metadata": {}, "outputs": [], "execution_count": None}
            for part in self.parts
        ]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def buffer_of(texts: Workspace, uri: str) -> Buffer | None:
    """Return the file that an open text belongs to, as it is now; None for what is not to be checked.

    `uri` is that of a Python file, of a notebook, or of a cell.
    """
    notebook = texts.get_notebook_document(notebook_uri=uri) or texts.get_notebook_document(cell_uri=uri)
    if notebook is not None:
        path = _path(texts, notebook.uri, True)
        return Buffer(notebook.uri, path, tuple(_cells(texts, notebook)), True) if path is not None else None
    text = texts.text_documents.get(unquote(uri))
    if text is None or not _is_python(text):
        return None
    path = _path(texts, text.uri, False)
    return Buffer(text.uri, path, (TextPart(text.uri, text.version, text.source),)) if path is not None else None


def _is_python(text: TextDocument) -> bool:
    return text.language_id == PYTHON or (not text.language_id and text.uri.endswith(SUFFIXES[False]))


def _cells(texts: Workspace, notebook: types.NotebookDocument) -> Iterator[TextPart]:
    code = [cell for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
    for number, cell in enumerate(code, 1):
        text = texts.text_documents.get(unquote(cell.document))
        if text is not None:
            yield TextPart(text.uri, text.version, text.source, number)


def _path(texts: Workspace, uri: str, notebook: bool) -> str | None:
    """Return the path of a file; one that was never saved gets a name in the client's folder.

    None for a text that is no file: another revision of one, say, or the output of a program.
    """
    scheme = urlsplit(uri).scheme
    if scheme == "file":
        return to_fs_path(uri)
    if scheme != "untitled":
        return None
    name = os.path.basename(unquote(urlsplit(uri).path)) or "Untitled"
    suffix = SUFFIXES[notebook]
    return os.path.join(texts.root_path or os.getcwd(), name if name.endswith(suffix) else name + suffix)


def uri_of(path: str) -> str:
    """Return the URI of a file."""
    return str(from_fs_path(os.path.abspath(path)))


def uris(texts: Workspace) -> list[str]:
    """Return the URIs of all files that are open: Python files and notebooks."""
    cells = {unquote(cell.document) for one in texts.notebook_documents.values() for cell in one.cells}
    files = [text.uri for key, text in texts.text_documents.items() if key not in cells]
    return [*files, *(one.uri for one in texts.notebook_documents.values())]
