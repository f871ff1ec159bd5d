"""What functions of the standard library and of numpy do, by their dotted names.

A pure function of plain values is one line in the table of its kind: `numbers`, `texts` or `sequences`. What makes or
changes objects is in `objects` and `collected`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.stdlib import (
    collected,
    concurrent,
    contextlibs,
    dispatching,
    mocking,
    numbers,
    objects,
    operator_functions,
    sequences,
    texts,
    versions,
)

#: Plain values of modules, the same everywhere; Python is 3 wherever Keras still is.
VALUES: dict[tuple[str, str], Any] = {
    **{(module, name): getattr(math, name) for module in ("math", "numpy") for name in ("pi", "e", "inf", "nan")},
    **{(module, "newaxis"): None for module in ("numpy", "tensorflow", "jax.numpy")},
    ("math", "tau"): math.tau,
    ("six", "PY2"): False,
    ("six", "PY3"): True,
    ("sys.version_info", "major"): 3,
}


@cache
def _calling() -> dict[str, Computed]:
    return {**concurrent.table(), **mocking.table(), **contextlibs.table(), **dispatching.table()}


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
        _calling(),
    )
    return {name: function for table in (*tables, versions.FUNCTIONS) for name, function in table.items()}
