"""Values that are certain, as the facts hold them: plain ones as they are, others in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.core.fact import NumpyNumber, Opaque, Ref
from cudnnlint.frontends.source.keras import activation_equivalence, makers
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python import containers, enums, iterators
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Partial,
    Tuple,
    Value,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def plain(run: Interpreter, value: Value) -> tuple[Any, str | None]:
    """Return a value that is certain, as the facts hold it, and its source text where that says more."""
    value = enums.worth(value)
    if isinstance(value, Const):
        made = isinstance(value.value, run.library.constants)
        if hasattr(value.value, "stands_for"):
            return NumpyNumber(value.value), f"numpy's {value.value}"
        whole = value.value
        return Opaque(f"a {type(whole).__name__} object", truth=truth(value)) if made else whole, None
    if isinstance(value, Library):
        return Ref(value.name), None
    if isinstance(value, (Listing, Tuple)) and not iterators.is_iterator(value):
        contents = containers.elements(run, value)
        if contents.certain and all(isinstance(item, Const) for item in contents.items):
            items = [item.value for item in contents.items if isinstance(item, Const)]
            return (tuple(items) if isinstance(value, Tuple) else items), None
        return Opaque("a list" if isinstance(value, Listing) else "a tuple", holds=True, truth=truth(value)), None
    like = activation_equivalence.like(run, value)
    made_by = makers.initializer(value)
    return Opaque(described(value), like, isinstance(value, Mapping), truth(value), makers.given(value), made_by), None


def described(value: Value) -> str:
    """Return a value that is no literal, in words."""
    if isinstance(value, Function):
        return "a lambda" if isinstance(value.node, cst.Lambda) else f"the function {value.name}()"
    if isinstance(value, Instance):
        name = value.kind.name.rsplit(".", 1)[-1]
        return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name} object"
    if isinstance(value, Class):
        return f"the class {value.name}"
    if isinstance(value, Mapping):
        return "a dict"
    if iterators.is_iterator(value):
        return "an iterator"
    return {Partial: "a partial function", Tensor: "a tensor", Bound: "a method"}.get(type(value), "an object")
