"""The limits that a configuration may set: what one file may cost. docs/reference/limits.md holds them all."""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import dataclass, field_names


@dataclass(frozen=True)
class Limits:
    """What one file may cost; each field is a key of `[tool.cudnnlint.limits]`.

    `source_bytes` and `notebook_bytes`: of a file that is read. The largest Python files known (generated tables) have
    10 MB, notebooks with figures 100 MB. `steps`: expressions that are evaluated to follow a file; one of 3,000 lines
    without helpers needs some 30,000.
    """

    source_bytes: int = 32 << 20
    notebook_bytes: int = 256 << 20
    steps: int = 150_000

    def bytes_of(self, kind: str) -> int:
        """Return how many bytes a file of a kind (python, notebook) may have."""
        return self.notebook_bytes if kind == "notebook" else self.source_bytes


DEFAULT = Limits()
KEYS = tuple(name.replace("_", "-") for name in field_names(Limits))
