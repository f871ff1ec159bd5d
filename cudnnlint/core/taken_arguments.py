"""What the layers of Keras 3 take out of a saved file. Filled from tables/layers.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Span


@dataclass(frozen=True)
class TakenArguments:
    """What constructors of Keras 3 take, by the name of their class; a class that is not in `taken` was not asked.

    `taken` are the arguments that some release takes, `objects` those of initializers and the like, `spans` the
    releases that take one, where not all do, and `classes` those that have the class. Without one of `needed` no layer
    is made; `refused` are the kinds of values that stop some releases, by argument. `written` are the arguments that
    Keras 2 writes and Keras 3 does not take.
    """

    taken: Mapping[str, frozenset[str]] = field(default_factory=dict)
    objects: Mapping[str, frozenset[str]] = field(default_factory=dict)
    spans: Mapping[tuple[str, str], Span] = field(default_factory=dict)
    classes: Mapping[str, Span] = field(default_factory=dict)
    needed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    refused: Mapping[tuple[str, str], Sequence[tuple[frozenset[str], Span]]] = field(default_factory=dict)
    written: Mapping[str, frozenset[str]] = field(default_factory=dict)
