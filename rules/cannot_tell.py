"""The code or file does not show enough to tell whether a layer runs in cuDNN.

## What it does
Says what is missing: a value that comes from outside, a release that is not fixed, a branch that could go either way.

## Why it matters
A guess would be worth less than nothing. The verdict is `unknown`, and the verdicts that are left are listed.

## Bad
```python
import keras

def build(rate):
    return keras.layers.LSTM(64, recurrent_dropout=rate)
```

## Good
```python
import keras

def build(rate=0.0):
    return keras.layers.LSTM(64, recurrent_dropout=rate)

layer = build()
```

## Fix safety
There is no fix. `cudnnlint probe` asks a real run; `--strict` makes such a layer fail the check.

## References
- none
"""

CODE = "CDN501"
NEEDED = "a value that can be read"
SAYS = "it cannot be told: {found}"
ADVICE = "Write the value where the layer is made, fix the release with --target, or ask a real run: cudnnlint probe."
