"""The names under which the package index and conda carry the frameworks, in canonical form."""

from __future__ import annotations

import re

#: The framework that each name brings: its releases are numbered as the framework's own are.
DISTRIBUTIONS = {
    **dict.fromkeys(("keras", "keras-nightly"), "keras"),
    **dict.fromkeys(("tf-keras", "tf-keras-nightly"), "tf_keras"),
    **dict.fromkeys(
        (
            "tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tf-nightly", "tf-nightly-cpu", "tf-nightly-gpu",
            "tensorflow-base", "tensorflow-mkl", "tensorflow-eigen",  # conda's builds
            "tensorflow-macos", "tensorflow-intel", "tensorflow-aarch64", "tensorflow-cpu-aws",  # of one platform each
            "intel-tensorflow", "intel-tensorflow-avx512", "nvidia-tensorflow",
            "tensorflow-rocm", "tensorflow-directml",
        ),
        "tensorflow",
    ),
    "jax": "jax",
    **dict.fromkeys(("torch", "pytorch"), "torch"),
}  # fmt: skip


def canonical(name: str) -> str:
    """Return a package's name as the index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(framework: str) -> tuple[str, ...]:
    """Return the names of a framework, its own first."""
    return tuple(name for name, brought in DISTRIBUTIONS.items() if brought == framework)
