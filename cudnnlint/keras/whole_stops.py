"""Layers that stop at integers or booleans: what the traits "stops-before" call that (tables/defaults.toml)."""

from __future__ import annotations

from collections.abc import Callable

from cudnnlint.core.masking import MaskTable
from cudnnlint.keras.lattice import Dtype

#: The dtypes that were asked (fixtures/evidence/integers_before.json).
ASKED = frozenset({"int32", "int64", "uint8", "bool"})
#: The layer whose own class does not decide, but the function that it applies.
ACTIVATION = "Activation"


def whole_stop(table: MaskTable, class_name: str, dtype: Dtype, setting: Callable[[str], object]) -> str | None:
    """Return the kind of stop of a layer that is given a tensor of this dtype; None where no release stops.

    `setting` gives the value of an argument, where it is known: a layer that does something in training alone does
    nothing where its rate is 0.
    """
    if dtype.name not in ASKED or class_name not in table.at_whole:
        return None
    decides = table.at_whole[class_name]
    value = setting(decides) if decides else None
    if class_name == ACTIVATION:
        return f"{dtype.name} given to {class_name}({value!r})" if isinstance(value, str) else None
    if decides and not (isinstance(value, (int, float)) and value):
        return None
    return f"{dtype.name} given to {class_name}"
