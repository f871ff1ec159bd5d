"""The tables of the rulebook, as values that the engine looks things up in. Filled from rules/tables/*.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from packaging.version import Version

from cudnnlint.core.fact import Default, Fact
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.release_dates import Milestones
from cudnnlint.core.row_lookup import by_name, holding, texts
from cudnnlint.core.target import Point, Span
from cudnnlint.core.verdict import Route


@dataclass(frozen=True)
class RowScope:
    """For which releases a row holds. `backend` None is every backend, spans None-None every release."""

    framework: str
    backend: str | None
    keras: Span
    tensorflow: Span

    def holds(self, point: Point) -> bool:
        """Return whether the row holds at `point`; an unknown TensorFlow release passes every row."""
        return (
            self.framework == point.framework
            and self.backend in (None, point.backend)
            and point.keras in self.keras
            and (point.tensorflow is None or point.tensorflow in self.tensorflow)
        )


@dataclass(frozen=True)
class Row:
    """One route: (operation, scope) -> route, unless one of `blocked_by` (in the order that Keras asks) holds.

    `blocked_by` maps a rule's name to its consequence, or to {mode: consequence}; `insisted` are those
    that raise under use_cudnn=True; `because` is the rule that explains a route without a kernel. `checked` is
    the newest release of the row that real Keras was asked for, or "read".
    """

    operations: tuple[str, ...]
    scope: RowScope
    route: Route
    because: str | None
    blocked_by: Mapping[str, str | Mapping[str, str]]
    insisted: frozenset[str]
    dtypes: tuple[str, ...]
    fuses: bool
    checked: str
    source: str

    def consequence(self, rule: str, mode: str) -> str | None:
        """Return what a fault does in `mode`; None where it does nothing there."""
        found = self.blocked_by[rule]
        return found if isinstance(found, str) else found.get(mode)

    def doubt(self, keras: Version) -> str | None:
        """Why the row's word on a release is assumed; None where real Keras was asked."""
        if self.checked == "read":
            return "this release was read in its source code, not tested"
        if keras > Version(self.checked):
            return f"{keras} is newer than {self.checked}, the newest tested release"
        return None


@dataclass(frozen=True)
class Concern:
    """A rule that bites in a scope without choosing the route: a gate, a defect, a note."""

    rule: str
    scope: RowScope
    operations: tuple[str, ...]
    then: str
    source: str


@dataclass(frozen=True)
class Refusal:
    """Kinds of values (core/refused_values.py) that stop a layer: where it is made, or when it first runs.

    `then` is "raises", or "unknown" where the releases of the scope differ. `advice` is what to write instead, or "".
    """

    arguments: tuple[str, ...]
    kinds: frozenset[str]
    scope: RowScope
    then: str
    source: str
    advice: str = ""


@dataclass(frozen=True)
class Trait:
    """What releases take or refuse (tables/defaults.toml): `texts` are the words for it."""

    texts: frozenset[str]
    scope: RowScope
    source: str


@dataclass(frozen=True)
class Loss:
    """A setting that the target drops before it acts, or hands on from the forward to the backward layer.

    `by` is a wrapper's class name, or "always".
    """

    name: str
    by: str
    scope: RowScope
    source: str


@dataclass(frozen=True)
class Identity:
    """Which library functions the target takes for tanh or sigmoid (`strings`: does the name do too?)."""

    means: str
    scope: RowScope
    accepts: frozenset[str]
    source: str


@dataclass(frozen=True)
class Signature:
    """A class's arguments: `required` (no default), `unknown_default` (without effect), `extra` (through **kwargs)."""

    operations: tuple[str, ...]
    scope: RowScope
    defaults: Mapping[str, Any]
    extra: frozenset[str]
    source: str

    @cached_property
    def settled(self) -> Mapping[str, Fact]:
        """The defaults as facts."""
        return {name: Default(value) for name, value in self.defaults.items()}


