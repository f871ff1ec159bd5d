"""Names: scopes that nest as Python's do, and the frame in which a piece of code runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.frontends.source.python.state import JoinPoint, Journal, Table
from cudnnlint.frontends.source.python.values import (
    ANY,
    UNBOUND,
    Class,
    Function,
    Listing,
    Value,
    join,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Unit


@dataclass(eq=False)
class Scope:
    """One namespace: a module's, a class body's, a function call's or a comprehension's.

    `outer` maps a name that is declared `global` or `nonlocal` to the scope that holds it; `owner` is the class whose
    body it is; `local` are the names that a function binds somewhere, which mean nothing outside it before that.
    """

    table: Table
    parent: Scope | None
    kind: str
    outer: dict[str, Scope] = field(default_factory=dict)
    owner: Class | None = None
    local: frozenset[str] = frozenset()

    def around(self) -> Class | None:
        """Return the innermost class that this is written in."""
        scope: Scope | None = self
        while scope is not None and scope.owner is None:
            scope = scope.parent
        return None if scope is None else scope.owner

    def module(self) -> Scope:
        """Return the outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def enclosing(self) -> Scope | None:
        """Return the next function scope outwards, for `nonlocal`."""
        scope = self.parent
        while scope is not None and scope.kind == "class":
            scope = scope.parent
        return scope

    def outside_comprehensions(self) -> Scope:
        """Return the scope in which `:=` binds its name."""
        scope = self
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        return scope

    def holds(self, name: str) -> bool:
        """Return whether a name belongs to this scope, with or without a value yet."""
        return name in self.local or self.table.get(name) is not None

    def find(self, name: str) -> Value | None:
        """Return what a name means here; None if nothing binds it, Unbound if a function does so only later.

        The names of a class body are only seen from itself.
        """
        scope: Scope | None = self.outer.get(name, self)
        first = True
        while scope is not None:
            value = scope.table.get(name) if first or scope.kind != "class" else None
            if value is not None:
                return present(value)
            if name in scope.local and name not in scope.outer:
                return UNBOUND
            anything = scope.table.get(ANY) if first and scope.kind == "class" else None
            if anything is not None and scope.parent is not None:  # `locals()` was handed out
                outside = scope.parent.find(name)
                return anything if outside is None else join([outside, anything])
            scope, first = scope.parent, False
        return None

    def bind(self, journal: Journal, name: str, value: Value) -> None:
        """Bind a name to a value (or unbind it, with Unbound)."""
        home = self.outer.get(name, self)
        if home is not self and home.kind == "module":
            home.table.keep(name)
        journal.write(home.table, name, value)

    def unbind(self, journal: Journal, name: str) -> None:
        """Run `del name`."""
        self.bind(journal, name, UNBOUND)


@dataclass(eq=False)
class EndBehind:
    """The end of a `with` that a function with `yield` makes: it runs behind the block, and then what left the block.

    The paths that leave the block by a jump end at `point`, and go on by one of the `jumps` once the function has run.
    """

    point: JoinPoint
    jumps: list[Callable[[], bool]] = field(default_factory=list)


@dataclass(eq=False)
class Frame:
    """The run of one body: where names live, where `return` goes, which loops are open.

    `finals` holds what waits to run when a jump leaves a block, the `finally` of a `try` or the end of a `with`, each
    with the number of loops around it. `returned_aside` is what
    another caller would get, where a parameter is assumed to have its default. `once` holds the results of calls that
    are written in a target which is read and then written.
    """

    unit: Unit
    scope: Scope
    yielded: Listing
    function: Function | None = None
    receiver: Value | None = None
    owner: Class | None = None
    exit: JoinPoint | None = None
    returned: list[Value] = field(default_factory=list)
    returned_aside: list[Value] = field(default_factory=list)
    loops: list[tuple[JoinPoint, JoinPoint]] = field(default_factory=list)
    finals: tuple[tuple[Callable[[], bool] | EndBehind, int], ...] = ()
    at_yield: Callable[[Value], None] | None = None
    once: dict[int, Value | None] | None = None

    def inside(self, scope: Scope) -> Frame:
        """Return the same frame in an inner scope (a comprehension's)."""
        return replace(self, scope=scope)
