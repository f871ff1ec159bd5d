"""What functions of the standard library and of numpy do, by their dotted names.

A pure function of plain values is one line in the table of its kind: `numbers`, `texts` or `sequences`. What makes or
changes objects is in `objects` and `collected`.
"""

from __future__ import annotations

import math
import re
import string
from datetime import timezone
from functools import cache
from typing import Any

from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.stdlib import (
    array_dtypes,
    arrays,
    called_back,
    chance,
    collected,
    concurrent,
    contextlibs,
    dataclass_functions,
    dispatching,
    endless,
    held,
    inspecting,
    mocking,
    numbers,
    objects,
    operator_functions,
    runs_of_tests,
    searches,
    sequences,
    small_objects,
    systems,
    tensor_datasets,
    texts,
    versions,
)

_FLAGS = "I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII"
_LETTERS = "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation whitespace printable"
_DAYS = "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY"
#: Plain values of modules, the same everywhere; Python is 3 wherever Keras still is.
VALUES: dict[tuple[str, str], Any] = {
    **{(module, name): getattr(math, name) for module in ("math", "numpy") for name in ("pi", "e", "inf", "nan")},
    **{(module, "newaxis"): None for module in ("numpy", "tensorflow", "jax.numpy")},
    ("math", "tau"): math.tau,
    **{("re", name): int(getattr(re, name)) for name in _FLAGS.split()},
    **{("string", name): getattr(string, name) for name in _LETTERS.split()},
    ("datetime.timezone", "utc"): timezone.utc, ("datetime", "UTC"): timezone.utc,
    **{("calendar", name): place for place, name in enumerate(_DAYS.split())},
    ("os", "sep"): "/", ("os.path", "sep"): "/",  # paths are read as those of Linux
    ("six", "PY2"): False,
    ("six", "PY3"): True,
    ("sys.version_info", "major"): 3,
    **{(module, "TYPE_CHECKING"): False for module in ("typing", "typing_extensions")},
}


@cache
def _calling() -> dict[str, Computed]:
    others = (concurrent.table(), mocking.table(), contextlibs.table(), dispatching.table(), called_back.CALLING)
    return {name: function for table in others for name, function in table.items()}


#: Those that call themselves what they are given.
CALLING = frozenset(_calling())


@cache
def functions() -> dict[str, Computed]:
    """Return all of them, as one table."""
    tables = (
        numbers.table(),
        texts.table(),
        sequences.table(),
        operator_functions.table(),
        collected.table(),
        objects.table(),
        held.table(),
        arrays.table(),
        array_dtypes.table(arrays.table()),
        tensor_datasets.table(),
        inspecting.table(),
        called_back.table(),
        small_objects.table(),
        dataclass_functions.table(),
        endless.table(),
        searches.table(),
        chance.table(),
        runs_of_tests.table(),
        systems.table(),
        _calling(),
    )
    return {name: function for table in (*tables, versions.FUNCTIONS) for name, function in table.items()}
