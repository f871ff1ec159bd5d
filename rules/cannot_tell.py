"""The code or file does not show whether a layer runs in cuDNN.

## What it does
Says what is missing: for example a value that comes from outside, a release that is not fixed, or a branch that could
go either way. Where a file is too large to be followed to its end, it says so of the file: layers may be missing.

## Why it matters
cudnnlint does not guess. The verdict is `unknown`, and the verdicts that are still possible are listed.

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
There is no fix. `cudnnlint probe` runs the layer and shows what happens. With `--strict`, such a layer fails the check.

## References
- none
"""

CODE = "CDN501"
NEEDED = "a value that can be read"
SAYS = "the verdict is not known: {found}"
ADVICE = (
    "Write what is missing into the code, set the release with --target if it is the release, or let cudnnlint probe "
    "run the layer."
)
