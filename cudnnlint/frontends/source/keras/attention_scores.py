"""Attention layers that return their scores beside the output, where the call asks for them."""

from __future__ import annotations

from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Source, Tensor
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.values import Const, Contents, Tuple, Value, join, options

#: How many dimensions more than the query the scores of a layer have: the heads are one.
_MORE = {"Attention": 0, "AdditiveAttention": 0, "MultiHeadAttention": 1, "GroupQueryAttention": 1}
#: The query of which that is known: more dimensions are attended over, or not, as the layer's axes say.
SEQUENCE_RANK = 3


def beside(build: Build, source: Source, output: Tensor) -> Value:
    """Return what a layer gives: its output, or that and its scores; the scores have no mask."""
    asked = dict(source.keywords).get("return_attention_scores", Const(False))
    returns = {bool(one.value) if isinstance(one, Const) else None for one in options(asked)}
    if build.class_name not in _MORE or returns == {False}:
        return changed(output, source=source)
    rank = SEQUENCE_RANK + _MORE[build.class_name] if output.rank == SEQUENCE_RANK else None
    first = changed(output, source=Source(source.layer, source.inputs, source.keywords, 0))
    scores = Tensor(UNMASKED, Source(source.layer, source.inputs, source.keywords, 1), output.dtype, rank=rank)
    both = Tuple(Contents((first, scores)))
    return both if returns == {True} else join([both, changed(output, source=source)])
