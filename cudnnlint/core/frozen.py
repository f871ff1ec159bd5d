"""Frozen dataclasses that are made by the thousand: the type checker alone holds them to it.

At run time a frozen dataclass sets every field by a call of `object.__setattr__`, which takes four times as long as
setting it. The values that the interpreter makes for each expression, and the facts that the engine makes for each
release, are therefore ordinary dataclasses that mypy takes for frozen ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from cudnnlint.core.quick_dataclass import dataclass

    def record(*, frozen, eq=True):
        """Make a dataclass that compares and hashes like a frozen one."""
        assert frozen
        return dataclass(eq=eq, unsafe_hash=eq)
