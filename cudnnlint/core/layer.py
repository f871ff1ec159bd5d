"""The layer: what both front ends produce and everything else reads.

A `Layer` is one recurrent layer with an identity. What it is made of may differ from branch to
branch (`variants`), and how it is called from call to call (`calls`); the engine judges every pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from cudnnlint.core.fact import ABSENT, Fact
from cudnnlint.core.graph import ModelGraph
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.place import Place, SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.surroundings import SURROUNDINGS
from cudnnlint.core.target import Era, Point, TargetCondition


@dataclass(frozen=True)
class Construction:
    """How a layer is constructed: its Keras class, its arguments, and what the user's code adds.

    `class_name`  the Keras class that decides: "LSTM", "GRU", "RNN", "SimpleRNN", "ConvLSTM2D",
                  "CuDNNLSTM", ... (for a subclass, the Keras class it inherits from).
    `path`        the dotted import path, after aliases; for a saved model the module and class of the file.
    `arguments`   argument name -> fact; names as written, unknown ones included. Not written: missing.
    `open`        a sentence if further arguments may be given that cannot be seen (`**kwargs`), else None.
    `cells`       for RNN: the cells (`stack_dtype` is the dtype given to StackedRNNCells around them); for
                  StackedRNNCells: the cell that it is given without a list; else None. Empty: cells given but not seen.
    `subclass`    name of the user's own class, or None; `overrides` are the Keras methods it replaces
                  ("call", "inner_loop", "build"), `calls_super` those of them that call super's, and
                  `may_call_super` those of which that is not seen.
    `call_names`  the arguments that its own `call` names, where that is seen; None for Keras's own.
    `registered`  whether the user's class is registered with Keras; None where that is not known. For a class of
                  Keras's own: False where the program registers nothing of its own, else None.
    `place`       the whole constructor call.
    `after`       argument name -> fact for settings that are changed on the finished layer; Absent among the
                  alternatives where it may still be as constructed.
    `locked`      the name of a setting that the program sets on the finished layer, and no release lets it.
    `assumed`     a sentence where the default of a parameter decides that it is this class, else None.
    `unsure`      a sentence where it may be no class of Keras at all: only its name is one, else None.
    `decided_by`  a sentence that says what decides between it and the layer's other variants, else "".
    `by_position` the arguments that the call passes without their names, as Keras 2 and 3 call them.
    `from_config` the arguments that no call passes: a wrapper finds them in the config of the layer, as far as the
                  release knows them.
    """

    class_name: str
    path: str = ""
    arguments: Mapping[str, Fact] = field(default_factory=dict)
    open: str | None = None
    cells: tuple[Construction, ...] | None = None
    subclass: str | None = None
    overrides: tuple[str, ...] = ()
    calls_super: tuple[str, ...] = ()
    place: Place | None = None
    after: Mapping[str, Fact] = field(default_factory=dict)
    may_call_super: tuple[str, ...] = ()
    assumed: str | None = None
    unsure: str | None = None
    decided_by: str = ""
    call_names: tuple[str, ...] | None = None
    registered: bool | None = None
    locked: Fact = ABSENT
    by_position: tuple[str, ...] = ()
    stack_dtype: Fact = ABSENT
    from_config: frozenset[str] = frozenset()

    def argument(self, name: str) -> Fact:
        """Return the fact for an argument; Absent where it is not written."""
        return self.arguments.get(name, ABSENT)


@dataclass(frozen=True)
class Wrapper:
    """A wrapper around the layer, from the innermost outwards.

    `kind` is "Bidirectional", "TimeDistributed" or another wrapper's class name. For Bidirectional,
    `role` is "forward" or "backward", `derived` is True for a backward layer that Keras makes from the
    forward one, `explicit` is True where backward_layer was given, and `sibling` is the other
    direction's construction; one around another wrapper, which Keras refuses, has no role. `arguments` are the
    wrapper's own.
    """

    kind: str
    role: str = ""
    derived: bool = False
    explicit: bool = False
    sibling: Construction | None = None
    arguments: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """One call of the layer: SURROUNDINGS key -> fact, and where it is called.

    `when` are the releases in which it is so, where releases differ (in how they hand on a mask, say): the same
    call is then listed once for each difference. Empty: it is so in all of them.
    """

    surroundings: Mapping[str, Fact] = field(default_factory=dict)
    place: Place | None = None
    when: tuple[Era, ...] = ()

    def holds(self, point: Point) -> bool:
        """Return whether the call is like this in that release."""
        return not self.when or any(era.holds(point) for era in self.when)

    def context(self, name: str) -> Fact:
        """Return a fact of the execution context; Absent where nothing was seen."""
        assert name in SURROUNDINGS, name
        return self.surroundings.get(name, ABSENT)


@dataclass(frozen=True)
class Layer:
    """One recurrent layer that a front end found.

    `name`        as Keras will know it, else None. For Bidirectional the wrapped layer's own name;
                  the engine puts the target's prefix.
    `layer_path`  parents' names joined by `/` without the layer's own (saved models), else "".
    `place`       where it is written (a source row; or the saved layer).
    `via`         calls that led to it, innermost first.
    `variants`    at least one; several where a branch decides the class or its arguments jointly.
    `calls`       the calls seen; empty where none was seen (it is then judged as called plainly).
    `saved`       True if it came from a saved file.
    `uncalled`    the function or class that leads to it, where nothing calls that: what it is given is not known.
    `unloadable`  what in its file keeps some releases from loading it, for reasons outside this layer.
    `unproved`    what in a file of Keras 2 is not known to load in Keras 3: a layer's name.
    `loaded_from` where it is a copy that `load_model` makes of a file which the program itself saved: the place of the
                  layer that was saved, then the calls that led to that one.
    `when`        the targets for which it is so, where the file asks for its target; none: it is so for all of them.
    """

    name: str | None
    place: Place
    variants: tuple[Construction, ...]
    calls: tuple[Call, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()
    via: tuple[SourcePlace, ...] = ()
    layer_path: str = ""
    saved: bool = False
    unloadable: tuple[LoadFault, ...] = ()
    unproved: str | None = None
    uncalled: str | None = None
    loaded_from: tuple[SourcePlace, ...] = ()
    when: tuple[TargetCondition, ...] = ()

    def holds(self, point: Point) -> bool:
        """Return whether the layer is built, and built like this, in that release."""
        return not self.when or any(condition.holds(point) for condition in self.when)

    @property
    def direction(self) -> Wrapper | None:
        """Return the Bidirectional wrapper it is in, if any."""
        return next((one for one in self.wrappers if one.kind == "Bidirectional" and one.role), None)


@dataclass(frozen=True)
class FileHints:
    """What a file itself says about the target it is for; None where it says nothing.

    `framework` "keras" or "tf_keras" or "tensorflow"; `keras_major` is 2 or 3 where no version is written but the file
    shows which it was; `imports` the top-level framework packages imported ("keras", "tensorflow", "tf_keras"),
    `packages` those that its layers come from, in their order; `keras_version` and `backend` as written;
    `because` maps each to a sentence for the report. `asks` is what the file asks of its target while it runs, as far
    as it is not answered yet: "framework" (an import that may fail), "class", "keras", "tensorflow" (their releases),
    "backend"; `versions` are then the texts like "2.10" that it holds. `modules` are the dotted names below keras and
    tensorflow that it imports, or reaches as `tf.contrib`, `modules_beside` those that a module of its project imports,
    with its path, `modules_around` those of the files that import it. `installs` are the requirements with a version
    that a notebook installs ("tensorflow==2.8.0"), or a script names (PEP 723).
    """

    framework: str | None = None
    keras_version: str | None = None
    backend: str | None = None
    imports: frozenset[str] = frozenset()
    legacy_keras: bool | None = None
    because: Mapping[str, str] = field(default_factory=dict)
    keras_major: int | None = None
    asks: frozenset[str] = frozenset()
    versions: frozenset[str] = frozenset()
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    modules_beside: Mapping[str, str] = field(default_factory=dict)
    modules_around: Mapping[str, str] = field(default_factory=dict)
    installs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Model:
    """What a front end makes of one file.

    `kind` is python, notebook, keras, h5, savedmodel or config; `notes` are sentences for the
    reader (weights only, Lambda not followed, ...); `source` the text for excerpts (a notebook: `cells` instead);
    `graph` how the layers are connected, its layers by their places in `layers`, None where that is not known; `cuts`
    are sentences on what was not followed to its end: layers may be missing; `steps` how many expressions were
    evaluated.
    """

    path: str
    kind: str
    layers: tuple[Layer, ...] = ()
    hints: FileHints = FileHints()
    notes: tuple[str, ...] = ()
    errors: tuple[tuple[str, SourcePlace | None], ...] = ()
    source: str | None = None
    cells: tuple[str, ...] | None = None
    graph: ModelGraph | None = None
    cuts: tuple[str, ...] = ()
    steps: int = 0
