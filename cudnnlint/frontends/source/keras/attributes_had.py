"""Which attributes layers and cells have, where code tells recurrent ones from others: `hasattr(layer, "cell")`.

Asked of keras 3.15.1 and tf_keras 2.21.0; Keras 1 has no cells.
"""

from __future__ import annotations

from cudnnlint.core.names import Names
from cudnnlint.frontends.source.keras import locked_settings, mutations
from cudnnlint.frontends.source.python.values import words

#: What a recurrent layer has beside what it shows of its cell.
_OWN = words("cell unroll stateful go_backwards return_sequences return_state")
#: What no layer has but recurrent ones and their cells.
_RECURRENT = words(
    "cell recurrent_dropout recurrent_activation unroll return_sequences return_state use_cudnn state_size"
)


def has(names: Names, class_name: str | None, name: str) -> bool | None:
    """Return whether objects of a class of Keras have an attribute; None where that is not known, or differs."""
    if class_name in mutations.WITH_CELL:
        return True if name in _OWN or name in locked_settings.LOCKED[class_name] - {"implementation"} else None
    if class_name is None or class_name in names.recurrent or class_name in names.wrappers:
        return None
    if name not in _RECURRENT:
        return None
    if class_name in names.cells:
        return True if name == "state_size" else None
    return False
