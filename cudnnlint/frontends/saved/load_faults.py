"""What in a saved file keeps some releases of Keras from loading it: looked for here, by kind (tables/loading.toml).

Code of the user's own is taken to be given to the loader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cudnnlint.core.layer import Layer
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.names import Names
from cudnnlint.formats.archive import ModelContents
from cudnnlint.frontends.saved import later_settings
from cudnnlint.frontends.saved.automatic_names import named_twice
from cudnnlint.frontends.saved.hints import release_of
from cudnnlint.frontends.saved.lower import FUNCTIONS
from cudnnlint.frontends.saved.missing_weights import KIND as MISSING
from cudnnlint.frontends.saved.other_generation import MARKS
from cudnnlint.frontends.saved.remarks import is_bare_operation
from cudnnlint.frontends.saved.stored_weights import KINDS as WEIGHTS
from cudnnlint.frontends.saved.taken_settings import SETTINGS, objects
from cudnnlint.frontends.saved.unfound_classes import (
    first_entry,
    is_elsewhere,
    is_misnamed,
    is_misplaced,
    is_nulled,
    is_renamed,
    is_unknown,
    lacks_name,
)
from cudnnlint.frontends.saved.weighted_layers import (
    shared_anyhow,
    shared_apart,
    weighted,
    weighted_functional,
)
from cudnnlint.frontends.saved.without_module import holds_unplaced, is_bare_list, is_unplaced
from cudnnlint.frontends.serialized.entry import is_entry
from cudnnlint.frontends.serialized.histories import histories
from cudnnlint.frontends.serialized.tree import FUNCTIONAL, Node, Role

#: What is looked for among all layers of a file, the first of which is the model itself.
Look = Callable[[Sequence[Node], Names], "str | None"]
BIDIRECTIONAL, LATER = "bidirectional", "later-setting"
#: What a lambda is called, where a file has its name alone: Keras 2, but in its archives.
NAMELESS = "<lambda>"
CUDNN = frozenset({"CuDNNLSTM", "CuDNNGRU"})


def load_faults(root: Node, contents: ModelContents, names: Names, major: int | None) -> tuple[LoadFault, ...]:
    """Return what keeps releases, mostly those of the Keras that wrote the file (`major`), from loading it."""
    fitting = (row for row in names.load_faults if contents.kind in row.formats)
    release = release_of(contents)
    fitting = (row for row in fitting if row.wrote is None or (release is not None and release in row.wrote))
    rows = [row for row in fitting if row.anywhere or major in (None, row.era.major)]
    nodes = tuple(root.walk())
    held, given = later_settings.held(nodes, names), tuple(objects(nodes, names))
    found = {kind: LOOKS[kind](nodes, names) for kind in dict.fromkeys(row.kind for row in rows) if kind in LOOKS}
    settings = (fault for row in rows if row.kind in SETTINGS for fault in SETTINGS[row.kind](given, names, row))
    others = [row for row in rows if row.kind not in SETTINGS and row.kind not in (*WEIGHTS, MISSING)]
    pairs = ((row, later_settings.holder(held, row) if row.kind == LATER else found[row.kind]) for row in others)
    return (*(row.naming(what) for row, what in pairs if what is not None), *settings)


def beside(layer: Layer, faults: tuple[LoadFault, ...]) -> tuple[LoadFault, ...]:
    """Return the faults that no rule of its own reports for the layer: one of Bidirectional is about what is inside."""
    return faults if layer.direction is None else tuple(one for one in faults if one.kind != BIDIRECTIONAL)


def _first(holds: Callable[[Node, Names], bool]) -> Look:
    """Return a search for the first layer of which something holds, by its name."""

    def look(nodes: Sequence[Node], names: Names) -> str | None:
        return next((node.name for node in nodes if holds(node, names)), None)

    return look


def _is_lambda(node: Node, names: Names) -> bool:
    """Return whether a layer was given a lambda, which is code and no name: an activation, an initializer."""
    if node.own or node.keras == "Lambda":
        return False
    bare = any(isinstance(one.get("value"), list) and "class_name" not in one for one in _functions(node))
    given = [value for _, value in node.written]
    code = (isinstance(one, dict) and one.get("class_name") == "__lambda__" for one in given)
    return bare or NAMELESS in given or any(code)


def _is_layer(node: Node, names: Names) -> bool:
    """Return whether a layer of Keras is the activation of another."""
    return not node.own and any(
        is_entry(one) and "name" in one["config"] and str(one["class_name"]) in names.masks.classes
        for one in _functions(node)
    )


def _is_activation_layer(node: Node, names: Names) -> bool:
    """Return whether a layer of the class Activation is the activation of another."""
    return not node.own and any(one.get("class_name") == "Activation" for one in _functions(node))


def _functions(node: Node) -> Iterator[Mapping[str, Any]]:
    """Yield the activations in a layer's configuration that are more than a name."""
    return (value for key, value in node.written if key in FUNCTIONS and isinstance(value, dict))


