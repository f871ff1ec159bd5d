"""What the interpreter asks of libraries: everything that plain Python does not say.

The interpreter follows Python. What a function, class or object of a library does comes from a model of the library
that is passed to it. This base class knows no library: with it, plain Python is interpreted by itself. A model
overrides what it knows and answers None for the rest: it is no typing.Protocol, and one can extend another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    Bound,
    Const,
    Contents,
    Foreign,
    Function,
    Instance,
    Library,
    Mapping,
    Partial,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Handler = cst.ExceptHandler | cst.ExceptStarHandler


class LibraryModel:
    """A model that knows no library."""

    #: Methods that a library calls on the objects of its classes, in the order in which it calls them.
    life: Sequence[str] = ()
    #: Classes of libraries whose objects are constants, as numbers and texts are.
    constants: tuple[type, ...] = ()

    def member(self, run: Interpreter, owner: Library, name: str) -> Value | None:
        """Return `module.name`; None where it is just the dotted name."""
        return None

    def has(self, run: Interpreter, owner: Library, name: str) -> bool | None:
        """Return whether `hasattr(module, name)`; None where that is not known."""
        return None

    def lists(self, run: Interpreter, owner: Library, name: str) -> bool | None:
        """Return whether a release that is known has `owner.name`; None where its names are not listed."""
        return None

    def object_has(self, kind: Library, name: str) -> bool | None:
        """Return whether objects of a library's class have an attribute; None where that is not known."""
        return None

    def knows(self, name: str) -> bool:
        """Return whether this is a class of a library whose objects are never plain values of Python."""
        return False

    def inherits(self, name: str, base: str) -> bool | None:
        """Return whether one class of a library is another, or inherits from it; None where that is not known."""
        return True if name == base or name.rsplit(".", 1)[-1] == base.rsplit(".", 1)[-1] else None

    def compared(self, run: Interpreter, value: Value, origin: Origin) -> Value | None:
        """Return what `value < other` gives that is no plain True or False; None for any other value."""
        return None

    def compare(self, left: Value, right: Value, compare: Callable[[Any, Any], Any]) -> bool | None:
        """Return the result of a comparison with something of a library; None where that is not known."""
        return None

    def one_class(self, names: Sequence[str]) -> bool:
        """Return whether these names are one class in several packages, so that one of them can represent all."""
        return False

    def differ(self, one: str, other: str) -> bool:
        """Return whether two names certainly mean different things."""
        return False

    def owns(self, module: str) -> bool:
        """Return whether a module is the library's, even where a file of the project has its name."""
        return False

    def exports(self, module: str, name: str) -> bool:
        """Return whether `from module import *` binds a name."""
        return False

    def acts_on_import(self, data: bytes) -> bool:
        """Return whether a module changes what a library does as soon as it is imported."""
        return False

    def failure(self, run: Interpreter, dotted: str, named: bool) -> str | None:
        """Return what an import certainly raises, in a `try` that takes it, by the name of the exception's class.

        `named` says that it takes a name from a module.
        """
        return None

    def imported(self, run: Interpreter, dotted: str, origin: Origin) -> None:
        """Record the import of a name."""

    def attempting(self, run: Interpreter, node: cst.Try | cst.TryStar) -> AbstractContextManager[None]:
        """Run the body of a `try`."""
        return nullcontext()

    def handlers(self, run: Interpreter, node: cst.Try | cst.TryStar) -> list[Handler]:
        """Return the handlers of a `try` that may run, where it is not certain what its body raises."""
        return list(node.handlers)

    def call(self, run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function or class of a library; None if nothing is known of it."""
        return None

    def call_unknown(
        self, run: Interpreter, callee: UnknownValue, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Call something that is not followed; None where nothing more is known of its result."""
        return None

    def outside(self, name: str) -> str | None:
        """Return what decides the result of a library's function outside the program; None where nothing does."""
        return None

    def construct(self, run: Interpreter, instance: Instance, base: str, arguments: Arguments, origin: Origin) -> None:
        """Run the constructor of the library class `base` on an object, maybe one of a subclass."""
        for key, value in arguments.keywords.items():
            run.journal.write(instance.table, key, value)

    def call_object(self, run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin) -> Value:
        """Return the result of `object(arguments)`, for an object without a `__call__` that is followed."""
        what = instance.kind.name if isinstance(instance.kind, Library) else f"{instance.kind.name}.call"
        return UnknownValue(f"comes from `{what}`", at=origin)

    def method(self, run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a method that an object, a class or a foreign value has from a library; None if it is not known."""
        return None

    def decorate(self, run: Interpreter, function: Function, name: str, arguments: Arguments, origin: Origin) -> None:
        """Note that a decorator of a library was applied to a function."""

    def attribute(
        self, run: Interpreter, value: Instance | Foreign, name: str, origin: Origin, owner: Library | None = None
    ) -> Value:
        """Return an attribute that an object has from its library class, or from the base `owner`."""
        kind = value.kind if isinstance(value, Instance) and isinstance(value.kind, Library) else None
        return Bound(value, name, owner or kind)

    def operator(
        self, run: Interpreter, value: Value, name: str, arguments: list[Value], origin: Origin
    ) -> Value | None:
        """Return the result of an operator on an object of a library (`__getitem__`); None if that is not known."""
        return None

    def entries(self, run: Interpreter, value: Instance) -> Mapping | None:
        """Return what an object of a library holds as a dict; None where it is none, or not known."""
        return None

    def part(self, run: Interpreter, value: Const, name: str) -> Value | None:
        """Return an attribute of a constant that a library makes; None if it is no such constant."""
        return None

    def wrapped(self, value: Partial) -> Value | None:
        """Return what a library has wrapped; None where the value is no such thing."""
        return None

    def operation(self, *values: Value, name: str = "") -> Value | None:
        """Return the result of an operator where one of the values is foreign; None where that is not known.

        `name` is the operator's class in libcst, "comparison", or empty where only a part of a value is taken.
        """
        return None

    def item(self, run: Interpreter, value: Value, index: Value | None) -> Value | None:
        """Return `value[index]` (without an index: a part of it) of something of a library; None if not known."""
        return None

    def set_item(self, run: Interpreter, owner: Value, index: Value, value: Value) -> None:
        """Do `owner[index] = value` on something of a library."""

    def with_attribute(self, run: Interpreter, value: Foreign, name: str, given: Value) -> Value | None:
        """Return a value of a library with one of its attributes set; None where nothing hangs on it."""
        return None

    def elements(self, value: Foreign) -> Contents | None:
        """Return what a loop over a foreign value iterates over; None where that is not known."""
        return None

    def is_there(self, value: Foreign) -> bool:
        """Return whether a foreign value is certainly not None."""
        return False

    def made(self, value: Value) -> bool:
        """Return whether a value is an object that a library's constructor has made."""
        return False

    def entered(self, run: Interpreter, context: Value) -> AbstractContextManager[None]:
        """Run the block of `with context:`."""
        return nullcontext()

    def enters(self, run: Interpreter, context: Value) -> Callable[[list[Value]], Value | None] | None:
        """Begin `with context:`; return what ends it, which is told an exception and may take it; None for nothing."""
        return None

    def runs(self, name: str) -> bool:
        """Return whether the model itself calls the functions that a function of a library is given."""
        return False

    def given(self, run: Interpreter, context: Value) -> Value | None:
        """Return what `with context as name` binds; None where that is not known."""
        return None

    def inside(self, run: Interpreter, function: Function) -> AbstractContextManager[None]:
        """Run the body of a function."""
        return nullcontext()

    def elsewhere(self, run: Interpreter) -> AbstractContextManager[None]:
        """Run another file, to which nothing matters that surrounds its import."""
        return nullcontext()

    def adopt(self, run: Interpreter, instance: Instance, base: Library, origin: Origin) -> None:
        """Give an object of a class that nothing instantiates what the library class `base` gives it."""
        self.construct(run, instance, base.name, Arguments(), origin)

    def awaits(self, run: Interpreter, instance: Instance, name: str) -> bool | None:
        """Return whether the library has yet to call this method; None where it does not call such methods."""
        return None

    def entering(self, run: Interpreter, function: Function, receiver: Instance | None) -> AbstractContextManager[None]:
        """Run a function that nothing calls."""
        return nullcontext()

    def leaving(self, run: Interpreter, function: Function, held: Iterable[Value], called: bool = True) -> None:
        """End the run of a function: whoever calls it gets these values. It may be that nothing here calls it."""

    def settle(self, run: Interpreter) -> None:
        """Finish what the library still has to do with everything that was made so far."""

    def finish(self, run: Interpreter, read: Iterable[Unit]) -> None:
        """Do what remains when the program was followed to its end; `read` is all the source that was read."""

    def snapshot(self) -> Callable[[], None]:
        """Return a function that makes the model forget what it records from now on."""
        return lambda: None
