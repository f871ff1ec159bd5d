"""The layer has dropout on its inputs, which this release cannot combine with cuDNN.

## What it does
Finds an LSTM or GRU whose own `dropout` is not 0, in releases that then do not use cuDNN.

## Why it matters
Keras 3.0 to 3.3 runs its loop whenever the layer has dropout, at inference too. Later releases apply dropout to the
inputs first and then call the kernel (but see CDN601 for 3.4 to 3.8).

## Bad
```python target=keras@3.3.3:tensorflow
import keras

layer = keras.layers.LSTM(64, dropout=0.2)
```

## Fixed
```python target=keras@3.3.3:tensorflow
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python target=keras@3.9.0:tensorflow
import keras

layer = keras.layers.LSTM(64, dropout=0.2)
```

## Fix safety
Removing `dropout` keeps the numbers at inference, but training loses regularization. Upgrading to Keras 3.9 or later
keeps both.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop` (3.3: `if not self.dropout and not self.recurrent_dropout`)
- keras issue 19644
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.execution_context import may_be_padded
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN104"
NEEDED = "dropout=0"
SAYS = "dropout is {found}, and this Keras release does not use cuDNN for a layer with dropout"
ADVICE = "Upgrade to Keras 3.9 or later, or set dropout to 0 and put a Dropout layer before it."
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where the rate is above 0; Keras takes a negative one for 0."""
    return judge_argument(case, "dropout", lambda rate: not isinstance(rate, (int, float)) or rate > 0)


def fix(case: Case) -> Intent | None:
    """Remove the argument, unless a mask may arrive that the kernel would refuse."""
    if may_be_padded(case):
        return None
    return Intent((DropArgument("dropout"),), Effect.SAME_AT_INFERENCE, "remove dropout")


def otherwise(case: Case) -> str | None:
    """Name the release that runs it in cuDNN; the first that does so applies the dropout at inference too."""
    return "Upgrade to Keras 3.9 or later, where a layer with dropout runs in cuDNN."
