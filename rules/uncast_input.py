"""The input of the layer is not cast to the layer's dtype.

## What it does
Finds layers inside a TimeDistributed of another dtype, and layers with `autocast=False` that get input in another dtype
than the one that they compute in.

## Why it matters
A layer casts its input when it is called. TimeDistributed in Keras 3 does not call the layer itself but its `call`
method, which does not cast. The cuDNN operation then gets input in one dtype and states in another, and stops with a
TypeError while the graph is built. The loop accepts both, so the problem does not show on a CPU.

## Bad
```python
import keras

inputs = keras.Input((3, 10, 4))
outputs = keras.layers.TimeDistributed(keras.layers.LSTM(64, dtype="mixed_float16"))(inputs)
model = keras.Model(inputs, outputs)
```

## Good
```python
import keras

inputs = keras.Input((3, 10, 4))
inner = keras.layers.LSTM(64, dtype="mixed_float16")
outputs = keras.layers.TimeDistributed(inner, dtype="mixed_float16")(inputs)
model = keras.Model(inputs, outputs)
```

## Fix safety
No change to the layer helps. Give the wrapper the same dtype: it then casts the input as the layer would.

## References
- `keras/src/layers/rnn/time_distributed.py:TimeDistributed.call` (`self.layer.call`)
- `keras/src/backend/tensorflow/rnn.py:_cudnn_lstm`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import policy, policy_name
from cudnnlint.core.fact import Absent, Assumed, Default, Fact, Known
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN215"
NEEDED = "input in the layer's own dtype"
SAYS = "{detail}, so its input is not cast, and the layer computes in {found}"
ADVICE = "Give the TimeDistributed the same dtype as the layer, or remove autocast=False."


def find(case: Case) -> Finding:
    """Return YES where the input certainly keeps a dtype that is not the layer's."""
    fact, _ = policy(case)
    wrapper = case.layer.wrappers[0] if case.layer.wrappers else None
    if wrapper is not None and wrapper.kind == "TimeDistributed":
        outer = around(case, wrapper.arguments.get("dtype", Absent()))
        finding = judge_fact(fact, lambda value: differ(policy_name(value), outer))
        detail = "the layer is inside a TimeDistributed of another dtype"
    else:
        off = judge_argument(case, "autocast", lambda value: value in (False,)).truth
        finding = judge_fact(fact, lambda value: off & arrives_otherwise(case, policy_name(value)))
        detail = "the layer has autocast=False"
    if finding.truth is Truth.NO:
        return ABSENT_FAULT
    return Finding(finding.truth, finding.found, finding.place, finding.origin, because=finding.because, detail=detail)


def around(case: Case, written: Fact) -> str | None:
    """Return the name of the wrapper's policy: its own, else the global one."""
    fact = written
    if isinstance(fact, Absent) or (isinstance(fact, (Known, Assumed)) and fact.value is None):
        fact = case.context("dtype")
    return policy_name(fact.value) if isinstance(fact, (Known, Assumed)) else None


def differ(inner: str | None, outer: str | None) -> Truth:
    """Return whether two policies compute in different dtypes."""
    if inner is None or outer is None:
        return Truth.UNKNOWN
    return Truth.of(inner.removeprefix("mixed_") != outer.removeprefix("mixed_"))


def arrives_otherwise(case: Case, name: str | None) -> Truth:
    """Return whether the input has another dtype than a policy computes in; a dtype that nothing sets is float32."""
    arriving = case.context("input_dtype")
    if not isinstance(arriving, (Absent, Default)):
        return judge_fact(arriving, lambda dtype: differ(name, policy_name(dtype))).truth
    everywhere = around(case, Absent())
    return Truth.NO if name == everywhere == "float32" else Truth.UNKNOWN
