"""The open scopes of one reading, and what is remembered of calls, beside the tables that branches join."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from typing import TYPE_CHECKING

from cudnnlint.core.answers import Answers
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.keras.keras_model import KerasModel
from cudnnlint.frontends.source.keras.sites import CallSeen, Site
from cudnnlint.frontends.source.keras.tensors import Source
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import Instance, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.syntax.unit import Origin


@dataclass(eq=False)
class Tapes:
    """The gradient tapes, by their tables.

    `calls` are a tape's recorded calls, `gradients` those taken inside it, each with its calls. `cuts` are the sources
    through which no gradient goes.
    """

    calls: dict[Table, list[CallSeen]] = field(default_factory=dict)
    gradients: dict[Table, list[tuple[Source, list[CallSeen], bool]]] = field(default_factory=dict)
    cuts: set[Source] = field(default_factory=set)


@dataclass(eq=False)
class ContextState:
    """The execution context of the present expression.

    `scope` holds what the open scopes set; `functions` the scopes that a function of the source is run in, by its node,
    and `offered` those in which other code may run it; `events` the call of a recurrent layer that made a tensor, by
    the identity of the inputs of its source (which are kept there too, so that they live on); `fed` the models that
    were run, and how. `answers` is what the target says of the installation, `asks` what the program asked of it
    without an answer; `guard` holds the packages that replace an import that fails; `imported` the names that blocks
    import, by the identity of the block. `loading` are the other files whose bodies run now, and `refused` what those
    that ran imported that a release may lack, with its place.
    """

    answers: Answers | None = None
    asks: set[str] = field(default_factory=set)
    guard: frozenset[str] | None = None
    imported: dict[int, list[str]] = field(default_factory=dict)
    scope: dict[str, Value] = field(default_factory=dict)
    functions: dict[int, list[Instance]] = field(default_factory=dict)
    offered: dict[int, Instance] = field(default_factory=dict)
    events: dict[int, tuple[tuple[Value, ...], Site, CallSeen]] = field(default_factory=dict)
    fed: set[Hashable] = field(default_factory=set)
    loading: int = 0
    refused: list[tuple[str, Origin]] = field(default_factory=list)
    tapes: Tapes = field(default_factory=Tapes)


class KerasInContext(KerasModel):
    """Keras's model with the state of the execution context."""

    def __init__(self, names: Names, answers: Answers | None = None) -> None:
        super().__init__(names)
        self.context = ContextState(answers)


def context_of(run: Interpreter) -> ContextState:
    """Return the execution context of the present expression of a reading."""
    library = run.library
    assert isinstance(library, KerasInContext)
    return library.context
