"""A rule of cudnnlint failed on a layer.

## What it does
Names the rule and the layer. The other rules and layers were judged.

## Why it matters
The fault is ours: the verdict of this layer is not to be relied on, and the run ends with status 2.

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is nothing to mend in the code.

## References
- none
"""

CODE = "CDN003"
NEEDED = "a rule that answers"
SAYS = "cudnnlint failed: {found}"
ADVICE = "Please report it, with the lines that make the layer."
