"""The connection to one client."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from cudnnlint.core.version import __version__
from cudnnlint.server.documents import PYTHON
from cudnnlint.server.session import Session

#: The notebooks of Jupyter, and of those their Python cells.
NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithCells([types.NotebookCellLanguage(PYTHON)], "jupyter-notebook")], save=True
)


class Server(LanguageServer):
    """The server as pygls has it. What goes wrong is written to the client's log, and the server goes on."""

    def __init__(self) -> None:
        super().__init__("cudnnlint", __version__, types.TextDocumentSyncKind.Incremental, NOTEBOOKS)
        self.session = Session(self)

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Write a fault to the client's log."""
        self.session.log(f"cudnnlint: {type(error).__name__}: {error}")