def _is_function(node: Node, names: Names) -> bool:
    """Return whether a layer's activation is a function of the user's own, written with its module."""
    return not node.own and any(one.get("class_name") == "function" and "module" in one for one in _functions(node))


def _unshaped_attention(node: Node, names: Names) -> bool:
    """Return whether a MultiHeadAttention is written without the shapes of its inputs."""
    return _is_of_class("MultiHeadAttention")(node, names) and "query_shape" not in node.entry.config


def _operation(nodes: Sequence[Node], names: Names) -> str | None:
    """Return an operation of Keras 3 in a file that has class names alone."""
    return next((node.entry.class_name for node in nodes if is_bare_operation(node, names)), None)


def _is_of_class(*classes: str) -> Callable[[Node, Names], bool]:
    return lambda node, names: not node.own and node.keras in classes


def _is_sliced(node: Node, names: Names) -> bool:
    """Return whether several dimensions are indexed at once: `x[:, 1:]`."""
    calls = node.entry.inbound if node.entry.class_name == "GetItem" and isinstance(node.entry.inbound, list) else []
    arguments = [call["args"] for call in calls if isinstance(call, dict) and isinstance(call.get("args"), list)]
    return any(isinstance(given, list) for call in arguments for given in call[1:])


def _spreads(class_names: frozenset[str]) -> Callable[[Node, Names], bool]:
    """Return a test for a TimeDistributed around a model of one of these classes."""
    return lambda node, names: node.role is Role.TIME_DISTRIBUTED and node.children[0].keras in class_names


def _spreads_listed(node: Node, names: Names) -> bool:
    """Return whether a TimeDistributed holds a functional model that is written with a list of one input."""
    inner = node.children[0] if node.role is Role.TIME_DISTRIBUTED else None
    inputs = inner.entry.config.get("input_layers") if inner is not None and inner.keras in FUNCTIONAL else None
    return isinstance(inputs, list) and len(inputs) == 1 and isinstance(inputs[0], list)


def _called(node: Node) -> Iterator[tuple[str, int, int, int]]:
    """Yield what the calls in a functional model take, as Keras 3 counts: the layer, and which of its calls.

    With each come how many of that layer's calls are before it in the order of the file, and how many there are.
    """
    if node.role is not Role.MODEL or node.keras == "Sequential":
        return
    inbound = {child.entry.name: child.entry.inbound for child in node.children}
    calls = {name: found if isinstance(found, list) else [] for name, found in inbound.items()}
    starts = {child.entry.name: int(child.keras == "InputLayer") for child in node.children}
    made = dict(starts)
    for name, found in calls.items():
        for call in found:
            for one in histories(call, isinstance(call, dict)):
                yield one.name, one.call, made.get(one.name, 0), starts.get(one.name, 0) + len(calls.get(one.name, []))
            made[name] += 1


