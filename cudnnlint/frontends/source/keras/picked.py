"""Layers that a value picks by name: `getattr(layers, config["rnn"])(64)`, `vars(layers)[kind](64, unroll=True)`.

Where the value is not known, the class may be any of Keras's. The call is taken for one of a recurrent layer if it has
an argument that only these have, or if the source of the name speaks of one; then it is reported as unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.keras import layers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Library, UnknownValue, Value, join, options, words
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Attributes of `layers` whose names are not constants.
_PICKED = regex(
    r"(?:getattr\(\s*|vars\(\s*)?(?:\w+\.)*layers(?:\s*,|\s*\)\s*\[|\.__dict__\s*\[)\s*(?P<name>[^'\"].*)", re.DOTALL
)
_RECURRENT = regex(r"rnn|lstm|gru(?!p)|recurrent", re.IGNORECASE)
#: Arguments that no layer has but recurrent ones.
_ARGUMENTS = words(
    "return_sequences return_state go_backwards stateful unroll time_major recurrent_activation recurrent_dropout"
    " recurrent_initializer recurrent_regularizer recurrent_constraint unit_forget_bias reset_after"
)
#: What a recurrent layer of an unknown name is shown as.
_CLASSES = ("LSTM", "GRU", "SimpleRNN")


def is_recurrent(callee: UnknownValue, arguments: Arguments) -> bool:
    """Return whether a callee is picked from `layers`, and the call or the source of the name speaks of recurrence."""
    if callee.at is None or not _takes_an_attribute(callee.at.node):
        return False
    found = _PICKED.fullmatch(callee.at.unit.text_of(callee.at.node))
    if found is None:
        return False
    return not _ARGUMENTS.isdisjoint(arguments.keywords) or _RECURRENT.search(found["name"]) is not None


def _takes_an_attribute(node: cst.CSTNode) -> bool:
    """Return whether a node is `getattr(...)`, `vars(...)[...]` or `x.__dict__[...]`; its text is slow to write."""
    if type(node) is cst.Subscript:
        inside = node.value
        return type(inside) is cst.Call or (type(inside) is cst.Attribute and inside.attr.value == "__dict__")
    return type(node) is cst.Call and type(node.func) is cst.Name and node.func.value == "getattr"


def recurrent(run: Interpreter, callee: UnknownValue, arguments: Arguments, origin: Origin) -> Value:
    """Construct a recurrent layer of a class that is not known."""
    classes = [Library(f"keras.layers.{name}") for name in _CLASSES]
    made = run.call(join(classes, callee.because), arguments, origin)
    for one in options(made):
        built = layers.made_of(one)
        if built is not None:
            built.build.unsure = built.build.unsure or callee.because
    return made
