"""The GPU that a project's requirements name, where it is not NVIDIA's, and backends that are in no table.

Only what is installed on every machine counts: a package that is wanted under a condition, by an extra or by a lock
file, may be for somebody else's machine.
"""

from __future__ import annotations

from collections.abc import Iterable

from cudnnlint.core import distributions
from cudnnlint.core.fact import Assumed, Unknown
from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import BACKENDS, CPU_BACKENDS, Target
from cudnnlint.targets.pins import Pins

#: Packages that give TensorFlow a GPU of another make, and which (rules/tables/machine.toml).
OTHER_GPUS = {
    "tensorflow-metal": "metal", "tensorflow-macos": "metal", "tensorflow-directml": "directml",
    "tensorflow-directml-plugin": "directml", "tensorflow-rocm": "rocm",
}  # fmt: skip
#: How the names of packages begin that only a machine with an NVIDIA GPU wants.
NVIDIA = ("tensorflow-gpu", "nvidia-")


def named(found: Iterable[Pins]) -> Assumed | Unknown | None:
    """Return the kind of GPU that the strongest source with a TensorFlow for every machine names.

    None where it names none, or several.
    """
    tensorflow = set(distributions.named("tensorflow")) | set(OTHER_GPUS)
    pins = next((one for one in found if one.everywhere & tensorflow), None)
    if pins is None or any(name.startswith(NVIDIA) for name in pins.everywhere):
        return None
    kinds = {OTHER_GPUS[name]: name for name in sorted(pins.everywhere & set(OTHER_GPUS), reverse=True)}
    if len(kinds) != 1:
        return None
    ((kind, package),) = kinds.items()
    if kind == "rocm":
        return Unknown(f"{pins.source} asks for {package}, and on AMD GPUs MIOpen takes the place of cuDNN")
    return Assumed(kind, f"{pins.source} asks for {package}")


def on_backend(target: Target, hints: FileHints) -> Target:
    """Return the target; what a GPU does is not known where a source runs Keras on Theano, CNTK or the like.

    A saved model that was made there is loaded with any backend.
    """
    if hints.keras_version is not None or hints.backend in (None, *BACKENDS, *CPU_BACKENDS):
        return target
    return replace(target, gpu=Unknown(f"the file runs Keras on {hints.backend}, which is not in the tables"))
