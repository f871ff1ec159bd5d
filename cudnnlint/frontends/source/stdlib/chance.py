"""What is drawn by chance from something that is known: one of a list, or a number from one to another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    Bound,
    Const,
    Instance,
    Library,
    Listing,
    Tuple,
    Value,
    options,
    present,
    words,
)
from cudnnlint.frontends.source.stdlib import searches
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The names of the list, or of the least and the greatest number, in the order in which they are passed.
_DRAWS = {
    "choice": ("seq",), "choices": ("population",), "sample": ("population",),
    "uniform": ("a", "b"), "randint": ("a", "b"),
}  # fmt: skip
_SEVERAL = words("choices sample")
_GENERATORS = words("random.Random random.SystemRandom")


def drawn(name: str, run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what a function of `random` draws, by its name; None where that is not known."""
    names = _DRAWS.get(name, ())
    given = [arguments.get(place, one) for place, one in enumerate(names)]
    one = searches.chosen(run, given, Sentence("`", origin, "` is drawn by chance"), origin)
    return containers.new_list(run, (), present(one)) if one is not None and name in _SEVERAL else one


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of `random.Random()`; None of anything else."""
    kind = bound.receiver.kind if isinstance(bound.receiver, Instance) else None
    own = isinstance(kind, Library) and kind.name in _GENERATORS
    return drawn(bound.name, run, arguments, origin) if own else None


def _of_numpy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `numpy.random.choice` of texts, classes and other objects; a number that it draws is one of numpy."""
    drawn_from = arguments.get(0, "a")
    if len(arguments.every()) != 1 or not isinstance(drawn_from, (Listing, Tuple)):
        return None
    items = [option for item in containers.elements(run, drawn_from).items for option in options(item)]
    if any(isinstance(item, Const) and not isinstance(item.value, str) for item in items):
        return None
    return searches.chosen(run, [drawn_from], Sentence("`", origin, "` is drawn by chance"), origin)


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {**{f"random.{name}": partial(drawn, name) for name in _DRAWS}, "numpy.random.choice": _of_numpy}
