"""A suppression comment silences nothing.

## What it does
Finds `# noqa: CDN...` and `# cudnnlint: ignore[...]` on lines without such a finding.

## Why it matters
The fault is mended, or the comment stands on the wrong line. Left in place it silences the next one.

## Bad
```python
import keras

layer = keras.layers.LSTM(64)  # noqa: CDN103
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, recurrent_dropout=0.2)  # noqa: CDN103
```

## Fix safety
Delete the code from the comment; nothing else changes.

## References
- none
"""

CODE = "CDN002"
NEEDED = "a finding on this line"
SAYS = "this suppression silences nothing: {found}"
ADVICE = "Delete the comment, or move it to the line of the finding."
