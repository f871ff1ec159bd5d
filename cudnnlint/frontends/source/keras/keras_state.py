"""What Keras's model remembers of one reading, and the events that it reports to the execution context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from typing import TYPE_CHECKING

from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.keras.sites import CallSeen, Site
from cudnnlint.frontends.source.keras.tensors import Source
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import EventKey
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import Function, Instance, Value
from cudnnlint.frontends.source.stdlib.standard_library import StandardLibrary
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@dataclass(eq=False)
class KerasState:
    """The Keras side of one reading.

    `world` holds what the program has switched (a table, so that branches join it), `sites` the constructions of
    recurrent layers, `constructed` those that were run once, `models` the models whose layers are known, `symbolic`
    the sources of Inputs. `replaced` are the inputs of models that were called on other tensors, `alone` of those that
    were run by themselves; `padded` and `unpadded` of those that were fed with data of known padding, or with other.
    `constants` are the sources of tensors that a function makes of no tensor, as `tf.zeros` does, `products` those of
    tensors of a graph times a number.
    `unbatched` are the sources of Inputs without a batch size, `unusual` names arguments of Inputs that some release
    refuses, `reshaped` says of sources whether the tensors may have
    one whatever their Inputs have, and `open_chain` says whether the Sequential that is run
    now begins with one (None: not known), `shaped_chain` whether it, or one around it, was told its input before
    it is called, `chain_input` what `unusual` names of its Input,
    `entered` what its first layer is given as it is, `chained` says whether it is a Sequential at all,
    and `declared` whether it begins with an Input, so that it is built as a graph.
    `stopped` says of the calls that gave tensors what stops there (stops.py), `stopping` what stops the model that is
    run now; `named` has the names of Inputs, None for one without, `shapes` what they declare.
    `packages` are those that classes of Keras come from; `home` has the class that was called, for calls that made
    tensors of a graph of one package, `met` the line for those that took a tensor of another (packages_met.py).
    `refused` has the lines for layers that some release does not make (refused_layers.py).
    `fed` are the tables of models that ran on data of known padding, `handed` those that a function returned, with it.
    `events` counts the sites at each node of the source.
    `line_by_line` says how deep the `call` of a user's own layers is run, and `code` numbers the outermost ones,
    `in_lambda` how deep the function of a Lambda; `made_inside` has the sites that the innermost of these makes.
    `bared` are the sources of tensors whose masks a layer takes off, `put` those that a model puts the mask on that it
    is called with, `put_within` those on which a user's own layer puts a mask that gives back the tensor itself,
    `unmasked` the calls with a tensor that has no mask, each with the number of its code, `readers` the calls
    that count on a tensor's mask, each with the number of its code, 0 for none. `registers` says whether a unit
    mentions a way to register classes, of those that were looked through, which are in `silent`; there were
    `looked_through` modules then.
    """

    names: Names
    world: Table = field(default_factory=lambda: Table(0))
    sites: dict[EventKey, Site] = field(default_factory=dict)
    constructed: set[Site] = field(default_factory=set)
    models: list[Instance] = field(default_factory=list)
    symbolic: set[Source] = field(default_factory=set)
    replaced: set[Source] = field(default_factory=set)
    alone: set[Source] = field(default_factory=set)
    constants: set[Source] = field(default_factory=set)
    products: set[Source] = field(default_factory=set)
    outside: dict[Source, Source] = field(default_factory=dict)
    unbatched: set[Source] = field(default_factory=set)
    unusual: dict[Source, Value] = field(default_factory=dict)
    reshaped: dict[Source, bool] = field(default_factory=dict)
    open_chain: bool | None = False
    shaped_chain: bool = False
    chain_input: Value | None = None
    entered: Value | None = None
    chained: bool = False
    declared: bool = False
    stopped: dict[Source, Value] = field(default_factory=dict)
    stopping: tuple[Value, ...] = ()
    named: dict[Source, Value] = field(default_factory=dict)
    shapes: dict[Source, tuple[Value, ...]] = field(default_factory=dict)
    packages: set[str] = field(default_factory=set)
    home: dict[Hashable, tuple[str, Source]] = field(default_factory=dict)
    met: dict[Hashable, tuple[str, Source]] = field(default_factory=dict)
    refused: dict[Table, Value] = field(default_factory=dict)
    padded: set[Source] = field(default_factory=set)
    unpadded: set[Source] = field(default_factory=set)
    fed: set[Table] = field(default_factory=set)
    handed: dict[Table, tuple[Function, Instance]] = field(default_factory=dict)
    makes_masks: bool = False
    line_by_line: int = 0
    in_lambda: int = 0
    made_inside: list[Site] | None = None
    code: int = 0
    bared: set[Source] = field(default_factory=set)
    put: set[Source] = field(default_factory=set)
    unmasked: dict[Source, list[tuple[CallSeen, int]]] = field(default_factory=dict)
    put_within: set[Source] = field(default_factory=set)
    readers: dict[Source, list[tuple[CallSeen, int]]] = field(default_factory=dict)
    events: Counter[int] = field(default_factory=Counter)
    registers: bool = False
    silent: set[int] = field(default_factory=set)
    looked_through: int = -1


class KerasLibrary(StandardLibrary):
    """The state of Keras's model, and its events; the execution context overrides those that concern it."""

    def __init__(self, names: Names) -> None:
        self.state = KerasState(names)

    def called(self, run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function that changes the execution context; None if it is no such function."""
        return None

    def scope_method(
        self, run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Call a method of something that can be entered; None if it is none."""
        return None

    def constructed(self, run: Interpreter, instance: Instance) -> None:
        """Record that a Keras object was constructed."""

    def at_construction(self, run: Interpreter, site: Site) -> None:
        """Record what holds where a recurrent layer is constructed."""

    def at_call(self, run: Interpreter, instance: Instance, site: Site, symbolic: bool) -> dict[str, Value]:
        """Return what holds where a recurrent layer is called."""
        return {}

    def is_traced(self, run: Interpreter) -> bool:
        """Return whether what runs now runs in a graph: in fit() and the like, or in a tf.function."""
        return False

    def layer_called(self, run: Interpreter, site: Site, seen: CallSeen, source: Source) -> None:
        """Record that a recurrent layer was called: `source` is the call."""

    def compiled(self, run: Interpreter, model: Instance, arguments: Arguments) -> None:
        """Record a call of `model.compile(...)`."""

    def on_data(self, run: Interpreter, model: Instance, name: str, data: Value, origin: Origin) -> None:
        """Run a model on data, by a method like fit()."""

    def saved(self, run: Interpreter, model: Value, origin: Origin, reader: str | None = None) -> None:
        """Record that a model is saved, or that its graph is exported for a `reader`."""

    def exporting(
        self, run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Call a method of an archive that a model is exported to; None for any other."""
        return None

    def somewhere(self, run: Interpreter, model: Instance) -> AbstractContextManager[None]:
        """Run a model that no code here runs, as its compile() says."""
        return nullcontext()

    def snapshot(self) -> Callable[[], None]:
        """Return a function that makes the model forget the sites that are seen from now on."""
        sites = dict(self.state.sites)

        def forget() -> None:
            self.state.sites = sites

        return forget


def library_of(run: Interpreter) -> KerasLibrary:
    """Return the model of Keras that an interpreter was given."""
    library = run.library
    assert isinstance(library, KerasLibrary)
    return library


def state_of(run: Interpreter) -> KerasState:
    """Return what Keras's model remembers of a reading."""
    return library_of(run).state
