"""Abstract values: what an expression can be, as far as the source shows.

Values are immutable; what can change is held in tables that a value points at. `at` is where the value is written,
`assumed` the sentence that names the assumption that it depends on, where a caller or user may override it.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words, key

if TYPE_CHECKING:
    import libcst as cst

    from cudnnlint.frontends.source.python.call_path import Step
    from cudnnlint.frontends.source.python.decorators import Mark
    from cudnnlint.frontends.source.python.scopes import Scope
    from cudnnlint.frontends.source.python.state import ModuleUnit, Table
    from cudnnlint.frontends.source.syntax.unit import Origin, Unit

#: More alternatives than this are not kept apart: a reader of the report could not do so either.
MOST_OPTIONS = 24
#: Tuples inside one another that are compared by what they hold: sixty that each hold the one before twice hold 2**60.
DEEPEST = 8
DEEPEST_DEFAULTS = 2  # functions that are defaults of one another, likewise


class _Compared:
    """What keeps its identity, once it was asked for: beside the fields, so that no copy takes it over."""

    __slots__ = ("kept_identity",)
    kept_identity: tuple[Hashable, ...]


@record(frozen=True, eq=False)
class Value(_Compared):
    """The base of all abstract values."""

    at: Origin | None = field(default=None, kw_only=True)
    assumed: str | None = field(default=None, kw_only=True)


@record(frozen=True, eq=False)
class Const(Value):
    """A literal, or the result of arithmetic on literals."""

    value: Any


@record(frozen=True, eq=False)
class Unbound(Value):
    """No value: an unbound name, an absent key, an argument that is not given."""


@record(frozen=True, eq=False)
class UnknownValue(Value):
    """A value that is not known.

    Together `what` and `why` are a sentence: "`args.units` comes from the command line"; `what` is source text and
    grows with every attribute that is taken. `why` therefore begins with a verb, and also reads well after "a value
    that". Where `what` is None, `why` is a sentence by itself.

    `mask` is the Keras mask that the value has where it is used as a tensor: "open" (none, unless the file makes
    masks), "none" (data that no layer made), "unknown" or, of an argument, "hidden" (it may not be given at all).
    """

    why: Words
    what: Words | None = ""
    mask: str = "open"

    @property
    def because(self) -> Words:
        """Return the sentence for the report."""
        if self.what is None:
            return self.why
        return Sentence("`", self.what, "` ", self.why) if self.what else Sentence("the value ", self.why)


@record(frozen=True, eq=False)
class Either(Value):
    """One of several values; `because` says what decides."""

    options: tuple[Value, ...]
    because: Words = ""


@record(frozen=True, eq=False)
class Library(Value):
    """A module, class or function of a library, by its dotted name."""

    name: str

    @property
    def foreign(self) -> bool:
        """Return whether it is from a package of which nothing is known, so that it may be any value at all."""
        return self.name.split(".")[0] not in _FAMILIAR

    @property
    def may_be_plain(self) -> bool:
        """Return whether it may be a plain value (a number, a text, None), as `os.name` is.

        Otherwise it is a module, class or function.
        """
        top, *inside = self.name.split(".")
        if top == "builtins" or not inside:
            return self.foreign
        if top in sys.stdlib_module_names:
            return not inside[-1][:1].isupper()
        return self.foreign or inside[-1] in _DTYPES or not _SETTINGS.isdisjoint(inside)


@record(frozen=True, eq=False)
class Namespace(Value):
    """A module of the linted project: its cells are its names."""

    unit: ModuleUnit


@record(frozen=True, eq=False)
class Imported(Value):
    """A module of the linted project, or (with `name`) something in it, that is not read until it is used."""

    module: str
    name: str | None
    by: Unit


@record(frozen=True, eq=False)
class Contents(Value):
    """What a tuple, list or set holds: `items`, some of which may be missing, then any number of `rest`."""

    items: tuple[Value, ...]
    rest: Value | None = None

    @property
    def certain(self) -> bool:
        """Return whether it is known exactly how many items there are."""
        return self.rest is None and not any(may_be_missing(item) for item in self.items)


@record(frozen=True, eq=False)
class Tuple(Value):
    """A tuple, or another sequence that nothing can change; a named one has its `fields` and its class."""

    contents: Contents
    fields: tuple[str, ...] = ()
    kind: Class | None = None


@record(frozen=True, eq=False)
class Listing(Value):
    """A list or set: the table's cell `ITEMS` holds its Contents."""

    table: Table
    kind: str = "list"


