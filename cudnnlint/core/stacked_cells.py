"""Several cells of one RNN, in the StackedRNNCells that Keras puts around them or the program does."""

from __future__ import annotations

from functools import reduce
from operator import or_

from cudnnlint.core.execution_context import policy, shown_policy, unlike_dtypes
from cudnnlint.core.fact import Absent, Fact, Known, certainly, values
from cudnnlint.core.recurrent_inputs import alone_in_list, of_vectors
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth


def in_another_dtype(case: Case) -> Finding:
    """Return YES for several cells in another dtype than their stack, where the loop keeps the dtype of a state."""
    cells = case.construction.cells or ()
    if not case.trait("unlike-cells") or len(cells) < 2:
        return ABSENT_FAULT
    stack = case.construction.stack_dtype
    around = case.context("dtype") if isinstance(stack, Absent) or list(values(stack)) == [None] else stack
    own = [policy(case, cell)[0] for cell in cells]
    truth = ~judge_argument(case, "unroll", bool).truth
    truth &= reduce(or_, (unlike_dtypes(case, _narrowed(one), _narrowed(around)) for one in own))
    if not all(map(of_vectors, cells)):
        truth &= Truth.UNKNOWN
    found = " and ".join(dict.fromkeys(shown_policy(case, one).strip("'") for one in own))
    around_shown = shown_policy(case, around).strip("'")
    found = f"cells in {found} within StackedRNNCells in {around_shown}"
    because = "whether the loop is unrolled, or the dtype of a cell, is not known"
    return Finding(truth, found, cells[0].place, "written", because=because)


def listed_otherwise(case: Case) -> bool:
    """Return whether a cell alone in a list does, or may do, otherwise than its layer.

    Its states are a list in a list, and the StackedRNNCells around it may compute in another dtype.
    """
    made = case.construction
    if alone_in_list(made, case.argument("cell")) is None:
        return False
    alike = isinstance(made.stack_dtype, Absent) or certainly(made.stack_dtype, None)
    alike = alike or [*values(made.stack_dtype)] == [*values(case.argument("dtype"))] != []
    inside = certainly(case.argument("return_state"), False) and certainly(case.context("initial_state"), False)
    return not (alike and inside)


def _narrowed(dtype: Fact) -> Fact:
    """Return a dtype as JAX has it, which takes float64 for float32 unless it is told otherwise (jax_enable_x64)."""
    return Known("float32") if certainly(dtype, "float64") else dtype
