"""Modules: which dotted name is a file of the project, which is a library's; files are run when they are needed."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import in_force
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.sources import Project, SourceFile, text_of
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Class,
    Const,
    Function,
    Imported,
    Library,
    Namespace,
    UnknownValue,
    Value,
    choice,
    join,
    may_be_missing,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.parsing import parse
from cudnnlint.frontends.source.syntax.unit import Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


class Modules:
    """The resolver of the imports of one reading.

    Without a project every import is a library's.
    """

    def __init__(self, run: Interpreter, project: Project | None = None) -> None:
        self.run = run
        self.project = project
        self.units: dict[str, ModuleUnit | None] = {}
        self.bytes = 0
        self.running: set[int] = set()
        self.following: set[tuple[int, str]] = set()
        self.stars: dict[tuple[int, int, str], Value | None] = {}

    def absolute(self, unit: Unit, name: str, level: int) -> str:
        """Return the absolute dotted name of `from <level dots>name import ...` in a unit."""
        if level == 0:
            return name
        package = unit.name.split(".") if unit.package else unit.name.split(".")[:-1]
        base = package[: len(package) - (level - 1)]
        return ".".join([*base, name] if name else base) or f".{name}"

    def module(self, name: str, unit: Unit) -> Value:
        """Return what `import name` binds in a unit: a module of the project (read when it is used), or a library's."""
        if not self._in_project(name, unit):
            return Library(name)
        self._run_switches(name, unit)
        return Imported(name, None, unit)

    def _run_switches(self, name: str, unit: Unit) -> None:
        """Run a module that switches something for the whole program where it is imported, even if it is not used."""
        if "." in name:
            self.run_packages(name, unit)
        file = self.project.find(name, unit.path) if self.project is not None and name not in self.units else None
        if file is not None and self.run.library.acts_on_import(file.data):
            self.unit(name, unit)

    def run_packages(self, name: str, unit: Unit) -> None:
        """Do the same with the packages that a module is in, which are imported before it."""
        self._run_switches(name.rpartition(".")[0], unit)

    def _in_project(self, name: str, unit: Unit) -> bool:
        """Return whether a module is a file of the project."""
        if self.project is None or self.run.library.owns(name):
            return False
        return name in self.units or self.project.find(name, unit.path) is not None

    def member(self, module: str, name: str, unit: Unit) -> Value:
        """Return what `from module import name` binds in a unit."""
        if isinstance(self.module(module, unit), Imported):
            self._run_switches(f"{module}.{name}", unit)
            there = self.units.get(module)
            again = there is not None and name in (there.table.first or ())  # what it is by now
            return self.attribute(Namespace(there), name) if there and again else Imported(module, name, unit)
        return self.run.member(Library(module), name)

    def resolve(self, value: Imported) -> Value:
        """Return what was imported, now that it is used; a name bound anew in its module since then is what it was."""
        unit = self.unit(value.module, value.by)
        if unit is None:
            return UnknownValue("is imported from a file that cannot be read", value.name or value.module)
        if value.name is None:
            return Namespace(unit)
        first = (unit.table.first or {}).get(value.name)
        if first is not None:
            return join([self.resolve(one) if isinstance(one, Imported) else one for one in options(first)])
        return self.attribute(Namespace(unit), value.name)

    def unit(self, name: str, by: Unit) -> ModuleUnit | None:
        """Return the module of that name, run; None if there is none, or it cannot be read, or there were too many."""
        if name not in self.units:
            file = self.project.find(name, by.path) if self.project is not None else None
            self.units[name] = None
            if file is not None:
                self.units[name] = self._load(file)
        return self.units[name]

    def _load(self, file: SourceFile) -> ModuleUnit | None:
        self.bytes += len(file.data)
        limits = in_force()
        if len(self.units) > limits.imported_files or self.bytes > limits.imported_bytes:
            return None
        try:
            text = text_of(file.data)
            tree = self.run.own(parse(text))
        except UnreadableInput:
            return None  # the report on that file says why
        table = self.run.journal.table()
        unit = ModuleUnit(file.name, file.path, text, tree, file.linted, package=file.package, table=table)
        self.units[file.name] = unit
        self.run.journal.write(unit.table, "__name__", Const(file.name))
        self.run_body(unit)
        table.first = None
        return unit

    def run_body(self, unit: ModuleUnit) -> None:
        """Run the body of a module."""
        self.running.add(id(unit))
        with self.run.elsewhere():
            scope = Scope(unit.table, None, "module")
            self.run.execute(unit.tree, Frame(unit, scope, containers.new_list(self.run, ())))
        self.running.discard(id(unit))

    def star(self, frame: Frame, module: str) -> None:
        """Run `from module import *`; what it brings takes the place of names that are bound already."""
        frame.unit.stars.append(module)
        for name, before in frame.scope.table.items():
            value = self._brought(frame.unit, module, name) if isinstance(name, str) else None
            if value is not None:
                after = join([present(value), before]) if may_be_missing(value) else value
                frame.scope.bind(self.run.journal, str(name), after)

    def _brought(self, unit: Unit, module: str, name: str) -> Value | None:
        """Return what a star import of one module certainly binds to a name; None where it does not."""
        if not isinstance(self.module(module, unit), Imported):
            there = self.run.library.lists(self.run, Library(module), name)
            return Library(f"{module}.{name}") if there else None
        found = self.unit(module, unit)
        value = None if found is None or name.startswith("_") else self._own(found, name)
        listed = None if found is None or value is None else found.table.get("__all__")
        if value is None or listed is None:
            return value
        names = containers.elements(self.run, listed)
        if not names.certain or not all(isinstance(one, Const) for one in names.items):
            return join([value, UNBOUND])
        return value if any(isinstance(one, Const) and one.value == name for one in names.items) else None

    def starred(self, unit: Unit, name: str) -> Value | None:
        """Return a name that only a star import can have bound: the last one that may have it."""
        if not unit.stars:
            return None
        if self.running:  # not all modules have all their names yet
            return self._search(unit, name)
        key = id(unit), len(unit.stars), name
        if key not in self.stars:
            self.stars[key] = self._search(unit, name)
        return self.stars[key]

    def starred_names(self, unit: ModuleUnit, names: Iterable[str]) -> set[str]:
        """Return which of the names are functions and classes that a star import binds in a unit."""
        if not unit.stars:
            return set()
        own = {name for name, _ in unit.table.items()}
        found = {name: self.starred(unit, name) for name in set(names) - own}
        return {name for name, value in found.items() if isinstance(value, (Function, Class))}

    def _search(self, unit: Unit, name: str) -> Value | None:
        for module in reversed(unit.stars):
            if isinstance(self.module(module, unit), Imported):
                found = self.unit(module, unit)
                value = self._own(found, name) if found is not None and not name.startswith("_") else None
                if value is not None:
                    return value
            elif self._exports(module, name):
                return Library(f"{module}.{name}")
        return None

    def _by_hook(self, unit: ModuleUnit, name: str) -> Value | None:
        """Return what the `__getattr__` of a module gives for a name that is not in it; None where it gives nothing."""
        hook = unit.table.get("__getattr__")
        if not isinstance(hook, Function) or hook.at is None or name.startswith("__"):
            return None
        origin = hook.at
        try:
            given = Arguments([Const(name)])
            return self.run.caught(lambda: self.run.call(hook, given, origin), ("AttributeError",))[0]
        except Stuck:
            return UnknownValue(f"is what {unit.path} gives for it", name)

    def _own(self, unit: ModuleUnit, name: str) -> Value | None:
        """Return the value of a name in a module, through its own imports and stars."""
        value = unit.table.get(name)
        if value is not None and any(isinstance(one, Imported) for one in options(value)):
            return self._followed(unit, name, value)
        if value is None and unit.stars and len(self.run.active) < 40:
            self.run.active.append(id(unit))
            value = self.starred(unit, name) if self.run.active.count(id(unit)) == 1 else None
            self.run.active.pop()
        return value

    def _followed(self, unit: ModuleUnit, name: str, value: Value) -> Value | None:
        """Return the value of an imported name in the module that defines it.

        The name may be imported in one of several ways; the values are then joined. None where modules import it from
        one another.
        """
        if (id(unit), name) in self.following:
            return None  # modules that import it from one another
        self.following.add((id(unit), name))
        parts = [self.resolve(one) if isinstance(one, Imported) else one for one in options(value)]
        self.following.discard((id(unit), name))
        return join(parts, choice(value))

    def _exports(self, module: str, name: str) -> bool:
        """Return whether a library's module binds this name through a star; not one that Python has anyway."""
        return not hasattr(builtins, name) and self.run.library.exports(module, name)

    def attribute(self, value: Namespace, name: str) -> Value:
        """Return `module.name` of a project's module: a name in it, or a module inside a package."""
        found = self._own(value.unit, name)
        found = self._by_hook(value.unit, name) if found is None else found
        if found is not None:
            return found
        inner = self.unit(f"{value.unit.name}.{name}", value.unit) if value.unit.package else None
        if inner is not None:
            return Namespace(inner)
        return UnknownValue(f"is not found in {value.unit.path}", name)