def _is_called_early(node: Node, names: Names) -> bool:
    """Return whether a call comes, in the order of the file, before one whose output it takes."""
    return any(before <= call < every for _, call, before, every in _called(node))


def _is_called_never(nodes: Sequence[Node], names: Names) -> str | None:
    """Return a model in which a call takes the output of one that the file does not have.

    A layer that several models hold may have had that call in another.
    """
    times = Counter(found.shared for key, found in nodes[0].entry.within if key == "layers")
    for node in nodes:
        shared = (child.entry for child in node.children if child.entry.shared is not None)
        several = {found.name for found in shared if times[found.shared] > 1}
        if any(call >= every and name not in several for name, call, _, every in _called(node)):
            return node.name
    return None


def _shared_within(nodes: Sequence[Node], names: Names) -> str | None:
    """Return a layer that two models hold, each of which counts its calls by itself."""
    listed = [found for key, found in nodes[0].entry.within if key == "layers" and found.shared is not None]
    listed = [found for found in listed if found.class_name != "InputLayer"]
    times = Counter(found.shared for found in listed)
    several = (found for found in listed if times[found.shared] > 1)
    return None if _is_numbered_on(nodes) else next((found.name or found.own_name for found in several), None)


def _is_numbered_on(nodes: Sequence[Node]) -> bool:
    """Return whether a file counts the calls of a layer over all models, as Keras did before 3.2."""
    return any(call >= every for node in nodes for _, call, _, every in _called(node))


def _gives_nested(node: Node, names: Names) -> bool:
    """Return whether an output of a functional model is that of a functional model inside it."""
    outputs = {found.name for found in histories(node.entry.config.get("output_layers"), False)}
    inside = (child for child in node.children if child.role is Role.MODEL and child.keras != "Sequential")
    return node.role is Role.MODEL and any(child.entry.name in outputs for child in inside)


#: What is looked for, by the kind that a row names.
LOOKS: Mapping[str, Look] = {
    "lambda-function": _first(_is_lambda),
    "layer-as-activation": _first(_is_layer),
    "activation-layer": _first(_is_activation_layer),
    "function-object": _first(_is_function),
    "unshaped-attention": _first(_unshaped_attention),
    "archive": weighted,
    "functional-archive": weighted_functional,
    "named-twice": named_twice,
    "operation": _operation,
    "attention": _first(_is_of_class("Attention")),
    "spectral": _first(_is_of_class("SpectralNormalization")),
    "dot": _first(_is_of_class("Dot")),
    "slices": _first(_is_sliced),
    "shaped-lambda": _first(
        lambda node, names: node.keras == "Lambda" and isinstance(node.entry.config.get("output_shape"), list)
    ),
    "functional-in-time": _first(_spreads(FUNCTIONAL)),
    "listed-in-time": _first(_spreads_listed),
    "sequential-in-time": _first(_spreads(frozenset({"Sequential"}))),
    "early-call": _first(_is_called_early),
    BIDIRECTIONAL: _first(lambda node, names: node.role is Role.BIDIRECTIONAL),
    "cudnn-class": _first(_is_of_class(*CUDNN)),
    "missing-call": _is_called_never,
    "shared-anyhow": shared_anyhow,
    "nested-output": _first(_gives_nested),
    "bare-end": _first(later_settings.has_bare_end),
    "shared-apart": shared_apart,
    "shared-within": _shared_within,
    "unplaced": is_unplaced,
    "holds-unplaced": _first(holds_unplaced),
    "bare-list": _first(is_bare_list),
    "encoded": _first(later_settings.encodes_each),
    "misnamed": first_entry(is_misnamed),
    "misplaced": first_entry(is_misplaced),
    "elsewhere": first_entry(is_elsewhere),
    "renamed": first_entry(is_renamed),
    "unknown-class": first_entry(is_unknown),
    "nulled": first_entry(is_nulled),
    "nameless": _first(lacks_name),
    **{kind: _first(holds) for kind, holds in MARKS.items()},
}
