"""A mask that is not right-padded reaches the layer.

## What it does
Finds masks that are padded on the left, have gaps, or have a row without a single step, where the kernel only supports
right padding. Padding without a mask is fine: cuDNN then reads the padding like any other step.

## Why it matters
`pad_sequences` pads on the left by default. With a mask, Keras 2 silently falls back for such a batch. Keras 3.2 and
later stop with an error in fit, evaluate and predict, but only on a GPU: the same code runs on a CPU. One empty text is
enough, as it gives a row that is fully masked.

## Bad
```python
import keras

ids = keras.utils.pad_sequences([[3, 4], [5]], padding="pre")
inputs = keras.Input((None,), dtype="int32")
x = keras.layers.Embedding(1000, 32, mask_zero=True)(inputs)
model = keras.Model(inputs, keras.layers.LSTM(64)(x))
model.predict(ids)
```

## Fixed
```python
import keras

ids = keras.utils.pad_sequences([[3, 4], [5]], padding="post")
inputs = keras.Input((None,), dtype="int32")
x = keras.layers.Embedding(1000, 32, mask_zero=True)(inputs)
model = keras.Model(inputs, keras.layers.LSTM(64)(x))
model.predict(ids)
```

## Good
```python
import keras

inputs = keras.Input((None,), dtype="int32")
x = keras.layers.Embedding(1000, 32)(inputs)
model = keras.Model(inputs, keras.layers.LSTM(64)(x))
```

## Fix safety
If the code shows left padding, the fix pads on the right. The model then gets other inputs, and the numbers stay the
same only where the mask hides the padding. If the padding is not shown, the fix is only suggested. If there is no call
to change, `use_cudnn=False` is suggested, which keeps the padding and runs the loop.

## References
- `keras/src/backend/tensorflow/rnn.py:_assert_valid_mask`
- `tf_keras/src/layers/rnn/gru_lstm_utils.py:is_cudnn_supported_inputs`
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, PadRight, SetArgument
from cudnnlint.core.execution_context import padding, unknown
from cudnnlint.core.fact import values
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN201"
NEEDED = "no mask, or a right-padded one without empty rows"
SAYS = "the layer gets {found}, but cuDNN only supports right padding"
ADVICE = (
    'Pad on the right (pad_sequences(..., padding="post")) and remove empty sequences, or drop the mask. '
    "If you need left padding, set use_cudnn=False: the layer then runs in a loop."
)
WITHOUT_SWITCH = (
    'Pad on the right (pad_sequences(..., padding="post")) and remove empty sequences, or drop the mask. Every other '
    "batch runs in a loop."
)
CONDITION = "a mask that is not right-padded or has an empty row"


def find(case: Case) -> Finding:
    """Return YES for left padding or an empty row; run-time data decide where there is a mask whose padding is open."""
    mask = padding(case)
    padded = set(values(mask))
    finding = judge_fact(mask, lambda value: {"left": Truth.YES, "data": Truth.UNKNOWN}.get(value, Truth.NO))
    if finding.truth is Truth.NO and padded != {"none"}:
        empty = judge_fact(case.context("mask_with_empty_row"), bool)
        return finding if empty.truth is Truth.NO else replace(empty, found="a mask with an empty row")
    if finding.truth is Truth.UNKNOWN and padded.isdisjoint(("left", "none")) and not unknown(mask):
        return replace(finding, run_time=True, condition=CONDITION)
    return finding


def advise(case: Case) -> str | None:
    """Leave the switch out where the target has none."""
    return None if case.point.keras_3 else WITHOUT_SWITCH


def fix(case: Case) -> Intent | None:
    """Pad on the right, or keep the loop; where the padding is not shown, both are only suggested."""
    if case.layer.saved:
        return None
    loop = None
    if "use_cudnn" in case.arguments:
        steps = (SetArgument("use_cudnn", False),)
        loop = Intent(
            steps, Effect.SAME_NUMBERS, "keep the padding and run the loop: set use_cudnn=False", suggestion=True
        )
    return Intent(
        (PadRight(),),
        Effect.CHANGES_NUMBERS,
        "pad on the right",
        suggestion="left" not in set(values(case.context("mask"))),
        otherwise=loop,
    )
