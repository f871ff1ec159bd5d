"""The first line of a block: which layers, what a GPU does with them, for which targets. And what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.report import LayerReport
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import WORST_FIRST, Verdict
from cudnnlint.reporters.blocks import Fault
from cudnnlint.reporters.words import some
from cudnnlint.rulebook import loader

#: What a GPU does: (one layer, several).
HAPPENS = {
    Verdict.CUDNN: ("runs in cuDNN", "run in cuDNN"),
    Verdict.FALLBACK: ("runs in a loop without cuDNN", "run in a loop without cuDNN"),
    Verdict.RAISES: ("stops with an error on a GPU", "stop with an error on a GPU"),
    Verdict.DEPENDS: ("runs in cuDNN or not, depending on the data", "run in cuDNN or not, depending on the data"),
    Verdict.UNKNOWN: ("may or may not run in cuDNN", "may or may not run in cuDNN"),
}
ON_EVERY_MACHINE = "stops with an error on every machine", "stop with an error on every machine"
WRONG = ", but not correctly"
MOST_CLASSES = 4


def headline(faults: Sequence[Fault], layers: Sequence[LayerReport]) -> str:
    """Return `GRU runs in a loop without cuDNN (keras@3.15.1:tensorflow)`; a clause for each verdict."""
    found = [diagnostic for fault in faults for diagnostic in fault.group]
    told = [verdict for verdict in WORST_FIRST if any(one.verdict == verdict.value for one in found)]
    several = len({layer.place or layer.layer_path for layer in layers}) > 1
    clauses = [_clause(verdict, [one for one in found if one.verdict == verdict.value], several) for verdict in told]
    return f"{_subject(layers, several)} {'; '.join(clauses) or 'could not be judged'}"


def _clause(verdict: Verdict, found: Iterable[Diagnostic], several: bool) -> str:
    found = list(found)
    happens = ON_EVERY_MACHINE if verdict is Verdict.RAISES and any(map(_needs_no_gpu, found)) else HAPPENS[verdict]
    wrong = verdict is Verdict.CUDNN and any(one.severity is Severity.ERROR for one in found)
    targets = some(list(dict.fromkeys(str(one.target) for one in found)))
    return f"{happens[several]}{WRONG if wrong else ''} ({visible(targets)})"


def _needs_no_gpu(found: Diagnostic) -> bool:
    """Return whether the fault stops the program on any device: the gates of the tables are such faults."""
    return found.severity is Severity.ERROR and any(found.name == gate.rule for gate in loader.load().tables.gates)


def _subject(layers: Sequence[LayerReport], several: bool) -> str:
    """Return the class of the layer, or how many layers of which classes."""
    classes = list(dict.fromkeys(class_name(layer) for layer in layers))
    if not several:
        roles = {layer.role for layer in layers if layer.role is not None}
        return visible("/".join(classes)) + (" (both directions)" if len(roles) > 1 else "")
    return f"{len(layers)} layers ({visible(some(classes, MOST_CLASSES))})"


def class_name(layer: LayerReport) -> str:
    """Return the name of the user's own class, else of Keras's."""
    return layer.own_class or layer.class_name


def cost(layers: Sequence[LayerReport]) -> str:
    """Return how many steps the loops of some layers run one after another for one batch; empty where unknown."""
    looping = [layer for layer in layers if layer.worst is Verdict.FALLBACK]
    known = sorted({layer.steps for layer in looping if layer.steps is not None})
    if not known or known[-1] == 1:
        return ""
    steps = plural(known[0], "step") if len(known) == 1 else f"{known[0]} to {known[-1]} steps"
    counted = [layer for layer in looping if layer.steps is not None]
    each = f" (in each of {len(counted)} layers)" if len(counted) > 1 else ""
    rest = f"; not known for {plural(len(looping) - len(counted), 'layer')}" if len(counted) < len(looping) else ""
    return f"{steps} one after another for each batch, and in training again backward{each}{rest}"
