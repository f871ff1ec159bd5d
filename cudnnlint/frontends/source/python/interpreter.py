"""The interpreter: what is known while a program is followed, and how deep it may be followed.

The work is done by the modules of this room, each for one kind of thing (statements, expressions, calls, classes ...);
they reach one another through the methods here. What libraries do comes from a LibraryModel.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from cudnnlint.core.file_limits import DEFAULT
from cudnnlint.frontends.source.python import attributes, calls, expressions, raising, statements
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.budget import Budget
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.effects import Effects
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.library_model import LibraryModel
from cudnnlint.frontends.source.python.modules import Modules
from cudnnlint.frontends.source.python.sources import Project
from cudnnlint.frontends.source.python.state import Journal, ModuleUnit, Table
from cudnnlint.frontends.source.python.values import Class, Function, Instance, Library, UnknownValue, Value
from cudnnlint.frontends.source.syntax.index import Index
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.raising import Guard

T = TypeVar("T")
Marks = tuple[int, int, tuple[Step, ...], int, str | None, int | None, int]


class Interpreter:
    """The Python side of one reading: tables, and the path of calls that leads to the expression being evaluated.

    `library` is asked for everything that plain Python does not define, `project` for the files that imports name.
    `here` is the statement or call that is run, which may ask a generator for an item.
    """

    here: Origin | None = None
    perhaps = 0  # handlers around that may not run at all

    def __init__(self, library: LibraryModel, project: Project | None = None, steps: int = DEFAULT.steps) -> None:
        self.library = library
        self.forked = False
        self.modules = Modules(self, project)
        self.units, self.own_units = list[ModuleUnit](), frozenset[int]()  # what is read; the same by identity
        self.trees: dict[int, cst.Module] = {}
        self.journal = Journal()
        self.patched = self.journal.table()  # the names of libraries that are replaced: `keras.layers.LSTM = Mine`
        self.leaked: dict[str, list[Value]] = {}  # what packages that are not followed were given
        self.attachments: dict[tuple[int, int], Table] = {}  # what is set on functions: `build.calls = 0`
        self.path: tuple[Step, ...] = ()
        self.active: list[int] = []
        self.walked: list[tuple[int, int]] = []  # the methods that run, each with its object
        self.budget = Budget(steps)
        self.abandoned, self.unsettled = set[int](), set[int]()  # what runs long; what sets unknown attributes
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.instances: deque[tuple[Instance, tuple[Step, ...], tuple[int, ...]]] = deque()
        self.making: list[Value] = []
        self.guards: list[Guard] = []
        self.handling: list[Value] = []  # the exceptions whose handlers run
        self.doubts = 0  # what may have raised without being followed
        self.generators: dict[int, bool] = {}
        self.called, self.entered = set[int](), set[int]()
        self.entries: tuple[int, ...] = ()  # the functions that were entered, each on an object of the one before
        self.reached: set[int] = set()
        self.unrecorded: set[int] | None = None
        self.away, self.blur = False, 0
        self.supposing: str | None = None
        self.denied: dict[str, Origin] = {}  # the assumptions that do not hold on this way, each where it is asked for
        self.chosen: Words = ""  # what decides which of several callees is called
        self.aside: int | None = None  # how deep the call is that does what another caller makes it do
        self.notes, self.cuts = list[str](), list[str]()  # cuts: what was not followed to its end, by a sentence
        self.unended: list[Function] = []  # what calls itself with known values more often than is followed
        self.unfinished: list[tuple[Unit, cst.CSTNode]] = []  # the code that was not followed to its end
        self.index, self.effects = Index(), Effects()

    def cut_off(self, sentence: str) -> None:
        """Report that the file was not followed to its end."""
        if sentence not in self.cuts:
            self.cuts.append(sentence)

    evaluate = expressions.evaluate
    execute = statements.execute

    def attribute(self, value: Value, name: str, origin: Origin) -> Value:
        """Return `value.name`."""
        return attributes.attribute(self, value, name, origin)

    def attached(self, function: Function) -> Table:
        """Return the attributes that were set on a function."""
        key = id(function.node), id(function.scope)
        return self.attachments.setdefault(key, Table(0))

    def member(self, owner: Library, name: str) -> Value:
        """Return `module.name` of a library."""
        return attributes.of_library(self, owner, name)

    def call(self, callee: Value, arguments: Arguments, origin: Origin) -> Value:
        """Return the result of `callee(arguments)`, written at `origin`."""
        return calls.call(self, callee, arguments, origin)

    def records(self, origin: Origin) -> bool:
        """Return whether a layer that is constructed here is reported.

        The files that are read must lead to it. While unreached calls are searched for, it must not have been seen
        before.
        """
        if self.away or (self.unrecorded is not None and id(origin.node) in self.unrecorded):
            return False
        return self.owns(origin.unit) or any(self.owns(step.origin.unit) for step in self.path)

    def owns(self, unit: Unit) -> bool:
        """Return whether this unit is what is being read, not another file that it imports."""
        while unit.inside is not None:
            unit = unit.inside.unit
        return id(unit) in self.own_units

    def owned(self, value: Function | Class) -> bool:
        """Return whether a function or class is defined in what is being read."""
        return self.owns(value.unit)

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """Run another file: nothing that surrounds the import matters to it."""
        before = self.path, self.blur, self.supposing, self.away
        self.path, self.blur, self.supposing, self.away = (), 0, None, True
        try:
            with self.library.elsewhere(self):
                yield
        finally:
            self.path, self.blur, self.supposing, self.away = before

    def own(self, tree: cst.Module) -> cst.Module:
        """Return the tree of one unit: those of the same text share one, and what was run is known by its nodes."""
        own = tree.deep_clone() if id(tree) in self.trees else tree
        self.trees[id(own)] = own
        return own

    def mark(self) -> Marks:
        """Return the state of the run, for returning to it when something is abandoned."""
        state = self.blur, self.supposing, self.aside, len(self.making)
        return len(self.journal.points), len(self.active), self.path, *state

    def back_to(self, marks: Marks) -> None:
        """Undo what was done since a mark."""
        points, active, self.path, self.blur, self.supposing, self.aside, making = marks
        del self.making[making:]
        while len(self.journal.points) > points:
            self.journal.abandon(self.journal.points[-1])
        del self.active[active:]

    def caught(self, work: Callable[[], T], names: tuple[str, ...]) -> tuple[T | None, bool]:
        """Do work; return its result, or whether it ended by an exception of one of these names."""
        try:
            return raising.caught(self, work, names)
        except LookupError:
            raise Stuck from None

    def step(self, step: Step) -> AbstractContextManager[None]:
        """Go one step into the program: a followed call, or one iteration of a loop."""
        return _Deeper(self, step)

    def too_deep(self, node: cst.CSTNode, counts_down: bool = False) -> bool:
        """Return whether the code at `node` must not be entered again from here (`Budget.too_deep`)."""
        return self.budget.too_deep(self.active, id(node), counts_down and not self.perhaps)

    def unfollowed(self, why: Words, node: cst.CSTNode, unit: Unit) -> UnknownValue:
        """Return the unknown value of an expression, named by its source text."""
        origin = Origin(unit, node)
        return UnknownValue(why, origin, at=origin)


class _Deeper:
    """One step further on the path, until it is left. A generator would do, and takes three times as long."""

    __slots__ = ("before", "run", "step")

    def __init__(self, run: Interpreter, step: Step) -> None:
        self.run, self.step, self.before = run, step, run.path

    def __enter__(self) -> None:
        self.run.path = (*self.before, self.step)

    def __exit__(self, *error: object) -> None:
        self.run.path = self.before
