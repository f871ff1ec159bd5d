"""Sites: the events at which a layer is constructed, and the calls that it then gets."""

from __future__ import annotations

from dataclasses import field

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.keras.tensors import Source
from cudnnlint.frontends.source.python.call_path import EventKey, Step
from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import UNBOUND, Value, join
from cudnnlint.frontends.source.syntax.unit import Origin


@dataclass(eq=False)
class Build:
    """A Keras class and the arguments that it is constructed with at a site.

    `open` is the sentence that says why there may be more arguments than are seen; `objects` are the cells of
    the objects that are made here, for what is set on them later; `assumed` says why it is this class, where a default
    decides that, and `unsure` why it may be no class of Keras at all. `decided_by` says what decides between it and the
    other classes of its site. `marks` are the decorators of the user's class. `shown`
    are the settings that an object of it shows and does not let set, `locked` the name of one that was set before a
    wrapper copied it. `settled` are the settings that the user's class makes on such a copy, too, `from_config` the
    arguments that the wrapper found in the config of the layer, which has none that the release does not know, and
    `by_class` are settings that the user's class has itself (class_settings.py).
    """

    class_name: str
    path: str
    arguments: dict[str, Value]
    open: Words | None = None
    assumed: str | None = None
    subclass: str | None = None
    overrides: tuple[str, ...] = ()
    calls_super: tuple[str, ...] = ()
    may_call_super: tuple[str, ...] = ()
    call_names: tuple[str, ...] | None = None
    by_position: tuple[str, ...] = ()
    objects: list[Table] = field(default_factory=list)
    unsure: Words | None = None
    decided_by: Words = ""
    marks: tuple[str, ...] = ()
    shown: frozenset[str] = frozenset()
    locked: Value = UNBOUND
    settled: dict[str, Value] = field(default_factory=dict)
    from_config: frozenset[str] = frozenset()
    by_class: dict[str, Value] = field(default_factory=dict)

    def absorb(self, other: Build) -> None:
        """Join the arguments of the same construction, run once more."""
        for name in dict.fromkeys([*self.arguments, *other.arguments]):
            both = [build.arguments.get(name, UNBOUND) for build in (self, other)]
            self.arguments[name] = join(both)
        self.open = self.open or other.open


@dataclass(eq=False)
class CallSeen:
    """One call of a layer: its execution context, by the keys of core.surroundings.SURROUNDINGS.

    `roots` are the inputs from which its input is computed. Where they are a model's own, the call only describes it,
    and `runs` are the execution contexts of that model's runs.
    """

    origin: Origin | None
    context: dict[str, Value]
    roots: frozenset[Source] = frozenset()
    runs: list[dict[str, Value]] = field(default_factory=list)


@dataclass(eq=False)
class Site:
    """One construction event of a recurrent layer, or of a wrapper of one.

    `context` is the execution context that holds for all of its calls, `uncalled` the one that holds if it gets none.
    `held` are the cells of those of its objects that are layers of a model which a Bidirectional is given.
    `loaded_from` is the site of the layer that the program saved, where this one is loaded from that file.
    """

    origin: Origin
    path: tuple[Step, ...]
    builds: list[Build] = field(default_factory=list)
    calls: dict[EventKey, CallSeen] = field(default_factory=dict)
    context: dict[str, Value] = field(default_factory=dict)
    uncalled: dict[str, Value] = field(default_factory=dict)
    consumed: bool = False
    held: list[Table] = field(default_factory=list)
    loaded_from: Site | None = None

    def add(self, build: Build) -> Build:
        """Record a construction; the same class at the same event is the same construction."""
        for known in self.builds:
            if (known.class_name, known.path, known.subclass) == (build.class_name, build.path, build.subclass):
                known.absorb(build)
                return known
        self.builds.append(build)
        return build


@record(frozen=True, eq=False)
class Made(Value):
    """What Keras's constructor made of an object: the cell MADE of an Instance."""

    build: Build
    site: Site | None = None


MADE = "·made"
