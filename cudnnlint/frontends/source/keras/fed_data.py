"""The data that a model is fed with (`model.fit(x)`), as its layers get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import made_tensors, padding
from cudnnlint.frontends.source.keras.tensors import Tensor, fresh, operation
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Contents, Listing, Mapping, Tuple, Value
from cudnnlint.frontends.source.stdlib import tensor_datasets

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def first_argument(run: Interpreter, arguments: Arguments) -> Value:
    """Return the data of a call: a tensor without a mask, or several where more is known of them."""
    first = tensor_datasets.inputs(arguments.get(0, "x") or NONE)
    first = Tuple(containers.contents_of(first)) if isinstance(first, Listing) else first
    if padding.known_in(first):
        return first
    if isinstance(first, Mapping) and first.body is None:
        named = [(Const(key), made_tensors.of_array(one)) for key, one in first.table.items() if isinstance(key, str)]
        return containers.new_dict(run, [(key, _fed(one)) for key, one in named]) if _shown(named) else fresh()
    if isinstance(first, Tuple):
        each = [made_tensors.of_array(one) for one in first.contents.items if first.contents.certain]
        return Tuple(Contents(tuple(map(_fed, each)))) if any(map(_known, each)) else Tuple(Contents((), fresh()))
    return _fed(made_tensors.of_array(first))


def _shown(named: list[tuple[Const, Value]]) -> bool:
    return any(_known(one) for _, one in named)


def _known(one: Value) -> bool:
    """Return whether a dtype is shown of one part of the data."""
    return isinstance(one, Tensor) and one.dtype is not None


def _fed(data: Value) -> Tensor:
    return operation(data) if isinstance(data, Tensor) else fresh()
