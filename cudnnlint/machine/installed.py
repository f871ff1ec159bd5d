"""Which frameworks are among the installed packages."""

from __future__ import annotations

from collections.abc import Mapping

BACKEND_FRAMEWORKS = ("tensorflow", "torch", "jax")
#: Packages that bring TensorFlow under another name.
ALIASES = ("tensorflow-cpu", "tensorflow-gpu", "tensorflow-macos", "tensorflow-rocm", "tf-nightly")


def frameworks_in(packages: Mapping[str, str]) -> dict[str, str]:
    """Return the installed frameworks and their releases."""
    found = {name: packages[name] for name in BACKEND_FRAMEWORKS if name in packages}
    alias = next((name for name in ALIASES if name in packages), None)
    if "tensorflow" not in found and alias is not None:
        found["tensorflow"] = f"{packages[alias]} ({alias})"
    return found
