"""A GRU without a bias computes in half precision, and the scan on JAX stops with an error.

## What it does
Finds a GRU with `use_bias=False` that computes in float16 or bfloat16, in Keras 3.15 and later on JAX.

## Why it matters
From Keras 3.15 on, Keras runs the GRU in a scan of its own. In place of the missing bias it adds zeros in float32. The
new state is then float32 while the old one is float16, and `lax.scan` stops with a TypeError, on a CPU too.

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
No fix keeps the numbers: a bias has to be trained, and float32 computes in another precision.

## References
- `keras/src/backend/jax/rnn.py:gru` (`jnp.zeros(3 * hidden_size)`)
"""

from __future__ import annotations

from cudnnlint.core.execution_context import policy, policy_name
from cudnnlint.core.rule import Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN216"
NEEDED = "a bias, or a computation in float32"
SAYS = "the layer has no bias and computes in {found}, but on JAX Keras replaces the bias with float32 zeros"
ADVICE = 'Remove use_bias=False, or set dtype="float32" on the layer.'
HALVES = ("float16", "bfloat16")


def find(case: Case) -> Finding:
    """Return YES where there is no bias and the computation is in half precision."""
    biasless = judge_argument(case, "use_bias", lambda value: not value).truth
    return judge_fact(policy(case)[0], lambda value: biasless & computes_in_half(policy_name(value)))


def computes_in_half(name: str | None) -> Truth:
    """Return whether a policy of this name computes in 16 bits."""
    return Truth.UNKNOWN if name is None else Truth.of(name.removeprefix("mixed_") in HALVES)
