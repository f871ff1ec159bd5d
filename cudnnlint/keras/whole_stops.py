"""Layers that stop at integers or booleans: what the traits "stops-before" call that (tables/defaults.toml)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cudnnlint.core.masking import MaskTable
from cudnnlint.keras.lattice import Dtype

#: The dtypes that were asked (fixtures/evidence/integers_before.json).
ASKED = frozenset({"int32", "int64", "uint8", "bool"})
#: The layer whose own class does not decide, but the function that it applies.
ACTIVATION = "Activation"
WHOLE = "integers or booleans"
#: Layers that take several tensors as one operation of TensorFlow, which is one for each dtype.
JOINING = frozenset({"Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"})


def whole_stop(
    table: MaskTable, class_name: str, given: Iterable[Dtype], setting: Callable[[str], object]
) -> str | None:
    """Return the kind of stop of a layer that is given tensors of these dtypes; None where no release stops.

    Where they differ, Keras 3 makes one dtype of them, which may hold fractions. `setting` gives the value of an
    argument, where it is known: a layer that does something in training alone does nothing where its rate is 0.
    """
    given = tuple(given)
    if class_name in JOINING and _differ(given):
        boolean = class_name == "Multiply" and any(one.name == "bool" for one in given)  # Keras 2: booleans again
        return f"{'booleans' if boolean else WHOLE} together with another dtype given to {class_name}"
    dtype, *others = dict.fromkeys(one.name for one in given) or (None,)
    if others or dtype not in ASKED or class_name not in table.at_whole:
        return None
    decides = table.at_whole[class_name]
    value = setting(decides) if decides else None
    if class_name == ACTIVATION:
        return f"{dtype} given to {class_name}({value!r})" if isinstance(value, str) else None
    if decides and not (isinstance(value, (int, float)) and value):
        return None
    return f"{dtype} given to {class_name}"


def _differ(given: Sequence[Dtype]) -> bool:
    """Return whether tensors certainly have dtypes that TensorFlow takes together in no operation.

    Keras 2 casts floats to one dtype before.
    """
    return len({one.name if one.whole else "a float" for one in given}) > 1 and not any(one.because for one in given)
