"""The layer computes in a dtype that the kernel does not take."""

from __future__ import annotations

from cudnnlint.core.fact import Absent, Ref
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN204"
NEEDED = "a dtype that the kernel takes"
SAYS = "the layer computes in {found}, which this kernel does not take"
ADVICE = 'Give the layer dtype="float32".'


def find(case: Case) -> Finding:
    """YES where the compute dtype is not one that the row lists."""
    if not case.dtypes:
        return ABSENT_FAULT
    own = case.argument("dtype")
    fact = case.around("dtype") if isinstance(own, Absent) or getattr(own, "value", "") is None else own
    return judge_fact(fact, lambda value: refused(compute_dtype(value), case.dtypes))


def compute_dtype(value: object) -> str | None:
    """The dtype in which a layer with this dtype argument computes; None where that cannot be told."""
    if value is None:
        return "float32"
    if isinstance(value, dict):
        config = value.get("config")
        return compute_dtype(config.get("name")) if isinstance(config, dict) else None
    if isinstance(value, Ref):
        value = value.name.rsplit(".", 1)[-1]
    return value.removeprefix("mixed_") if isinstance(value, str) else None


def refused(dtype: str | None, taken: tuple[str, ...]) -> Truth:
    """Is `dtype` missing among those taken?"""
    return Truth.UNKNOWN if dtype is None else Truth.of(dtype not in taken)
