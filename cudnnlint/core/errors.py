"""Wrong use, wrong config, or a flawed rulebook: one sentence, exit status 2."""

from __future__ import annotations


class CudnnlintError(Exception):
    """The base of all errors that end a run with one sentence and exit status 2."""


class UsageError(CudnnlintError):
    """An option, a target or a configuration key that cudnnlint does not know."""


class RulebookError(CudnnlintError):
    """A rule file or table that contradicts itself; found before any file is read."""


class UnreadableInput(Exception):
    """A file that cannot be read: becomes CDN001 with `str(error)` as its reason.

    `pointer` is True for a Git LFS pointer, which is reported as info.
    """

    def __init__(self, reason: str, row: int | None = None, column: int | None = None, pointer: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.row = row
        self.column = column
        self.pointer = pointer


class Refused(Exception):
    """A saved model that is not rewritten, because its numbers would not survive or cannot be followed.

    `layer_path` names the layer (names from the root joined by `/`); "" is the whole file.
    """

    def __init__(self, layer_path: str, reason: str) -> None:
        super().__init__(f"{layer_path}: {reason}" if layer_path else reason)
        self.layer_path = layer_path
        self.reason = reason