@dataclass(frozen=True)
class Meaning:
    """What a class name under an import prefix means for a target: an operation, or None (no such class)."""

    prefix: str
    classes: tuple[str, ...]
    scope: RowScope
    operation: str | None
    source: str
    imported: bool = False  # there is a class, which can be imported and never made

    def covers(self, path: str, class_name: str) -> bool:
        """Return whether it applies to `class_name` reached by `path`."""
        return class_name in self.classes and (path == self.prefix or path.startswith(self.prefix + "."))


@dataclass(frozen=True)
class Here:
    """What holds at one point. `refusals` are by argument, with their places; `words` are those of every trait."""

    gates: tuple[Concern, ...]
    defects: tuple[Concern, ...]
    notes: tuple[Concern, ...]
    refusals: Mapping[str, list[tuple[int, Refusal]]]
    words: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Tables:
    """All tables of the rulebook. `left_out` is what an argument is that a fix leaves out.

    `compilers` say where XLA compiles a loop: "itself", or where it is "asked". `registries` say where the name of an
    activation means what the program registered under it.
    """

    names: Names
    milestones: Milestones
    meanings: tuple[Meaning, ...]
    rows: tuple[Row, ...]
    gates: tuple[Concern, ...]
    defects: tuple[Concern, ...]
    notes: tuple[Concern, ...]
    losses: tuple[Loss, ...]
    handed_on: tuple[Loss, ...]
    identities: tuple[Identity, ...]
    signatures: tuple[Signature, ...]
    left_out: Mapping[str, Any] = field(default_factory=dict)
    compilers: tuple[Concern, ...] = ()
    registries: tuple[Concern, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    traits: Mapping[str, tuple[Trait, ...]] = field(default_factory=dict)

    @cached_property
    def scopes(self) -> tuple[RowScope, ...]:
        """Every scope of every row: where anything can change."""
        groups: tuple[Iterable[Any], ...] = (
            self.rows, self.gates, self.defects, self.notes, self.losses, self.handed_on, self.identities,
            self.signatures, self.meanings, self.registries, self.refusals, *self.traits.values(),
        )  # fmt: skip
        return tuple(dict.fromkeys(item.scope for group in groups for item in group))

    @cached_property
    def _here(self) -> dict[Point, Here]:
        return {}

    def at(self, point: Point) -> Here:
        """Return what holds at `point`, found once: every layer of a run is judged at the same few points."""
        if point not in self._here:
            self._here[point] = Here(
                gates=holding(self.gates, point),
                defects=holding(self.defects, point),
                notes=holding(self.notes, point),
                refusals=by_name(enumerate(holding(self.refusals, point)), lambda one: one[1].arguments),
                words={of: texts(rows, point) for of, rows in self.traits.items()},
            )
        return self._here[point]

    def row(self, operation: str, point: Point) -> Row | None:
        """Return the one row that holds, or None: then the route is unknown."""
        return next((row for row in self._rows.get(operation, ()) if row.scope.holds(point)), None)

    def signature(self, operation: str, point: Point) -> Signature | None:
        """Return the constructor's arguments at `point`, or None if the table does not know the class."""
        return next((one for one in self._signatures.get(operation, ()) if one.scope.holds(point)), None)

    def meaning(self, path: str, class_name: str, point: Point) -> Meaning | None:
        """Return what `class_name` reached by `path` is at `point`; None where the table has no entry."""
        beside = (one for one in self._meanings.get(class_name, ()) if one.covers(path, class_name))
        return next((one for one in beside if one.scope.holds(point)), None)

    @cached_property
    def _rows(self) -> dict[str, list[Row]]:
        return by_name(self.rows, lambda row: row.operations)

    @cached_property
    def _signatures(self) -> dict[str, list[Signature]]:
        return by_name(self.signatures, lambda one: one.operations)

    @cached_property
    def _meanings(self) -> dict[str, list[Meaning]]:
        return by_name(self.meanings, lambda one: one.classes)
