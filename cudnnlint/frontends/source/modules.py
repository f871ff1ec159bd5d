"""Modules: which dotted name is a file of the project, which is a library's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.prefilter import NAMES
from cudnnlint.frontends.source.scopes import Frame
from cudnnlint.frontends.source.unit import Unit
from cudnnlint.frontends.source.values import Library, Namespace, Unfollowed, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.interpret import Interpreter


class Modules:
    """Resolves imports. Without a project every import is a library's."""

    def __init__(self) -> None:
        self.run: Interpreter | None = None

    def absolute(self, unit: Unit, name: str, level: int) -> str:
        """The absolute dotted name of `from <level dots>name import ...` in a unit."""
        if level == 0:
            return name
        package = unit.name.split(".") if unit.package else unit.name.split(".")[:-1]
        base = package[: len(package) - (level - 1)] if level > 1 else package
        return ".".join([*base, name] if name else base) or f".{name}"

    def module(self, name: str) -> Value | None:
        """The project's module of that name, None if there is none."""
        return None

    def member(self, module: str, name: str) -> Value:
        """`from module import name`."""
        return Library(f"{module}.{name}")

    def star(self, frame: Frame, module: str) -> None:
        """`from module import *`."""
        frame.unit.stars.append(module)

    def starred(self, unit: Unit, name: str) -> Value | None:
        """A name that only a star import can have given."""
        for module in reversed(unit.stars):
            if module.split(".")[0] == "torch" and NAMES.fullmatch(name):
                return Library(f"{module}.{name}")
            if self.exports(module, name):
                return Library(f"{module}.{name}")
        return None

    def exports(self, module: str, name: str) -> bool:
        """Could a library's module export this name through a star?"""
        assert self.run is not None
        names = self.run.names
        if names.keras_class(f"{module}.{name}") is None:
            return False
        known = names.recurrent | names.cells | names.wrappers
        return name in known or (name[:1].isupper() and name not in ("Exception",))

    def attribute(self, value: Namespace, name: str) -> Value:
        """`module.name` of a project's module."""
        found = value.unit.table.get(name)
        return found if found is not None else Unfollowed(f"is not found in {value.unit.path}", name)
