"""Where the items of an iterator come from, as a value of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python.values import Contents, UnknownValue, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of an iterator that holds its ItemSource.
SOURCE = "·source"


class Stuck(Exception):
    """Raised where the next item of an iterator cannot be told by itself; `source` is what is left then."""

    def __init__(self, source: ItemSource | None = None) -> None:
        super().__init__()
        self.source = source


@record(frozen=True, eq=False)
class ItemSource(Value):
    """Where the next item of an iterator comes from."""

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the next item (None at the end), and the source of those behind it; raise Stuck."""
        raise Stuck

    def rest(self, run: Interpreter) -> Contents:
        """Return all that is left, as far as it is known, where no single item can be told."""
        return Contents((), UnknownValue("is an item of an iterator that is not followed"))
