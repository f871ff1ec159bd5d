"""A GRU without a bias computes in half precision, which JAX's scan refuses.

## What it does
Finds a GRU with `use_bias=False` that computes in float16 or bfloat16, for Keras 3.15 and later on JAX.

## Why it matters
Keras 3.15 scans the GRU over its steps by itself. In place of the bias that is not there it adds zeros in float32, so
that the new state is float32 while the old one is float16: `lax.scan` stops with a TypeError, on a CPU too.

## Bad
```python target=keras@3.15.0:jax
import keras

layer = keras.layers.GRU(64, use_bias=False, dtype="mixed_float16")
```

## Good
```python target=keras@3.15.0:jax
import keras

layer = keras.layers.GRU(64, dtype="mixed_float16")
```

## Fix safety
There is no fix that keeps the numbers: a bias has to be trained, and float32 computes in another precision.

## References
- `keras/src/backend/jax/rnn.py:gru` (`jnp.zeros(3 * hidden_size)`)
"""

from __future__ import annotations

from cudnnlint.core.execution_context import policy, policy_name
from cudnnlint.core.rule import Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN216"
NEEDED = "a bias, or a computation in float32"
SAYS = "the layer has no bias and computes in {found}; the zeros that stand in for the bias are float32"
ADVICE = "Leave use_bias out, or give the layer the dtype float32."
HALVES = ("float16", "bfloat16")


def find(case: Case) -> Finding:
    """YES where there is no bias and the computation is in a half precision."""
    biasless = judge_argument(case, "use_bias", lambda value: not value).truth
    return judge_fact(policy(case)[0], lambda value: biasless & computes_in_half(policy_name(value)))


def computes_in_half(name: str | None) -> Truth:
    """Does a policy of this name compute in 16 bits?"""
    return Truth.UNKNOWN if name is None else Truth.of(name.removeprefix("mixed_") in HALVES)
