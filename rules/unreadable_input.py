"""A file cannot be read.

## What it does
Reports each file, or notebook cell, that cannot be read: a syntax error, a damaged archive, a path that does not exist.

## Why it matters
A file that cannot be read is not checked. All other files, and the other cells of a notebook, are.

## Bad
```python
import keras

layer = keras.layers.LSTM(64
```

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is no automatic fix. A Git LFS pointer is reported as a note only: `git lfs pull` fetches the file.

## References
- none
"""

CODE = "CDN001"
NEEDED = "a file that can be read"
SAYS = "the file cannot be read: {found}"
ADVICE = "Fix the file, or skip it with exclude."
