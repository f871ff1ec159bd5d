"""A suppression comment suppresses nothing.

## What it does
Finds `# noqa: CDN...` and `# cudnnlint: ignore[...]` on lines without such a finding.

## Why it matters
The problem has been fixed, or the comment is on the wrong line. If it stays, it may hide a later problem.

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
There is no automatic fix. Delete the code from the comment; nothing else changes.

## References
- none
"""

CODE = "CDN002"
NEEDED = "a finding on this line"
SAYS = "this comment suppresses nothing: {found}"
ADVICE = "Delete the comment, or move it to the line of the finding."
