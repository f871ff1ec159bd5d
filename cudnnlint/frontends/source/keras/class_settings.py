"""Settings that a class of the user's has itself, in place of what Keras's LSTM and GRU show of their cell.

Asked of keras 3.15.1 and tf_keras 2.21.0: Keras 3 reads `recurrent_dropout` and `dropout` of the layer where it runs,
and of its cell all else. Keras 2 reads `activation` and `recurrent_activation` of the layer in its constructor, where
one of the class is never the function that it looks for: not a text, nor a function, which is a method there.

Keras's constructor sets `unroll` and others on the layer, which a property without a setter does not take; Keras 3 does
not set what is there already.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from cudnnlint.frontends.source.keras.mutations import CHOICE
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.values import Class, Const, Function, UnknownValue, Value, words

OF_KERNEL = ("LSTM", "GRU")
READ_LATER = ("recurrent_dropout", "dropout")
READ_AT_ONCE = ("activation", "recurrent_activation")
#: What the constructor sets on every recurrent layer, by default to False.
_SET = words("unroll stateful return_sequences return_state go_backwards")
#: The kinds of stops (tables/defaults.toml).
READ_ONLY = "a property without a setter in the place of an attribute that Keras sets"
OTHER_VALUE = "a property without a setter in the place of an attribute that Keras sets to another value"
USE_CUDNN = "a property without a setter in the place of use_cudnn"
DROPOUT = "a dropout that the class of a layer has and its cell has not"
DROPOUT_PROPERTY = "a property of the class of a layer in the place of its dropout"
UNITS = "another number of units in the class of an LSTM than in its constructor"


def of(kind: Class, class_name: str) -> dict[str, Value]:
    """Return what the class sets of a layer that it inherits from, as if it were set after construction."""
    if class_name not in OF_KERNEL:
        return {}
    found: dict[str, Value] = {name: later for name in READ_LATER if (later := _own(kind, name)) is not None}
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


def stops_of(kind: Class, build: Build) -> Iterator[str]:
    """Yield the kinds of what stops a layer, for what its class has in the place of what Keras gives it."""
    for name in sorted(_SET):
        shown = _read_only(kind, name)
        if shown is not None:
            made = build.arguments.get(name, Const(False))
            sure = build.open is None and isinstance(made, Const) and shown.value not in (None, made.value)
            yield from (READ_ONLY, OTHER_VALUE) if sure else (READ_ONLY,)
    if build.class_name in OF_KERNEL:
        yield from [USE_CUDNN] if _read_only(kind, "use_cudnn") else []
        yield from _of_dropout(kind, build)
    if build.class_name == "LSTM" and _other_units(kind, build):
        yield UNITS


def _of_dropout(kind: Class, build: Build) -> Iterator[str]:
    """Yield the kind of a layer whose class has a dropout, or a property that may be one, where its cell has none."""
    made, own = build.arguments.get("dropout", Const(0)), _own(kind, "dropout")
    without = build.open is None and isinstance(made, Const) and not made.value and not made.assumed
    if own is not None and without and (not isinstance(own, Const) or _numeral(kind, "dropout")):
        yield DROPOUT if isinstance(own, Const) else DROPOUT_PROPERTY


def _read_only(kind: Class, name: str) -> Const | None:
    """Return what a property without a setter returns, Const(None) where that is not known; None for no property."""
    found = classes.search(kind, name)
    method = found[0] if found is not None and isinstance(found[1], Class) else None
    if not isinstance(method, Function) or method.kind != "property" or method.setter is not None:
        return None
    body = method.node.body
    lines = body.body if isinstance(body, cst.IndentedBlock) else ()
    last = lines[-1].body[0] if lines and isinstance(lines[-1], cst.SimpleStatementLine) else None
    value = last.value if isinstance(last, cst.Return) and len(lines) == 1 else None
    plain = value.value if isinstance(value, cst.Name) else ""
    return Const({"True": True, "False": False}.get(plain))


def _other_units(kind: Class, build: Build) -> bool:
    made, number = build.arguments.get("units"), _numeral(kind, "units")
    known = isinstance(made, Const) and not made.assumed
    return known and isinstance(made, Const) and number not in (None, made.value)


def _numeral(kind: Class, name: str) -> float | None:
    """Return the number that a class of the user's has for a setting; None where it has none."""
    own = _own(kind, name)
    value = own.value if isinstance(own, Const) and not own.assumed else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
