"""Whether a layer insists on cuDNN: `use_cudnn=True`, where something asks for it."""

from __future__ import annotations

from collections.abc import Callable

from cudnnlint.core.rule import Case, judge_argument
from cudnnlint.core.truth import Truth


def insists(case: Case, own_loop: Callable[[], Truth]) -> Truth:
    """Return whether the layer stops where it cannot use cuDNN.

    Keras asks for `use_cudnn` in its own inner_loop, which an own loop replaces. Source: keras/src/layers/rnn/lstm.py
    and gru.py, LSTM.inner_loop, asked of six releases and backends (fixtures/evidence/own_loops.json).
    """
    asked = judge_argument(case, "use_cudnn", lambda value: value is True).truth
    return asked if asked is Truth.NO else asked & ~own_loop()