@record(frozen=True, eq=False)
class Mapping(Value):
    """A dict: one cell for each key; the cell `ANY` holds a value that may be under any key.

    `body` is what an object of a class that inherits from dict has besides: its class and attributes.
    """

    table: Table
    body: Instance | None = None


@record(frozen=True, eq=False)
class Function(Value):
    """A function, method or lambda of the linted source, with what it closes over."""

    node: cst.FunctionDef | cst.Lambda
    name: str
    unit: Unit
    scope: Scope
    defaults: dict[str, Value]
    owner: Class | None = None
    kind: str = "function"
    marks: tuple[Mark, ...] = ()
    path: tuple[Step, ...] = ()
    setter: Function | None = None
    deleter: Function | None = None
    contexts: tuple[Value, ...] = ()


@record(frozen=True, eq=False)
class Bound(Value):
    """A method with its receiver. `name` is used where the receiver is a built-in or library object."""

    receiver: Value
    name: str
    function: Value | None = None

    @property
    def may_be_plain(self) -> bool:
        """Return whether it may be a plain value that an object of a library, or a tensor, has under that name."""
        own = isinstance(self.function, Function) or isinstance(self.receiver, (Const, Tuple, Listing, Mapping))
        return not own


@record(frozen=True, eq=False)
class Partial(Value):
    """functools.partial: a function and arguments that are already given; `held` is the dict that may be changed."""

    function: Value
    positional: tuple[Value, ...]
    keywords: dict[str, Value]
    open: Words | None = None
    held: Mapping | None = None


@record(frozen=True, eq=False)
class Managed(Value):
    """The result of calling a contextlib.contextmanager function: its body runs when a `with` enters it."""

    function: Function
    bound: dict[str, Value]
    origin: Origin


@record(frozen=True, eq=False)
class Class(Value):
    """A class of the linted source; its cells are its attributes."""

    name: str
    node: cst.ClassDef | None
    unit: Unit
    bases: tuple[Value, ...]
    table: Table
    scope: Scope | None = None
    path: tuple[Step, ...] = ()
    marks: tuple[str, ...] = ()
    meta: Class | None = None


@record(frozen=True, eq=False)
class Instance(Value):
    """An object: of a user's class, or of a library's (then `kind` is a Library)."""

    kind: Class | Library
    table: Table


@record(frozen=True, eq=False)
class Super(Value):
    """The result of super(): attribute look-up that starts behind `after` in the receiver's classes."""

    receiver: Value
    after: Class


@record(frozen=True, eq=False)
class Foreign(Value):
    """The base of values that only a library's model understands: the interpreter passes them on and asks the model."""

    @property
    def key(self) -> Hashable:
        """Return a key that is equal for two that are the same as far as the source shows."""
        return id(self)


UNBOUND = Unbound()
NONE = Const(None)
ITEMS = "·items"
ANY = "·any"
OTHER = "·other"  # the cell of an object with what may be set under any name that it has not
STATE, WORTH = "·state", "·worth"  # cells with Python's own object as it is now, and with what an enum's member equals

V = TypeVar("V", bound=Value)

