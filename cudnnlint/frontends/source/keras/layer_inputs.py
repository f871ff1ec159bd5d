"""What a layer is called with, as the call is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Listing, Tuple, Value, may_be_missing

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@dataclass(frozen=True)
class LayerInputs:
    """What a layer is called with: its inputs, the mask that is passed, and whether states are passed too.

    `own` is the mask that a Lambda's `mask=` computes, `keywords` are the names of what is certainly passed by name.
    """

    inputs: Sequence[Value]
    mask: Value | None = None
    states: Value | None = None
    own: Value | None = None
    keywords: frozenset[str] = frozenset()

    @property
    def first(self) -> Value:
        """The first input."""
        return self.inputs[0] if self.inputs else NONE

    @property
    def named(self) -> dict[str, Value]:
        """What is passed by name, as the context of the call; nothing where every layer takes these names."""
        listed = ", ".join(sorted(self.keywords))
        return {"call_keywords": Const(listed)} if self.keywords - {"mask", "training"} else {}


def first_of(arguments: Arguments) -> Value:
    """Return what a layer of Keras is called with: its first argument, which has three names."""
    named = (arguments.get(0, name) for name in ("inputs", "sequences", "query"))
    return next((value for value in named if value is not None), NONE)


def given_to(run: Interpreter, arguments: Arguments) -> LayerInputs:
    """Return what a call passes to a Keras layer."""
    inputs = first_of(arguments)
    if isinstance(inputs, (Listing, Tuple)):
        contents = containers.elements(run, inputs)
        values = [*contents.items, *([contents.rest] if contents.rest is not None else [])]
    else:
        values = [inputs]
    state = arguments.get(1, "initial_state")
    passed = state is not None and not containers.is_nothing(state)
    keywords = frozenset(name for name, value in arguments.keywords.items() if not may_be_missing(value))
    return LayerInputs(values, arguments.keywords.get("mask"), state if passed else None, keywords=keywords)
