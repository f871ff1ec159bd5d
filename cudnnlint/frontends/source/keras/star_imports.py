"""Names that `from keras import *`, `from keras.layers import *` and the like bring."""

from __future__ import annotations

from cudnnlint.core.names import Names
from cudnnlint.frontends.source.keras import layers
from cudnnlint.frontends.source.python.values import words

#: Functions that a star import brings, and the names in capitals: any other of these is a constant of somebody's.
_STARRED, _CAPITALS = layers.MERGES | words("load_model clone_model model_from_json"), words("ELU GRU LSTM RNN SGD")
#: Modules that a star import of Keras itself brings: `layers.LSTM` behind it.
_MODULES = words("activations backend callbacks constraints initializers layers losses metrics models optimizers utils")


def brings(names: Names, module: str, name: str) -> bool:
    """Return whether a star import of a module of Keras brings a name."""
    if name in _MODULES:
        return module in names.roots
    known = name in _CAPITALS if name.isupper() else name[:1].isupper() or name in _STARRED
    return known and names.may_be_there(f"{module}.{name}")
