"""A class of layers that an object of an unread package is given: `HyperLayer(layers.GRU, units=3)` builds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import Library, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def construct(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> None:
    """Construct the recurrent classes that a class of an unread package is given, with arguments that are not seen."""
    names = state_of(run).names
    if not callee.foreign or not callee.name.rpartition(".")[2][:1].isupper():
        return
    because = Sentence("`", origin, "` builds it, which is not followed")
    for value in (option for given in arguments.every() for option in options(given)):
        if isinstance(value, Library) and names.keras_class(value.name) in names.recurrent:
            run.call(value, Arguments(rest=because, open=because), origin)
