"""What is said of a finding and of a layer beside the reason, as pairs of a label and a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability
from cudnnlint.core.place import SourcePlace
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block
from cudnnlint.reporters.headline import cost

MOST_LAYERS = 4
MOST_CALLS = 5
MOST_ALIKE = 20
Pairs = Iterator[tuple[str, str]]


def of_fault(diagnostic: Diagnostic, unsafe: bool) -> Pairs:
    """Yield what was found and needed, and what to do; `unsafe` where unsafe fixes are applied too."""
    if diagnostic.found and diagnostic.then is not None:  # where nothing is told of the outcome, the reason holds it
        yield "found", diagnostic.found
    if diagnostic.found:
        yield "needed", diagnostic.needed or ""
    if diagnostic.fix is not None:
        asks = diagnostic.fix.applicability is Applicability.UNSAFE and not unsafe
        never = diagnostic.fix.applicability is Applicability.DISPLAY_ONLY
        yield "help" if never else "fix", diagnostic.fix.message + (" Needs --unsafe-fixes." if asks else "")
    elif diagnostic.advice:
        yield "help", diagnostic.advice
    for place, sentence in diagnostic.related:
        yield "see", f"{place}: {sentence}"


def of_block(block: Block) -> Pairs:
    """Yield what holds for all findings of a block: conditions, the cost, and where else it is so."""
    yield from _when(block)
    text = cost(block.all_layers)
    if text:
        yield "cost", text
    yield from _elsewhere(block)
    yield from _alike(block)
    yield from _calls(block)


def _when(block: Block) -> Pairs:
    """Yield what else can be done, and the conditions of the verdict, each once."""
    found = [diagnostic for fault in block.faults for diagnostic in fault.group]
    for text in dict.fromkeys(one.instead for one in found if one.instead):
        yield "or", text
    for text in dict.fromkeys(one.consequence for one in found if one.consequence):
        yield "when", text
    for doubt in dict.fromkeys(doubt for one in found for doubt in one.doubts):
        yield "assumed", doubt


def _elsewhere(block: Block) -> Pairs:
    """Yield the layers whose constructor call is elsewhere than the findings (in a constant above, say)."""
    places = [fault.first.location for fault in block.faults]
    named = dict.fromkeys(
        f"{layer.class_name} at {layer.place}"
        for layer in block.layers
        if layer.place is not None and all(place is not None and not _holds(layer.place, place) for place in places)
    )
    if named:
        yield "layer", words.some(list(named), MOST_LAYERS)


def _alike(block: Block) -> Pairs:
    """Yield the places of the layers with the same faults."""
    placed = [words.where(one.faults[0].first) for one in block.alike if one.faults[0].first.location]
    if placed:
        yield "also", f"the same at {words.some(placed, MOST_ALIKE)}"


def _calls(block: Block) -> Pairs:
    """Yield the calls that led to the layer, innermost first; of several layers, each chain's first call."""
    chains = [layer.via for layer in block.layers if layer.via]
    places = list(chains[0]) if len(chains) == 1 else list(dict.fromkeys(chain[0] for chain in chains))
    for place in places[:MOST_CALLS]:
        yield "called", f"from {place}"
    if len(places) > MOST_CALLS:
        yield "called", f"from {len(places) - MOST_CALLS} more places"


def _holds(call: SourcePlace, place: SourcePlace) -> bool:
    """Return whether a place lies inside a constructor call."""
    start, end = (call.row, call.column), (call.end_row, call.end_column)
    inside = start <= (place.row, place.column) and (place.end_row, place.end_column) <= end
    return inside and (call.path, call.cell) == (place.path, place.cell)
