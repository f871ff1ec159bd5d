"""One client: what it has open, what it was shown of each file, and what is checked when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from cudnnlint.core.errors import CudnnlintError, UsageError
from cudnnlint.core.language import tr
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.server import client_settings, layer_view, published
from cudnnlint.server.background import Worker
from cudnnlint.server.checking import Checked, check
from cudnnlint.server.documents import Buffer, TextPart, buffer_of, uris
from cudnnlint.server.layer_view import Sign
from cudnnlint.server.positions import Shift, Units, units_of


class Session:
    """The state of one connection. All of it lives in the thread of the event loop; the worker has its own."""

    def __init__(self, client: LanguageServer) -> None:
        self.client = client
        self.settings = client_settings.ClientSettings()
        self.initial: Mapping[str, Any] = {}
        self.worker = Worker(self._failed)
        self.shown: dict[str, Checked] = {}
        self.sound: dict[str, Checked] = {}
        self.timers: dict[str, asyncio.Task[None]] = {}
        self.complaints: dict[str, str] = {}
        self.ended = False

    @property
    def units(self) -> Units:
        """How the client counts characters."""
        return units_of(self.client.workspace.position_encoding)

    def buffer(self, uri: str) -> Buffer | None:
        """Return the file that a text belongs to, if it is one that is checked."""
        found = buffer_of(self.client.workspace, uri)
        return found if found is not None and found.size <= self.settings.max_file_size else None

    # ------------------------------------------------------------ what is checked when

    def schedule(self, uri: str, delay: float = 0.0, saved: bool = False) -> None:
        """Check a file after some seconds, unless it is scheduled again before; `saved`: the user has just saved it."""
        timer = self.timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self.timers[uri] = asyncio.get_running_loop().create_task(self._recheck(uri, delay, saved))

    def typed(self, uri: str) -> None:
        """Check a file as soon as nobody types."""
        if self.settings.run == "onType":
            self.schedule(uri, self.settings.delay / 1000)

    def schedule_all(self, but: str | None = None) -> None:
        """Check every open file anew: what they rest on has changed."""
        self.worker.forget()
        for uri in uris(self.client.workspace):
            if uri != but:
                self.schedule(uri, self.settings.delay / 1000)

    def configure(self, given: Mapping[str, Any]) -> None:
        """Take over settings of the client; where they are wrong it is told so, and keeps those it had."""
        try:
            settings = client_settings.read({**self.initial, **given})
        except UsageError as error:
            self._complain("settings", str(error))
            return
        self.complaints.clear()
        if settings != self.settings:
            self.settings = settings
            self.schedule_all()
            self._refresh()

    def close(self, uri: str) -> None:
        """Forget a file, and take away what was shown of it."""
        timer = self.timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self.worker.forget(uri)
        self.sound.pop(uri, None)
        before = self.shown.pop(uri, None)
        for part in before.buffer.parts if before is not None else ():
            self._publish(part.uri, [], None)

    async def _recheck(self, uri: str, delay: float, saved: bool) -> None:
        await asyncio.sleep(delay)
        whole = buffer_of(self.client.workspace, uri)
        buffer = self.buffer(uri)
        if buffer is None:
            if whole is not None:
                self._too_large(whole)
            return
        checked = await self.worker.answer(check, buffer, self.settings.flags)
        if checked is not None and self.buffer(uri) == buffer:
            self.complaints.pop(buffer.path, None)
            self._show(checked, saved)

    # ------------------------------------------------------------ what is shown

    def _show(self, checked: Checked, saved: bool) -> None:
        """Publish findings; while a text that was sound is being written on, what it showed stays."""
        uri = checked.buffer.uri
        before = self.shown.get(uri)
        if not checked.sound and before is not None and before.sound and not saved:
            return
        self.shown[uri] = checked
        found = published.by_part(checked, self.units)
        gone = [part.uri for part in before.buffer.parts if part.uri not in found] if before is not None else []
        for name in gone:
            self._publish(name, [], None)
        for part in checked.buffer.parts:
            self._publish(part.uri, found[part.uri], part.version)
        if checked.sound:
            old = list(self._carried(self.sound[uri], checked.buffer)) if uri in self.sound else []
            self.sound[uri] = checked
            if old != list(self._carried(checked, checked.buffer)):
                self._refresh()

    async def signs(self, uri: str) -> list[tuple[TextPart, Sign]]:
        """Return what stands beside the layers of a file; while its text is not valid, what stood there before."""
        buffer = self.buffer(uri)
        if buffer is None:
            return []
        now = self.worker.known(check, buffer, self.settings.flags)
        checked = now if now is not None and now.sound else self.sound.get(buffer.uri)
        if checked is None:
            checked = await self.worker.answer(check, buffer, self.settings.flags)
        return list(self._carried(checked, buffer)) if checked is not None else []

    def _carried(self, checked: Checked, buffer: Buffer) -> Iterator[tuple[TextPart, Sign]]:
        """Yield the signs of a text that are in a newer one too, at their place there."""
        parts = {part.cell: (part, buffer.at(part.uri)) for part in checked.buffer.parts}
        shifts = {cell: Shift(old.lines, new.lines) for cell, (old, new) in parts.items() if new is not None}
        for sign in layer_view.signs(checked):
            part = parts[sign.place.cell][1]
            by = shifts[sign.place.cell].row(sign.place.row, sign.place.end_row) if part is not None else None
            if part is not None and by is not None:
                yield part, replace(sign, place=_moved(sign.place, by, part.cell))

    def _publish(self, uri: str, found: list[types.Diagnostic], version: int | None) -> None:
        self.client.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def _refresh(self) -> None:
        """Ask the client to ask for the signs again, if it has some and can be asked."""
        workspace = self.client.client_capabilities.workspace if self.sound else None
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.client.workspace_inlay_hint_refresh(None)
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.client.workspace_code_lens_refresh(None)

    # ------------------------------------------------------------ what is said

    def _too_large(self, buffer: Buffer) -> None:
        most = self.settings.max_file_size
        text = f"{buffer.path} has more than {most:,} characters and is not checked (setting cudnnlint.maxFileSize)."
        self.close(buffer.uri)
        self._complain(buffer.path, text, types.MessageType.Warning)

    def _failed(self, buffer: Buffer, error: BaseException) -> None:
        if isinstance(error, CudnnlintError):
            self._complain(buffer.path, str(error))
        else:
            self.log(f"{buffer.path}: cudnnlint crashed ({type(error).__name__}: {error}). Please report this bug.")

    def _complain(self, about: str, text: str, kind: types.MessageType = types.MessageType.Error) -> None:
        """Tell the user what keeps files from being checked; once, not with every keystroke."""
        if text not in self.complaints.values():
            self.client.window_show_message(types.ShowMessageParams(kind, f"cudnnlint: {tr(text)}"))
        self.complaints[about] = text

    def log(self, text: str) -> None:
        """Write to the client's log."""
        self.client.window_log_message(types.LogMessageParams(types.MessageType.Error, text))


def _moved(place: SourcePlace, by: int, cell: int | None) -> SourcePlace:
    return replace(place, row=place.row + by, end_row=place.end_row + by, cell=cell)
