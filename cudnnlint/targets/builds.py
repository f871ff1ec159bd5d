"""What the name of a build says besides its release: that it runs on no GPU, or is newer than any release.

As for other GPUs, only what is installed on every machine counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from cudnnlint.core import distributions
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Target
from cudnnlint.targets.pins import Pins

#: Builds of TensorFlow for the CPU: their wheels and packages hold no CUDA.
CPU_ONLY = frozenset(
    (
        "tensorflow-cpu", "tf-nightly-cpu", "tensorflow-cpu-aws", "tensorflow-intel", "intel-tensorflow",
        "intel-tensorflow-avx512", "tensorflow-mkl", "tensorflow-eigen",
    )
)  # fmt: skip
NIGHTLY = "nightly"


def explained(target: Target, found: Iterable[Pins]) -> Target:
    """Return the target of a project; its origin says what the names of its builds say, which leaves a doubt."""
    says = [_no_gpu(found), _nightly(target.framework, found)] if target.gpu is None else []
    if target.backend != "tensorflow" or not any(says):
        return target
    return replace(target, origin="; ".join([target.origin, *filter(None, says)]), certain=False)


def _no_gpu(found: Iterable[Pins]) -> str:
    """Return a sentence where the strongest source with a TensorFlow for every machine has none for a GPU."""
    every = set(distributions.named("tensorflow"))
    pins = next((one for one in found if one.everywhere & every), None)
    builds = sorted(pins.everywhere & every) if pins is not None else []
    if pins is None or not set(builds) <= CPU_ONLY:
        return ""
    return f"{pins.source} asks for {builds[0]}, which uses no GPU: a build that does is assumed"


def _nightly(framework: str, found: Iterable[Pins]) -> str:
    """Return a sentence where the strongest source that names a framework names a nightly build, of any day."""
    for pins in found:
        builds = [one for one in pins.builds if distributions.DISTRIBUTIONS[one[0]] in (framework, "tensorflow")]
        days = [name for name, wanted in builds if NIGHTLY in name and not wanted]
        if days:
            return f"{pins.source} asks for {days[0]}, which is newer than any release: the newest release is assumed"
        if builds:
            return ""
    return ""
