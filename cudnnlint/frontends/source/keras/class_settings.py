"""Settings that a class of the user's has itself, in place of what Keras's LSTM and GRU show of their cell.

Asked of keras 3.15.1 and tf_keras 2.21.0: Keras 3 reads `recurrent_dropout` of the layer where it runs, and of its cell
all else. Keras 2 reads `activation` and `recurrent_activation` of the layer in its constructor, where one of the class
is never the function that it looks for: not a text, nor a function, which is a method there.
"""

from __future__ import annotations

from cudnnlint.frontends.source.keras.mutations import CHOICE
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.values import Class, Const, Function, UnknownValue, Value

OF_KERNEL = ("LSTM", "GRU")
READ_LATER = "recurrent_dropout"
READ_AT_ONCE = ("activation", "recurrent_activation")


def of(kind: Class, class_name: str) -> dict[str, Value]:
    """Return what the class sets of a layer that it inherits from, as if it were set after construction."""
    if class_name not in OF_KERNEL:
        return {}
    found: dict[str, Value] = {}
    later = _own(kind, READ_LATER)
    if later is not None:
        found[READ_LATER] = later
    at_once = [value for name in READ_AT_ONCE if (value := _own(kind, name)) is not None]
    if at_once:
        found[CHOICE] = Const(False, at=at_once[0].at)
    return found


def _own(kind: Class, name: str) -> Value | None:
    """Return the attribute of a class, or of one of its own bases; None where it has Keras's."""
    attribute = classes.search(kind, name)
    if attribute is None or not isinstance(attribute[1], Class) or attribute[0] is attribute[1]:
        return None
    if isinstance(attribute[0], Function):
        return UnknownValue("is a property of the class of the layer", None)
    if f"self.{name} =" in kind.unit.text:
        return UnknownValue("is an attribute of the class of the layer, and may be set on the object", None)
    return attribute[0]