#: Modules of frameworks that hold plain values, and values that compare equal to texts.
_SETTINGS = frozenset({"version", "config", "flags", "backends", "sysconfig"})
_DTYPES = frozenset({"float16", "bfloat16", "float32", "float64", "half", "double", "int32", "int64", "bool", "string"})
_FAMILIAR = {"builtins", "keras", "tf_keras", "tensorflow", "jax", "torch", "numpy", *sys.stdlib_module_names}


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set."""
    return frozenset(text.split())


def options(value: Value) -> tuple[Value, ...]:
    """Return the alternatives of a value: itself, or those of an Either."""
    return value.options if type(value) is Either else (value,)


def may_be_missing(value: Value) -> bool:
    """Return whether Unbound is one of the alternatives."""
    return type(value) is Unbound or (
        type(value) is Either and any(type(option) is Unbound for option in value.options)
    )


def present(value: Value) -> Value:
    """Return the value without Unbound among its alternatives: a program that goes on has found one."""
    if type(value) is not Either:
        return value
    return join([option for option in value.options if not isinstance(option, Unbound)], value.because)


def choice(*values: Value) -> Words:
    """Return why a value may be one of several, of the first that says so; nothing for single values."""
    return next((value.because for value in values if type(value) is Either and value.because), "")


def join(values: Iterable[Value], because: Words = "") -> Value:
    """Return one value for several: those that differ become an Either."""
    different = dict.fromkeys(values)  # values are compared by identity
    if len(different) == 1:
        return next(iter(different))
    kept: dict[Hashable, Value] = {}
    for value in different:
        if type(value) is Either:
            because = because or value.because
            for known, option in zip(identities(value), value.options, strict=True):
                if known not in kept:
                    kept[known] = option
        else:
            kept.setdefault(identity(value), value)
    if len(kept) == 1:
        return next(iter(kept.values()))
    if not kept:
        return UnknownValue("has no value on any path that is followed")
    if len(kept) > MOST_OPTIONS:
        return UnknownValue("has more possible values than are followed")
    joined = Either(tuple(kept.values()), because)
    joined.kept_identity = tuple(kept)
    return joined


def identities(value: Value) -> tuple[Hashable, ...]:
    """Return the identity of each alternative."""
    if type(value) is not Either:
        return (identity(value),)
    try:
        return value.kept_identity
    except AttributeError:
        value.kept_identity = tuple(map(identity, value.options))
        return value.kept_identity


def equal(left: Value, right: Value) -> bool:
    """Return whether two values, or two sets of alternatives, are the same as far as the source shows."""
    return left is right or set(identities(left)) == set(identities(right))


def alike(left: Value, right: Value) -> bool:
    """Return whether two single values are the same as far as the source shows."""
    return left is right or identity(left) == identity(right)


def identity(value: Value, depth: int = 0) -> Hashable:
    """Return what makes two single values the same; `depth` counts what it is inside: tuples, functions."""
    if type(value) is Const:  # most are
        return Const, value.assumed, type(value.value), repr(value.value)
    if type(value) is UnknownValue:  # it is compared with every other one that joins it
        try:
            return value.kept_identity
        except AttributeError:
            value.kept_identity = UnknownValue, value.assumed, key(value.why), key(value.what)
            return value.kept_identity
    return type(value), value.assumed, _inner_identity(value, depth)


def _inner_identity(value: Value, depth: int) -> Hashable:
    if isinstance(value, UnknownValue):
        return key(value.why), key(value.what)
    if isinstance(value, (Listing, Mapping, Class, Instance)):
        return id(value.table)
    if isinstance(value, Library):
        return value.name
    if isinstance(value, Unbound):
        return None
    if isinstance(value, Function) and depth < DEEPEST_DEFAULTS:
        defaults = ((n, *(identity(one, depth + 1) for one in options(v))) for n, v in value.defaults.items())
        return id(value.node), id(value.scope), *defaults
    if isinstance(value, Namespace):
        return id(value.unit)
    if isinstance(value, Imported):
        return value.module, value.name
    if isinstance(value, Foreign):
        return value.key
    if isinstance(value, Tuple) and depth < DEEPEST:
        rest = value.contents.rest
        every = [identity(option, depth + 1) for item in value.contents.items for option in options(item)]
        return (*every, None if rest is None else id(rest))
    return id(value)


def assume(value: Value, because: str | None) -> Value:
    """Return the same value, depending on an assumption (its own goes first)."""
    if because is None:
        return value
    if isinstance(value, Either):
        return changed(value, options=tuple(assume(option, because) for option in value.options))
    return value if value.assumed or isinstance(value, (Unbound, UnknownValue)) else changed(value, assumed=because)


def placed(value: V, at: Origin | None) -> V:
    """Return the same value, written at `at` unless it already knows where."""
    return value if value.at is not None or isinstance(value, (Either, Unbound)) else changed(value, at=at)


def assumption(*values: Value) -> str | None:
    """Return the first assumption among the values that a result is made of."""
    for value in values:
        for option in options(value):
            if option.assumed:
                return option.assumed
    return None
