"""What a functional model that is called as a layer gets in the place of each of its own inputs.

A list goes by place, a dict by its keys, or by the names of the Inputs where the model has a list of them (asked of
Keras 3.15.1 and tf_keras 2.21).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import casting, input_tensors
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.model_ends import in_key_order
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import (
    Const,
    Contents,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    may_be_missing,
    present,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_NOT_KNOWN = UnknownValue("is an input of a nested model, and it is not known which")


def match(run: Interpreter, old: Value, new: Value, known: dict[Hashable, Value]) -> None:
    """Put new inputs in the place of a model's own."""
    if isinstance(old, Mapping):
        _match_by_key(run, old, new, known)
        return
    if isinstance(new, Mapping):
        _match_by_name(run, old, new, known)
        return
    if isinstance(old, Tensor):
        several = isinstance(new, (Listing, Tuple))
        if old.source is not None:
            given = containers.item(run, new, Const(0)) or new if several else new
            known[old.source] = casting.as_declared(run, old, given)
        return
    olds = containers.elements(run, old).items if isinstance(old, (Listing, Tuple)) else ()
    news = containers.elements(run, new).items if isinstance(new, (Listing, Tuple)) else ()
    for place, one in enumerate(olds):
        match(run, one, news[place] if place < len(news) else new, known)


def _match_by_key(run: Interpreter, old: Mapping, new: Value, known: dict[Hashable, Value]) -> None:
    """Put new inputs in the place of those in a dict: those under the same keys, or in the order of the keys."""
    olds = in_key_order(old)
    if isinstance(new, Mapping):
        for key, one in old.table.items():
            match(run, present(one), _under(new, key), known)
    elif olds is not None:
        match(run, Tuple(Contents(tuple(olds))), new, known)
    else:
        known.update(dict.fromkeys((one.source for one in input_tensors.every(old) if one.source), _NOT_KNOWN))


def _match_by_name(run: Interpreter, old: Value, new: Mapping, known: dict[Hashable, Value]) -> None:
    """Put the entries of a dict in the place of a model's inputs that have their names."""
    for tensor in input_tensors.every(old):
        for root in () if tensor.source is None else tensor.source.roots:
            name = state_of(run).named.get(root)
            given = _under(new, name.value) if isinstance(name, Const) else _NOT_KNOWN
            known[tensor.source] = casting.as_declared(run, tensor, given)


def _under(new: Mapping, key: Hashable) -> Value:
    """Return the entry of a dict of inputs under a key."""
    found = new.table.get(key)
    return _NOT_KNOWN if found is None or may_be_missing(found) else found
