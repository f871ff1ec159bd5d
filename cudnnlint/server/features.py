"""What the client says and asks: one function for each message; `SERVED` says which is for which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from cudnnlint.server import actions, client_settings
from cudnnlint.server.actions import Asked, Writer
from cudnnlint.server.checking import check, fixed, offer
from cudnnlint.server.connection import Server
from cudnnlint.server.documents import OpenTexts, TextPart
from cudnnlint.server.layer_view import Sign
from cudnnlint.server.positions import holds

#: Files beside the sources that decide for what, and how, they are checked; and the sources that they import.
WATCHED = (
    "**/{pyproject.toml,cudnnlint.toml,setup.cfg,requirements*.txt,environment.yml,environment.yaml}",
    "**/{uv.lock,poetry.lock,pdm.lock,pylock.toml,Pipfile,Pipfile.lock}",
    "**/*.py",
)


# ------------------------------------------------------------ the connection


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Read the client's settings, and let texts be kept as `documents` keeps them."""
    before = ls.workspace
    ls.protocol._workspace = OpenTexts(
        before.root_uri, workspace_folders=list(before.folders.values()), position_encoding=before.position_encoding
    )
    ls.session.initial = client_settings.section(params.initialization_options)
    ls.session.configure({})


async def initialized(ls: Server, params: types.InitializedParams) -> None:
    """Ask to hear of changes, and for the settings, as far as the client knows how."""
    workspace = ls.client_capabilities.workspace or types.WorkspaceClientCapabilities()
    wanted = []
    watching = workspace.did_change_watched_files
    if watching is not None and watching.dynamic_registration:
        watchers = [types.FileSystemWatcher(glob) for glob in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    telling = workspace.did_change_configuration
    if telling is not None and telling.dynamic_registration:
        section = types.DidChangeConfigurationRegistrationOptions(client_settings.SECTION)
        wanted.append(types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if wanted:
        ls.client_register_capability(types.RegistrationParams(wanted))
    await _pull(ls)


def shutdown(ls: Server, params: None) -> None:
    """Remember that the client has said goodbye."""
    ls.session.ended = True


async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take over settings that came with the message, or ask for them."""
    given = client_settings.section(params.settings)
    if given:
        ls.session.configure(given)
    else:
        await _pull(ls)


async def _pull(ls: Server) -> None:
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    wanted = types.ConfigurationParams([types.ConfigurationItem(section=client_settings.SECTION)])
    answered = list(await ls.workspace_configuration_async(wanted))
    ls.session.configure(answered[0] if answered and isinstance(answered[0], dict) else {})


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Check everything anew."""
    ls.session.complaints.clear()
    ls.session.schedule_all()


# ------------------------------------------------------------ texts and notebooks


def opened(ls: Server, uri: str) -> None:
    """Check a file at once."""
    ls.session.schedule(uri)


def changed(ls: Server, uri: str) -> None:
    """Check a file as soon as nobody types."""
    ls.session.typed(uri)


def saved(ls: Server, uri: str) -> None:
    """Check a file, and all others that may import or run it."""
    ls.session.schedule_all(but=uri)
    ls.session.schedule(uri, saved=True)


def closed(ls: Server, uri: str) -> None:
    """Forget a file."""
    ls.session.close(uri)


def _text(do: Callable[[Server, str], None]) -> Callable[[Server, Any], None]:
    def did(ls: Server, params: Any) -> None:
        do(ls, params.text_document.uri)

    return did


def _notebook(do: Callable[[Server, str], None]) -> Callable[[Server, Any], None]:
    def did(ls: Server, params: Any) -> None:
        do(ls, params.notebook_document.uri)

    return did


# ------------------------------------------------------------ questions


async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return what can be done about the findings in a range."""
    session, flags = ls.session, ls.session.settings.flags
    buffer = session.buffer(params.text_document.uri)
    part = buffer.at(params.text_document.uri) if buffer is not None else None
    checked = await session.worker.answer(check, buffer, flags) if buffer is not None else None
    if buffer is None or part is None or checked is None or not checked.report.diagnostics:
        return []
    only = params.context.only
    asked = Asked(part, params.range, [str(getattr(kind, "value", kind)) for kind in only] if only else None)
    if not (asked.only or actions.concerned(checked, asked, session.units)):
        return []
    offered = await session.worker.answer(offer, buffer, flags)
    if offered is None:
        return []
    writer = Writer(session.units, _versioned(ls))
    wants = asked.wants(actions.QUICK)
    found = list(actions.quick(offered, asked, writer, session.settings.unsafe_fixes)) if wants else []
    kind = next((kind for kind in (actions.ALL, actions.ALL_CELLS) if asked.wants(kind)), None)
    if kind is not None and actions.safely(offered):
        texts = await session.worker.answer(fixed, buffer, flags)
        found += [actions.fix_all(offered, texts, kind, writer)] if texts is not None else []
    return found


def _versioned(ls: Server) -> bool:
    workspace = ls.client_capabilities.workspace
    edits = workspace.workspace_edit if workspace is not None else None
    return bool(edits is not None and edits.document_changes)


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """Return what is known of the layer at a position."""
    uri = params.text_document.uri
    around = []
    for part, sign in await _signs(ls, uri):
        row, column = ls.session.units.point(params.position, part.lines)
        if holds(sign.place, row, column):
            around.append((part, sign))
    if not around:
        return None
    part, sign = max(around, key=lambda one: (one[1].place.row, one[1].place.column))
    page = types.MarkupContent(types.MarkupKind.Markdown, sign.page)
    return types.Hover(page, ls.session.units.range(sign.place, part.lines))


async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Return the verdicts behind the constructor calls in a range."""
    if ls.session.settings.hints != "inlay":
        return []
    units = ls.session.units
    return [
        types.InlayHint(
            units.position(sign.place.end_row, sign.place.end_column, part.lines),
            sign.label,
            tooltip=types.MarkupContent(types.MarkupKind.Markdown, sign.page),
            padding_left=True,
        )
        for part, sign in await _signs(ls, params.text_document.uri)
        if params.range.start.line < sign.place.end_row <= params.range.end.line + 1
    ]


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Return the verdicts above the constructor calls."""
    if ls.session.settings.hints != "lens":
        return []
    units = ls.session.units
    return [
        types.CodeLens(units.range(sign.place, part.lines), types.Command(sign.label, ""))
        for part, sign in await _signs(ls, params.text_document.uri)
    ]


async def _signs(ls: Server, uri: str) -> list[tuple[TextPart, Sign]]:
    """Return what stands beside the layers in one text, which may be a cell."""
    buffer = ls.session.buffer(uri)
    part = buffer.at(uri) if buffer is not None else None
    return [one for one in await ls.session.signs(uri) if part is not None and one[0].uri == part.uri]


#: Each message with its function, and the options that the client is told.
SERVED: dict[str, tuple[Any, Any]] = {
    types.INITIALIZE: (initialize, None),
    types.INITIALIZED: (initialized, None),
    types.SHUTDOWN: (shutdown, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (did_change_configuration, None),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (did_change_watched_files, None),
    types.TEXT_DOCUMENT_DID_OPEN: (_text(opened), None),
    types.TEXT_DOCUMENT_DID_CHANGE: (_text(changed), None),
    types.TEXT_DOCUMENT_DID_SAVE: (_text(saved), types.SaveOptions(include_text=False)),
    types.TEXT_DOCUMENT_DID_CLOSE: (_text(closed), None),
    types.NOTEBOOK_DOCUMENT_DID_OPEN: (_notebook(opened), None),
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: (_notebook(changed), None),
    types.NOTEBOOK_DOCUMENT_DID_SAVE: (_notebook(saved), None),
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: (_notebook(closed), None),
    types.TEXT_DOCUMENT_CODE_ACTION: (code_action, types.CodeActionOptions(actions.KINDS)),
    types.TEXT_DOCUMENT_HOVER: (hover, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (inlay_hint, None),
    types.TEXT_DOCUMENT_CODE_LENS: (code_lens, None),
}
