"""The arguments of a call, bound to positions and names."""

from __future__ import annotations

from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.values import Value, present


@dataclass
class Arguments:
    """The arguments that a call passes.

    `rest` says why there may be more positional arguments than are seen, `open` why there may be more (or other)
    keyword arguments; the value of a keyword may be Unbound on some path.
    """

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    rest: Words | None = None
    open: Words | None = None

    def with_first(self, value: Value) -> Arguments:
        """Return the same arguments with a receiver in front of them."""
        return Arguments([value, *self.positional], self.keywords, self.rest, self.open)

    def get(self, position: int, name: str) -> Value | None:
        """Return the argument at a position or by its name; None if it is not given."""
        if position < len(self.positional):
            return self.positional[position]
        value = self.keywords.get(name)
        return None if value is None else present(value)

    def every(self) -> list[Value]:
        """Return all values that are passed."""
        return [*self.positional, *self.keywords.values()]
