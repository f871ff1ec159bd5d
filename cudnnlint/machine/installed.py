"""Which frameworks are among the installed packages."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.distributions import named

BACKEND_FRAMEWORKS = ("tensorflow", "torch", "jax")


def frameworks_in(packages: Mapping[str, str]) -> dict[str, str]:
    """Return the installed frameworks and their releases."""
    found = {}
    for framework in BACKEND_FRAMEWORKS:
        name = next((name for name in named(framework) if name in packages), None)
        if name is not None:
            found[framework] = packages[name] if name == framework else f"{packages[name]} ({name})"
    return found
