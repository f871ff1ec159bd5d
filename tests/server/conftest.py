"""One server for all tests of a process; a test that needs its own starts it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from editor import TARGET, Editor, started
from lsprotocol import types


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def editor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """An editor with the settings that a test finds everywhere, and leaves as they are."""
    found = await started(tmp_path_factory.mktemp("workspace"))
    yield found
    await found.client.shutdown_session()
    await found.client.stop()


@pytest.fixture
def configure(editor: Editor) -> Iterator[Callable[..., None]]:
    """Let the user change settings, as an editor does that sends them with the message; until the test ends."""

    def settings(**given: Any) -> None:
        params = types.DidChangeConfigurationParams({"cudnnlint": given})
        editor.client.workspace_did_change_configuration(params)

    yield settings
    settings(target=TARGET, delay=0)


@pytest_asyncio.fixture(loop_scope="session")
async def start(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Editor]]]:
    """Start an editor with settings of its own, or another way to count."""
    begun: list[Editor] = []

    async def one(**words: Any) -> Editor:
        begun.append(await started(tmp_path, **words))
        return begun[-1]

    yield one
    for editor in begun:
        await editor.client.shutdown_session()
        await editor.client.stop()
