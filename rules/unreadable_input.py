"""A file could not be read.

## What it does
Tells which file, or which cell of a notebook, is not what its name says: broken Python, a damaged archive, a path that
does not exist.

## Why it matters
What could not be read was not checked. The other files, and the other cells, were.

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
There is no fix. A Git LFS pointer is told as a note only: `git lfs pull` fetches the file.

## References
- none
"""

CODE = "CDN001"
NEEDED = "a file that can be read"
SAYS = "the file cannot be read: {found}"
ADVICE = "Mend the file, or leave it out with exclude; the others were checked."
