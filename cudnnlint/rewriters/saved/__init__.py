"""Rewrites saved Keras models, `.keras` and `.h5`, Keras 2 and 3, without any framework: h5py and numpy alone.

`convert` turns a whole file into one that today's Keras loads; `complete` makes a whole file of weights and the layers
that another file holds; `rewrite` applies the steps of fixes to chosen layers. All keep the numbers or refuse, and
none writes half a file.
"""

from cudnnlint.rewriters.saved.isolation import complete, convert, rewrite
from cudnnlint.rewriters.saved.summary import Summary

__all__ = ["Summary", "complete", "convert", "rewrite"]
