"""The model of Python's standard library, and of what belongs to no framework (numpy, packaging, attrs)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.library_model import LibraryModel
from cudnnlint.frontends.source.python.values import Bound, Const, Foreign, Instance, Library, Unfollowed, Value
from cudnnlint.frontends.source.stdlib import functions, versions
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Objects that have just the attributes that they are given.
HOLDERS = frozenset({"types.SimpleNamespace", "argparse.Namespace"})
COMMAND_LINE = "comes from the command line"


class StandardLibrary(LibraryModel):
    """What the functions and objects of the standard library do."""

    def member(self, run: Interpreter, owner: Library, name: str) -> Value | None:
        """Return `module.name`, where it is a plain value."""
        if owner.name == "sys" and name == "argv":
            return Unfollowed(COMMAND_LINE, "sys.argv")
        known = (owner.name, name) in functions.PLAIN
        return Const(functions.PLAIN[owner.name, name]) if known else None

    def knows(self, name: str) -> bool:
        """Return whether it is a class of numpy: no plain value is an object of one."""
        return name.split(".")[0] == "numpy"

    def call(self, run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function by its dotted name."""
        function = functions.table().get(callee.name)
        return None if function is None else function(run, arguments, origin)

    def attribute(
        self, run: Interpreter, value: Instance | Foreign, name: str, origin: Origin, owner: Library | None = None
    ) -> Value:
        """Return an attribute: a namespace has only what it was given."""
        kind = owner if owner is not None else value.kind if isinstance(value, Instance) else None
        if isinstance(kind, Library) and kind.name in HOLDERS:
            return run.unfollowed("is not set where it is followed", origin.node, origin.unit)
        return super().attribute(run, value, name, origin, owner)

    def part(self, value: Const, name: str) -> Value | None:
        """Return a number of a version."""
        return versions.attribute(value, name)

    def method(self, run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a method: a parser of arguments gives what the command line says."""
        kind = bound.receiver.kind if isinstance(bound.receiver, Instance) else None
        if isinstance(kind, Library) and kind.name.endswith("ArgumentParser") and "parse" in bound.name:
            return Unfollowed(COMMAND_LINE, at=origin)
        return None

    def item(self, run: Interpreter, value: Value, index: Value | None) -> Value | None:
        """Return `value[index]` of an object of the library."""
        if not isinstance(value, Library):
            return None
        if value.name == "os.environ":
            return Unfollowed(functions.ENVIRONMENT)
        if value.name == "sys.version_info" and isinstance(index, Const):
            return Const(3) if index.value == 0 else None
        if isinstance(index, Const) and isinstance(index.value, str):
            if value.name == "sys.modules":
                return Library(index.value)
            if value.name.endswith(".__dict__"):
                return run.member(Library(value.name.removesuffix(".__dict__")), index.value)
        return None
