"""The calls that lead to a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.frontends.source.keras.tensors import Source, tensors_in


def before(source: Source) -> Iterator[Source]:
    """Yield a call that made a tensor, and once each the calls that lead to it."""
    waiting, seen = [source], {source}
    while waiting:
        one = waiting.pop()
        yield one
        given = (*one.inputs, *(value for _, value in one.keywords))
        into = {tensor.source for value in given for tensor in tensors_in(value) if tensor.source is not None}
        waiting += into - seen
        seen |= into
