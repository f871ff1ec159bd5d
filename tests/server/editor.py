"""An editor without a screen: a client of the server over its standard input and output.

It waits for what the server sends, never for time to pass; `PATIENCE` is only there so that a test ends.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from newest_releases import NEWEST
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

PATIENCE = 120.0
COMMAND = (sys.executable, "-m", "cudnnlint", "server")
TARGET = f"keras@{NEWEST}:tensorflow"
LINE_END = re.compile(r"\r\n|\r|\n")
BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass
class Editor:
    """The client and all that it was shown, in the order in which it came."""

    client: LanguageClient
    encoding: str = "utf-16"
    published: dict[str, list[types.PublishDiagnosticsParams]] = field(default_factory=lambda: defaultdict(list))
    messages: list[types.ShowMessageParams] = field(default_factory=list)
    logged: list[types.LogMessageParams] = field(default_factory=list)
    registered: list[types.Registration] = field(default_factory=list)
    refreshed: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    heard: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for messages until something holds."""
        async with self.heard:
            await asyncio.wait_for(self.heard.wait_for(holds), PATIENCE)

    async def hear(self) -> None:
        async with self.heard:
            self.heard.notify_all()

    # ------------------------------------------------------------ texts

    async def open(self, path: Path | str, text: str, language: str = "python") -> str:
        """Open a text; its URI."""
        uri = path if isinstance(path, str) else path.as_uri()
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> int:
        """Replace a whole text; its new version."""
        return self.send(uri, types.TextDocumentContentChangeWholeDocument(text), text)

    def send(self, uri: str, change: types.TextDocumentContentChangeEvent, text: str) -> int:
        """Send a change that leads to a text; its new version."""
        self.texts[uri] = text
        self.versions[uri] += 1
        version = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
        return self.versions[uri]

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def shown(self, uri: str, version: int | None = None, after: int = 0) -> list[types.Diagnostic]:
        """Return what was published last of a text: for a version of it, and as more than the first `after`."""
        wanted = self.versions.get(uri) if version is None else version

        def there() -> bool:
            found = self.published[uri][after:]
            return bool(found) and found[-1].version == wanted

        await self.until(there)
        return list(self.published[uri][-1].diagnostics)

    async def checked(self, path: Path | str, text: str) -> tuple[str, list[types.Diagnostic]]:
        """Open a text and wait for its diagnostics."""
        uri = await self.open(path, text)
        return uri, await self.shown(uri)

    # ------------------------------------------------------------ questions

    async def actions(self, uri: str, row: int, only: Sequence[str] | None = None) -> list[types.CodeAction]:
        """Return what can be done in a line (from 1)."""
        there = types.Range(types.Position(row - 1, 0), types.Position(row - 1, 10_000))
        context = types.CodeActionContext([], only=list(only) if only else None)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), there, context)
        found: Any = await self.client.text_document_code_action_async(params)
        return list(found or [])

    async def hover(self, uri: str, line: int, character: int) -> str | None:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found is not None else None  # type: ignore[union-attr]

    async def hints(self, uri: str) -> list[tuple[int, str]]:
        """Return the line (from 1) and the words of each inlay hint."""
        whole = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        params = types.InlayHintParams(types.TextDocumentIdentifier(uri), whole)
        found = await self.client.text_document_inlay_hint_async(params)
        return [(hint.position.line + 1, str(hint.label)) for hint in found or []]

    # ------------------------------------------------------------ edits

    def apply(self, action: types.CodeAction) -> dict[str, str]:
        """Return the texts that an action leads to, by URI; its versions must be the ones that are open."""
        assert action.edit is not None
        assert action.edit.document_changes is not None
        found = {}
        for change in action.edit.document_changes:
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == self.versions[change.text_document.uri]
            uri = change.text_document.uri
            found[uri] = self.edited(self.texts[uri], [edit for edit in change.edits if hasattr(edit, "new_text")])
        return found

    def edited(self, text: str, edits: Sequence[Any]) -> str:
        """Return a text after edits that do not overlap."""
        for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
            text = (
                text[: self.offset(text, edit.range.start)] + edit.new_text + text[self.offset(text, edit.range.end) :]
            )
        return text

    def offset(self, text: str, position: types.Position) -> int:
        """Return the offset of a position, counted as the protocol says."""
        starts = [0, *(end.end() for end in LINE_END.finditer(text))]
        start = starts[position.line]
        codec, size = BYTES[self.encoding]
        return start + len(text[start:].encode(codec)[: position.character * size].decode(codec))


async def started(
    folder: Path, options: dict[str, Any] | None = None, encoding: str = "utf-16", folders: Sequence[Path] = ()
) -> Editor:
    """Start a server, and say hello as an editor does that knows everything."""
    client = LanguageClient()
    editor = Editor(client, encoding)
    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **_listeners(editor)})
    await client.start_io(*COMMAND, cwd=folder)
    given = {"target": TARGET, "delay": 0, **(options or {})}
    roots = [types.WorkspaceFolder(one.as_uri(), one.name) for one in folders or (folder,)]
    await client.initialize_session(
        types.InitializeParams(
            capabilities=_capabilities(encoding),
            root_uri=folder.as_uri(),
            workspace_folders=roots,
            initialization_options=given,
        )
    )
    return editor


def _listeners(editor: Editor) -> dict[str, Any]:
    async def published(params: types.PublishDiagnosticsParams) -> None:
        editor.published[params.uri].append(params)
        await editor.hear()

    async def said(params: types.ShowMessageParams) -> None:
        editor.messages.append(params)
        await editor.hear()

    async def logged(params: types.LogMessageParams) -> None:
        editor.logged.append(params)
        await editor.hear()

    async def registered(params: types.RegistrationParams) -> None:
        editor.registered += params.registrations
        await editor.hear()

    async def refreshed(params: None) -> None:
        editor.refreshed += 1
        await editor.hear()

    return {
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published,
        types.WINDOW_SHOW_MESSAGE: said,
        types.WINDOW_LOG_MESSAGE: logged,
        types.CLIENT_REGISTER_CAPABILITY: registered,
        types.WORKSPACE_INLAY_HINT_REFRESH: refreshed,
        types.WORKSPACE_CODE_LENS_REFRESH: refreshed,
    }


def _capabilities(encoding: str) -> types.ClientCapabilities:
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[encoding]),
        notebook_document=types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities()),
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(version_support=True)
        ),
        workspace=types.WorkspaceClientCapabilities(
            configuration=True,
            did_change_configuration=types.DidChangeConfigurationClientCapabilities(dynamic_registration=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
            inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            workspace_folders=True,
        ),
    )
