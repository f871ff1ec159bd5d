"""The layer is set not to use cuDNN.

## What it does
Finds `use_cudnn=False`.

## Why it matters
The layer then runs in a loop on every machine. That can be intended: for a mask that is not right-padded, for an export
that has to run on CPUs, for second-order gradients, or inside a jitted function, where the kernel would raise an error.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, use_cudnn=False)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, use_cudnn="auto")
```

## Fix safety
The numbers stay the same up to rounding. No fix is offered where the code shows something that the kernel would refuse.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop` (`self.use_cudnn in ("auto", True)`)
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.execution_context import export, may_be_padded
from cudnnlint.core.fact import values
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN110"
NEEDED = 'use_cudnn="auto"'
SAYS = "use_cudnn is {found}, which turns cuDNN off for this layer"
ADVICE = "Remove use_cudnn, unless this is intended. The numbers stay the same up to rounding."
#: Execution contexts in which the kernel would raise.
REASONS = ("xla", "torch_compiled", "second_order")


def find(case: Case) -> Finding:
    """Return YES where `use_cudnn` equals False; 0 does, and Keras takes it."""
    return judge_argument(case, "use_cudnn", lambda value: value in (False,))


def fix(case: Case) -> Intent | None:
    """Remove the argument, unless the kernel would fail here."""
    reasons = [value for name in REASONS for value in values(case.context(name))]
    if may_be_padded(case) or any(reasons) or export(case):
        return None
    return Intent((DropArgument("use_cudnn"),), Effect.SAME_NUMBERS, "remove use_cudnn")
