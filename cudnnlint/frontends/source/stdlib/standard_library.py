"""The model of Python's standard library, and of what belongs to no framework (numpy, packaging, attrs)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.library_model import LibraryModel
from cudnnlint.frontends.source.python.values import (
    Bound,
    Const,
    Foreign,
    Function,
    Instance,
    Library,
    Mapping,
    Namespace,
    UnknownValue,
    Value,
    present,
)
from cudnnlint.frontends.source.stdlib import (
    arguments_given,
    array_dtypes,
    arrays,
    chained,
    chance,
    collected,
    computed,
    concurrent,
    constants,
    contextlibs,
    counters,
    data_sources,
    dispatching,
    held,
    mocking,
    names_in_modules,
    objects,
    registry,
    runs_of_tests,
    searches,
    small_objects,
    systems,
    tensor_datasets,
    unit_tests,
    versions,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Objects that have just the attributes that they are given.
HOLDERS = frozenset({"types.SimpleNamespace", "argparse.Namespace"})
COMMAND_LINE = arguments_given.COMMAND_LINE


#: The modules that know methods, in the order in which they are asked.
_METHODS = (
    held, array_dtypes, tensor_datasets, arrays, small_objects, collected, concurrent, contextlibs, dispatching,
    arguments_given, unit_tests, searches, chance,
)  # fmt: skip


class StandardLibrary(LibraryModel):
    """The model of the functions and objects of the standard library."""

    constants = constants.CLASSES

    def member(self, run: Interpreter, owner: Library, name: str) -> Value | None:
        """Return `module.name`, where it is a plain value."""
        if f"{owner.name}.{name}" in arguments_given.GIVEN:
            return UnknownValue(COMMAND_LINE, f"{owner.name}.{name}")
        known = (owner.name, name) in registry.VALUES
        return Const(registry.VALUES[owner.name, name]) if known else systems.value(f"{owner.name}.{name}")

    def knows(self, name: str) -> bool:
        """Return whether it is a class of numpy: no plain value is an object of one."""
        return name.split(".")[0] == "numpy"

    def call(self, run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function by its dotted name."""
        if (named := names_in_modules.found(run, callee, arguments, origin)) is not None:
            return named
        function = registry.functions().get(callee.name) or computed.function(callee.name)
        given = arrays.as_rows(callee.name, arguments) if callee.name.startswith("numpy.") else arguments
        found = None if function is None else function(run, given, origin)
        if found is None and callee.name.startswith("numpy."):
            arrays.forget(run, arguments.every(), origin)
        searches.wrapped(run, callee, arguments, origin)
        return objects.imported_by(callee, arguments) if found is None else found

    def outside(self, name: str) -> str | None:
        """Return what decides the result of a function outside the program: a file, the keyboard, the command line."""
        return COMMAND_LINE if arguments_given.defines(name) else data_sources.outside(name)

    def call_unknown(
        self, run: Interpreter, callee: UnknownValue, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Call something that is not followed: it may ask a search for a value."""
        return searches.asked(run, callee, arguments, origin)

    def decorate(self, run: Interpreter, function: Function, name: str, arguments: Arguments, origin: Origin) -> None:
        """Note the values that a test is run with."""
        runs_of_tests.decorate(run, function, name, arguments)

    def construct(self, run: Interpreter, instance: Instance, base: str, arguments: Arguments, origin: Origin) -> None:
        """Run the constructor of a class of the library on an object of a subclass."""
        if base in unit_tests.CASES:
            unit_tests.prepare(run, instance, arguments)
        if base in concurrent.THREADS:
            concurrent.prepare(run, instance, arguments)
        super().construct(run, instance, base, arguments, origin)

    def attribute(
        self, run: Interpreter, value: Instance | Foreign, name: str, origin: Origin, owner: Library | None = None
    ) -> Value:
        """Return an attribute: a namespace has only what it was given."""
        kind = owner if owner is not None else value.kind if isinstance(value, Instance) else None
        if isinstance(kind, Library) and kind.name == arrays.ARRAY and isinstance(value, Instance):
            return arrays.attribute(value, name) or Bound(value, name, kind)
        if isinstance(kind, Library) and kind.name in HOLDERS:
            own = value.table.get(name) if isinstance(value, Instance) else None
            if own is not None:  # it may be missing: a program that goes on has it
                return present(own)
            return run.unfollowed("is not set in the code that is followed", origin.node, origin.unit)
        return super().attribute(run, value, name, origin, owner)

    def part(self, run: Interpreter, value: Const, name: str) -> Value | None:
        """Return an attribute of a version, a path, a match ...; None for other constants."""
        found = versions.attribute(value, name) or constants.attribute(run, value, name)
        return found or (Bound(value, name) if isinstance(value.value, self.constants) else None)

    def operator(
        self, run: Interpreter, value: Value, name: str, arguments: list[Value], origin: Origin
    ) -> Value | None:
        """Return the result of an operator on an object that is held, or on a collection."""
        found = held.operator(run, value, name, arguments, origin)
        found = array_dtypes.operator(run, value, name, arguments, origin) if found is None else found
        found = arrays.operator(run, value, name, arguments, origin) if found is None else found
        return collected.operator(run, value, name, arguments, origin) if found is None else found

    def entries(self, run: Interpreter, value: Instance) -> Mapping | None:
        """Return the entries of a section of a configuration, or of a ChainMap."""
        return held.entries(run, value) or chained.entries(run, value)

    def compared(self, run: Interpreter, value: Value, origin: Origin) -> Value | None:
        """Return what a comparison makes of an array, number by number."""
        return array_dtypes.compared(run, value, origin)

    def compare(self, left: Value, right: Value, compare: Callable[[Any, Any], Any]) -> bool | None:
        """Return the result of a comparison with `sys.version_info`, where it is the same for every Python 3."""
        return versions.of_python(left, right, compare)

    def method(self, run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a method of a constant or a collection; an argument parser returns what the command line holds."""
        if mocking.is_patch(bound.receiver):
            assert isinstance(bound.receiver, Instance)
            return mocking.method(run, bound.receiver, bound.name)
        found = constants.method(run, bound, arguments, origin)
        for module in _METHODS:
            found = module.method(run, bound, arguments, origin) if found is None else found
        return found

    def call_object(self, run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin) -> Value:
        """Call an object of the library: a function that chooses by the class of its argument."""
        found = dispatching.call(run, instance, arguments, origin)
        found = concurrent.call(run, instance, arguments, origin) if found is None else found
        return super().call_object(run, instance, arguments, origin) if found is None else found

    def runs(self, name: str) -> bool:
        """Return whether the model itself calls the functions that a function of the library is given."""
        return name in registry.CALLING or name.split(".")[0] in ("functools", "itertools")

    def enters(self, run: Interpreter, context: Value) -> Callable[[list[Value]], Value | None] | None:
        """Begin a block with something patched, or with a context manager of `contextlib`."""
        return mocking.enters(run, context) if mocking.is_patch(context) else contextlibs.enters(run, context)

    def given(self, run: Interpreter, context: Value) -> Value | None:
        """Return what `with context as name` binds."""
        return contextlibs.given(context)

    def item(self, run: Interpreter, value: Value, index: Value | None) -> Value | None:
        """Return `value[index]` of an object of the library."""
        if isinstance(value, Const) and index is not None:
            return constants.item(run, value, index)
        if isinstance(value, Mapping) and index is not None:
            return counters.item(value, index)
        if not isinstance(value, Library):
            return None
        if value.name == "sys.version_info" and isinstance(index, Const):
            return Const(3) if index.value == 0 else None
        if value.name == "sys.version_info" and index is None:
            return value
        if isinstance(index, Const) and isinstance(index.value, str):
            if value.name == "sys.modules":
                return Namespace(run.units[-1]) if index.value == "__main__" and run.units else Library(index.value)
            if value.name.endswith(".__dict__"):
                return run.member(Library(value.name.removesuffix(".__dict__")), index.value)
        return None
