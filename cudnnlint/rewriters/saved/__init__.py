"""Rewrites saved Keras models, `.keras` and `.h5`, Keras 2 and 3, without any framework: h5py and numpy alone.

`convert` turns a whole file into one that today's Keras loads; `rewrite` applies the steps of fixes to
chosen layers. Both keep the numbers or refuse, and neither writes half a file.
"""

from cudnnlint.rewriters.saved.isolation import convert, rewrite
from cudnnlint.rewriters.saved.summary import Summary

__all__ = ["Summary", "convert", "rewrite"]
