"""Where an object has its attributes: in its own cells, or in the dict that was set as its `__dict__`."""

from __future__ import annotations

from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import ANY, OTHER, Instance, Mapping, Value, join


def of(value: Instance) -> Table:
    """Return the cells of an object's attributes."""
    names = value.table.get("__dict__")
    return names.table if isinstance(names, Mapping) else value.table


def is_its_dict(value: Mapping, body: Instance) -> bool:
    """Return whether an object that is a dict has its entries as attributes, too."""
    names = body.table.get("__dict__")
    return isinstance(names, Mapping) and names.table is value.table


def unnamed(owner: Instance) -> Value | None:
    """Return what an object may have under a name that no code sets: by `setattr` with any name, or by its dict."""
    found = [value for value in (owner.table.get(OTHER), owner.table.get(ANY)) if value is not None]
    return join(found) if found else None
