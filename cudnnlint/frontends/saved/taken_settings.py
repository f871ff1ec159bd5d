"""Settings of layers of Keras that a release does not take out of a file: arguments, values, and what a file lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.refused_values import kinds_of
from cudnnlint.core.target import Era, Span
from cudnnlint.frontends.serialized.entry import HELD, is_entry
from cudnnlint.frontends.serialized.saved_layer import is_op
from cudnnlint.frontends.serialized.tree import Node


@dataclass(frozen=True)
class Given:
    """An object of Keras in a file: a layer, a cell, or what `layer` was given, such as an initializer.

    `sure` where the file says that its class is Keras's own, and does not give its name alone. `made_with`: the layer
    was given it.
    """

    layer: str
    class_name: str
    config: Mapping[str, Any]
    sure: bool
    recurrent: bool = False
    made_with: bool = False

    def takes(self, names: Names) -> frozenset[str]:
        """Return the arguments that some release takes."""
        return (names.taken.objects if self.made_with else names.taken.taken)[self.class_name]


def objects(nodes: Sequence[Node], names: Names) -> Iterator[Given]:
    """Yield every object of Keras's own in a file, whose class is in tables/layers.toml."""
    for _, found in nodes[0].entry.within:
        known = found.keras(names)
        here = found.name or found.own_name
        if known is not None and known in names.taken.taken and not is_op(found):
            yield Given(here, known, found.config, found.module is not None, known in names.recurrent)
        parts = (part for key, part in found.config.items() if known is not None and key not in HELD)
        for part in parts:
            if is_entry(part) and part["class_name"] in names.taken.objects and _is_of_keras(part):
                yield Given(here, part["class_name"], part["config"], part.get("module") is not None, made_with=True)


def _is_of_keras(part: Mapping[str, Any]) -> bool:
    module = part.get("module") or "keras"
    return str(module).partition(".")[0] == "keras" and part.get("registered_name") is None


def unknown_arguments(given: Sequence[Given], names: Names, row: LoadFault) -> Iterator[LoadFault]:
    """Yield what no release takes; of a class whose name alone is known, as far as Keras 2 writes it."""
    for one in given:
        unknown = [] if one.recurrent else [key for key in one.config if key not in one.takes(names)]
        for key in unknown:
            if one.sure or key in names.taken.written.get(one.class_name, ()):
                yield row.naming(one.layer, argument=key, class_name=one.class_name)


def later_arguments(given: Sequence[Given], names: Names, row: LoadFault) -> Iterator[LoadFault]:
    """Yield what earlier releases do not take."""
    return _in_spans(given, names, row, lambda span: Span(None, span.since) if span.since else None)


def former_arguments(given: Sequence[Given], names: Names, row: LoadFault) -> Iterator[LoadFault]:
    """Yield what later releases do not take."""
    return _in_spans(given, names, row, lambda span: Span(span.until) if span.until else None)


def _in_spans(
    given: Sequence[Given], names: Names, row: LoadFault, without: Callable[[Span], Span | None]
) -> Iterator[LoadFault]:
    for one in given:
        for key in (key for key in one.config if not one.recurrent and (one.class_name, key) in names.taken.spans):
            lacking = without(names.taken.spans[one.class_name, key])
            if lacking is not None:
                bound = f"{lacking.until or lacking.since}"
                named = row.naming(one.layer, argument=key, class_name=one.class_name, release=bound)
                yield replace(named, era=Era(row.era.major, lacking))


def later_classes(given: Sequence[Given], names: Names, row: LoadFault) -> Iterator[LoadFault]:
    """Yield the layers that earlier releases do not have."""
    for one in given:
        span = names.taken.classes.get(one.class_name)
        if not one.made_with and span is not None and span.since is not None:
            named = row.naming(one.layer, class_name=one.class_name, release=f"{span.since}")
            yield replace(named, era=Era(row.era.major, Span(None, span.since)))


def lacking_arguments(given: Sequence[Given], names: Names, row: LoadFault) -> Iterator[LoadFault]:
    """Yield what a layer is made with, and its file does not have."""
    for one in given:
        needed = () if one.recurrent or one.made_with else names.taken.needed.get(one.class_name, ())
        for key in (key for key in needed if key not in one.config):
            yield row.naming(one.layer, argument=key)


def refused_values(given: Sequence[Given], names: Names, row: LoadFault) -> Iterator[LoadFault]:
    """Yield values of a kind that a class refuses."""
    for one in (one for one in given if not one.made_with):
        for key, value in one.config.items():
            kinds = frozenset() if is_entry(value) else kinds_of(value)
            for refused, span in names.taken.refused.get((one.class_name, key), ()):
                if refused & kinds:
                    named = row.naming(one.layer, argument=key, class_name=one.class_name)
                    yield replace(named, era=Era(row.era.major, span))


#: What is looked for, by the kind that a row names.
SETTINGS: Mapping[str, Callable[[Sequence[Given], Names, LoadFault], Iterator[LoadFault]]] = {
    "unknown-argument": unknown_arguments,
    "later-argument": later_arguments,
    "former-argument": former_arguments,
    "later-class": later_classes,
    "lacking-argument": lacking_arguments,
    "refused-value": refused_values,
}
