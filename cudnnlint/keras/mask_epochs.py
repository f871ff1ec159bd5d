"""Stretches of Keras releases that handle masks alike, and how they do.

Asked of tf_keras 2.21 and of seventeen Keras 3 releases from 3.0.5 to 3.15.1 on TensorFlow 2.21: which mask
reaches an LSTM when the traced model runs (tests/frontends/saved/truth.py); of TensorFlow 2.0 to 2.4 by the programs of
tests/oracle/families.py. What a single layer does with the mask
of its input is in masking.py; here is only where releases differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cudnnlint.core.target import Era, Span


@dataclass(frozen=True)
class Habits:
    """`lists`: the masks of a list of inputs (Add, Concatenate, Attention) are looked at.
    `explicit`: the output carries on the mask that was given as `mask=`.
    `extra_tensors_hide`: a second tensor argument (initial_state) keeps the mask from the layer.
    `first_sees`: a mask reaches the first layer of a Sequential that has no Input (in TensorFlow 2.0 to 2.2
    `Sequential.call` hands it its own `mask`, which nobody gives).
    `same_tensor`: an operation that changes nothing gives the very tensor that it got, mask and all (JAX's
    `transpose` and `reshape`, asked of JAX 0.10).
    `stops`: classes that stop with an error when a mask reaches them."""

    era: Era
    lists: bool = True
    explicit: bool = True
    extra_tensors_hide: bool = True
    first_sees: bool = True
    same_tensor: bool = False
    stops: Mapping[str, str] = field(default_factory=dict)

    @property
    def major(self) -> int:
        """Keras 2 or 3."""
        return self.era.major


_JOIN = {"Concatenate": "Keras 3.4 to 3.11"}
_ATTEND = {"Attention": "Keras 3.4 to 3.6", "AdditiveAttention": "Keras 3.4 to 3.6"}
_SPREAD = {"TimeDistributed": "Keras 3.4 to 3.8"}

KERAS2 = Habits(Era(2, Span.of("2.3", None)), extra_tensors_hide=False)
HABITS = (
    Habits(Era(2, Span.of(None, "2.3")), extra_tensors_hide=False, first_sees=False),
    KERAS2,
    Habits(Era(3, Span.of(None, "3.4")), lists=False, explicit=False),
    Habits(Era(3, Span.of("3.4", "3.7")), explicit=False, stops=_JOIN | _ATTEND | _SPREAD),
    Habits(Era(3, Span.of("3.7", "3.9")), explicit=False, stops=_JOIN | _SPREAD),
    Habits(Era(3, Span.of("3.9", "3.11")), explicit=False, stops=_JOIN),
    Habits(Era(3, Span.of("3.11", "3.12")), stops=_JOIN),
    Habits(Era(3, Span.of("3.12", None), ("tensorflow", "torch", "numpy", "openvino"))),
    # Earlier releases have nothing on JAX that a mask decides.
    Habits(Era(3, Span.of("3.12", None), ("jax",)), same_tensor=True),
)
