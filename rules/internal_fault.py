"""A rule of cudnnlint crashed on a layer.

## What it does
Names the rule and the layer. All other rules and layers were checked.

## Why it matters
This is a bug in cudnnlint. Do not rely on the verdict of this layer. The run ends with exit status 2.

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is nothing to fix in your code.

## References
- none
"""

CODE = "CDN003"
NEEDED = "a rule that answers"
SAYS = "cudnnlint failed: {found}"
ADVICE = "This is a bug in cudnnlint. Please report it, with the lines of code that make the layer."
